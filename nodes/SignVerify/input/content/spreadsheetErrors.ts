import type { Severity } from './finding';

/*
 * Recognizes the errors that spreadsheets show in cells they couldn't calculate. The error words vary by
 * program and language. A listed word is certainly an error. Any other word in the same format may be
 * ordinary text in capitals ("#SALE!").
 */

/** The error words by language, without the leading "#" and the trailing "!" or "?". */
const knownWords = [
	// English, including Excel's newer errors and Google Sheets errors
	'NULL VALUE REF NAME NUM N/A GETTING_DATA SPILL CALC FIELD BLOCKED CONNECT UNKNOWN BUSY',
	'ERROR EXTERNAL PYTHON TIMEOUT MACRO CIRCULAR',
	// Spanish
	'NULO VALOR NOMBRE N/D OBTENIENDO_DATOS DESBORDAMIENTO CÁLC CAMPO BLOQUEADO CONECTAR DESCONOCIDO OCUPADO',
	// Portuguese
	'NÚM NOME OBTENDO_DADOS A_OBTER_DADOS DESPEJAR DESPEJO CONEXÃO DESCONHECIDO',
	// French
	'NUL VALEUR NOM CHARGEMENT_DONNEES CHARGEMENT_DONNÉES PROPAGATION EPARS ÉPARS CHAMP BLOQUÉ BLOQUE CONNEXION INCONNU OCCUPÉ OCCUPE',
	// German
	'WERT BEZUG ZAHL NV DATEN_ABRUFEN ÜBERLAUF KALK FELD BLOCKIERT VERBINDEN UNBEKANNT BESCHÄFTIGT',
	// Italian
	'NULLO VALORE RIF ESTRAZIONE_DATI_IN_CORSO ESPANSIONE CALCOLO BLOCCATO SCONOSCIUTO CONNETTI OCCUPATO',
	// Dutch
	'LEEG WAARDE VERW NAAM GETAL N/B GEGEVENS_OPHALEN OVERLOOP VELD GEBLOKKEERD BEREKENEN ONBEKEND BEZET',
	// Swedish, Danish, Norwegian, Finnish
	'SKÄRNING VÄRDEFEL REFERENS NAMN OGILTIGT SAKNAS HÄMTAR_DATA FÄLT BLOCKERAD UPPTAGET OKÄND',
	'VÆRDI REFERENCE NAVN I/T VERDI OVERLØB OVERFLYT HENTER_DATA',
	'TYHJÄ ARVO VIITTAUS NIMI LUKU PUUTTUU HAETAAN_TIETOJA',
	// Polish, Czech, Slovak, Slovenian, Croatian, Hungarian, Romanian
	'ZERO ARG ADR NAZWA LICZBA POBIERANIE_DANYCH ROZLANIE OBL',
	'DĚLENÍ_NULOU HODNOTA ODKAZ NÁZEV ČÍSLO NENÍ_K_DISPOZICI NAČÍTÁNÍ_DAT DELENIENULOU NÁZOV NEDOSTUPNÝ',
	'VREDN SKLIC IME ŠTEV N/V VRIJ NAZIV BROJ',
	'NULLA ZÉRÓOSZTÓ ÉRTÉK HIV NÉV SZÁM HIÁNYZIK VALOARE NUME',
	// Turkish
	'BOŞ DEĞER BAŞV AD SAYI YOK TAŞMA HESAPLA',
	// Russian, Ukrainian, Bulgarian, Greek
	'ПУСТО ЗНАЧ ССЫЛКА ИМЯ ЧИСЛО Н/Д ОЖИДАНИЕ_ДАННЫХ ПЕРЕНОС ВЫЧИСЛ ЗАНЯТО ЗАБЛОКИРОВАНО НЕИЗВЕСТНО',
	"ПОСИЛАННЯ ЗНАЧЕННЯ ССИЛКА ІМ'Я ІМ’Я СТОЙНОСТ РЕФ ИМЕ",
	'ΚΕΝΟ ΤΙΜΗ ΑΝΑΦ ΟΝΟΜΑ ΑΡΙΘ Δ/Υ',
]
	.join(' ')
	.split(' ');

