import type { Severity } from './finding';

/*
 * Recognizes the errors that a spreadsheet shows in a cell that it could not calculate. Each language of a program
 * has words of its own. A word in the list is certainly an error. Any other word in the same form may be text that a
 * person wrote in capitals ("#SALE!").
 */

/** The words by language, without the "#" before and the mark after them. */
const knownWords = [
	// English, including the newer errors of Excel and those of Google Sheets
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

/** These errors have no mark at their end. Every known word counts as an error if a mark follows. */
const withoutMark =
	/^(?:[\p{Lu}]{1,2}\/[\p{Lu}]{1,2}|[\p{Lu}_]*_[\p{Lu}_]+|NV|YOK|ERROR|HIÁNYZIK|NEDOSTUPNÝ)$/u;

const known = new Set(knownWords);

/** A division by zero has the same form in every language: "#DIV/0!", "#DZIEL/0!". */
const division = /^\p{Lu}{2,12}\/0$/u;

/** Errors are written in capitals: "#REF!", "#¿NOMBRE?", "#N/A". French puts a space before the mark at the end. */
const errorShape = /^#[¡¿]?(\p{Lu}[\p{Lu}\d_'’/]{0,29})( ?[!?])?$/u;

/** LibreOffice has codes for its errors, and Smartsheet has words of its own. */
const errorsOfOtherPrograms =
	/^(?:Err:5\d\d|#(?:UNPARSEABLE|NO MATCH|INVALID (?:OPERATION|VALUE|COLUMN VALUE|DATA TYPE|REF)|INCORRECT ARGUMENT(?: SET)?|CIRCULAR REFERENCE|DIVIDE BY ZERO|BLOCKED|OVERFLOW))$/;

/** Finds each piece of a text that may be an error, for {@link spreadsheetError} to decide. */
const candidates =
	/(?<![\p{L}\p{N}#])(?:#[¡¿]?\p{Lu}[\p{Lu}\d_'’/]{0,29}(?: ?[!?])?|Err:5\d\d)(?![\p{L}\p{N}_])/gu;

/** An expression may have turned an error into small letters. */
const inSmallLetters = /^#[¡¿]?(?:n\/[adbv]|\p{L}{2,12}(?:\/0)?[!?])$/u;

/**
 * Tells whether a word is an error of a spreadsheet.
 * @returns `certain` for a known error, `likely` for a word that only looks like one, undefined for any other word.
 */
function spreadsheetError(word: string): Severity | undefined {
	if (errorsOfOtherPrograms.test(word)) return 'certain';
	const [, name, mark = ''] = errorShape.exec(word) ?? [];
	if (name === undefined) return isKnownInCapitals(word) ? 'likely' : undefined;
	const isKnown = known.has(name.normalize('NFC')) || division.test(name);
	if (isKnown && (mark !== '' || withoutMark.test(name))) return 'certain';
	// French also ends an ordinary sentence with a space and a mark ("#SOLDES !"), so such a word is not even a likely error.
	return /^[!?]/.test(mark) ? 'likely' : undefined;
}

function isKnownInCapitals(word: string): boolean {
	return inSmallLetters.test(word) && spreadsheetError(word.toUpperCase()) === 'certain';
}

/**
 * Finds an error of a spreadsheet in a text.
 * @param severity `certain` looks for known errors, `likely` for words that only look like an error.
 * @returns The first error in the normalized text, or undefined.
 */
export function spreadsheetErrorIn(text: string, severity: Severity): string | undefined {
	if (!text.includes('#') && !text.includes('Err:')) return undefined;
	// The space inside an error may be a non-breaking one.
	const plain = text.replace(/[\u00a0\u202f]/g, ' ').normalize('NFC');
	const whole = plain.trim();
	if (spreadsheetError(whole) === severity) return whole;
	return plain.match(candidates)?.find((word) => spreadsheetError(word) === severity);
}