/**
 * Known words that are errors even without a trailing "!" or "?": "#N/A", "#NV". With one of these marks,
 * every known word is an error.
 */
const withoutMark =
	/^(?:[\p{Lu}]{1,2}\/[\p{Lu}]{1,2}|[\p{Lu}_]*_[\p{Lu}_]+|NV|YOK|ERROR|HIÁNYZIK|NEDOSTUPNÝ)$/u;

const known = new Set(knownWords);

/** A division by zero, which has the same format in every language: "#DIV/0!", "#DZIEL/0!". */
const division = /^\p{Lu}{2,12}\/0$/u;

/**
 * The format of an error, in capitals: "#REF!", "#¿NOMBRE?", "#N/A". French puts a space before the trailing
 * mark.
 */
const errorShape = /^#[¡¿]?(\p{Lu}[\p{Lu}\d_'’/]{0,29})( ?[!?])?$/u;

/** LibreOffice's error codes and Smartsheet's error words. */
const errorsOfOtherPrograms =
	/^(?:Err:5\d\d|#(?:UNPARSEABLE|NO MATCH|INVALID (?:OPERATION|VALUE|COLUMN VALUE|DATA TYPE|REF)|INCORRECT ARGUMENT(?: SET)?|CIRCULAR REFERENCE|DIVIDE BY ZERO|BLOCKED|OVERFLOW))$/;

/**
 * Matches every part of a string that looks like an error. {@link spreadsheetError} then decides whether it
 * is one.
 */
const candidates =
	/(?<![\p{L}\p{N}#])(?:#[¡¿]?\p{Lu}[\p{Lu}\d_'’/]{0,29}(?: ?[!?])?|Err:5\d\d)(?![\p{L}\p{N}_])/gu;

/** An error that an expression may have converted to lowercase. */
const inSmallLetters = /^#[¡¿]?(?:n\/[adbv]|\p{L}{2,12}(?:\/0)?[!?])$/u;

/**
 * Decides whether a word is a spreadsheet error.
 * @returns `certain` for a known error, `likely` for a word that only looks like an error, undefined for any
 * other word.
 */
function spreadsheetError(word: string): Severity | undefined {
	if (errorsOfOtherPrograms.test(word)) return 'certain';
	const [, name, mark = ''] = errorShape.exec(word) ?? [];
	if (name === undefined) return isKnownInCapitals(word) ? 'likely' : undefined;
	const isKnown = known.has(name.normalize('NFC')) || division.test(name);
	if (isKnown && (mark !== '' || withoutMark.test(name))) return 'certain';
	// French puts a space before the mark in ordinary sentences too ("#SOLDES !"), so a mark after a space
	// doesn't make an unknown word look like an error.
	return /^[!?]/.test(mark) ? 'likely' : undefined;
}

function isKnownInCapitals(word: string): boolean {
	return inSmallLetters.test(word) && spreadsheetError(word.toUpperCase()) === 'certain';
}

/**
 * Finds a spreadsheet error in a string.
 * @param severity `certain` finds known errors, `likely` finds words that only look like an error.
 * @returns The first error, as it appears in the normalized string; undefined if there is none.
 */
export function spreadsheetErrorIn(text: string, severity: Severity): string | undefined {
	if (!text.includes('#') && !text.includes('Err:')) return undefined;
	// The space inside an error may be a non-breaking space.
	const plain = text.replace(/[\u00a0\u202f]/g, ' ').normalize('NFC');
	const whole = plain.trim();
	if (spreadsheetError(whole) === severity) return whole;
	return plain.match(candidates)?.find((word) => spreadsheetError(word) === severity);
}
