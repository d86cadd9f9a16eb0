/*
 * What a spreadsheet shows in a cell that it could not calculate. The editions of a program translate these
 * words. A word that is in the list is certainly an error. A word that only has the same form may also be
 * what a person wrote in capitals ("#SALE!").
 */

/** The words without the "#" and without the mark at their end, by language. */
const knownWords = [
	// English, with the newer ones of Excel and those of Google Sheets.
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

/** Those that have no mark at their end. With a mark, each of the known words is an error. */
const withoutMark =
	/^(?:[\p{Lu}]{1,2}\/[\p{Lu}]{1,2}|[\p{Lu}_]*_[\p{Lu}_]+|NV|YOK|ERROR|HIÁNYZIK|NEDOSTUPNÝ)$/u;

const known = new Set(knownWords);

/** A division by zero, in every language: "#DIV/0!", "#DZIEL/0!". */
const division = /^\p{Lu}{2,12}\/0$/u;

/**
 * A word as these errors are written: "#REF!", "#¿NOMBRE?", "#N/A". It has no small letter. French puts a gap before
 * the mark at the end.
 */
const shape = /^#[¡¿]?(\p{Lu}[\p{Lu}\d_'’/]{0,29})( ?[!?])?$/u;

/** Those of other programs: LibreOffice's codes, and the words of Smartsheet. */
const otherPrograms =
	/^(?:Err:5\d\d|#(?:UNPARSEABLE|NO MATCH|INVALID (?:OPERATION|VALUE|COLUMN VALUE|DATA TYPE|REF)|INCORRECT ARGUMENT(?: SET)?|CIRCULAR REFERENCE|DIVIDE BY ZERO|BLOCKED|OVERFLOW))$/;

/** A piece of a text that may be such an error; what it is, {@link spreadsheetErrorIn} says. */
const candidates =
	/(?<![\p{L}\p{N}#])(?:#[¡¿]?\p{Lu}[\p{Lu}\d_'’/]{0,29}(?: ?[!?])?|Err:5\d\d)(?![\p{L}\p{N}_])/gu;

/** An error that an expression has written in small letters. */
const inSmallLetters = /^#[¡¿]?(?:n\/[adbv]|\p{L}{2,12}(?:\/0)?[!?])$/u;

/**
 * Whether a word is the error of a spreadsheet.
 * @returns `certain` for an error that is known, `likely` for a word that only looks like one.
 */
function spreadsheetError(word: string): 'certain' | 'likely' | undefined {
	if (otherPrograms.test(word)) return 'certain';
	const [, name, mark = ''] = shape.exec(word) ?? [];
	if (name === undefined) return isKnownInCapitals(word) ? 'likely' : undefined;
	const isKnown = known.has(name.normalize('NFC')) || division.test(name);
	if (isKnown && (mark !== '' || withoutMark.test(name))) return 'certain';
	// A gap before the mark is also how French ends a sentence: "#SOLDES !".
	return /^[!?]/.test(mark) ? 'likely' : undefined;
}

function isKnownInCapitals(word: string): boolean {
	return inSmallLetters.test(word) && spreadsheetError(word.toUpperCase()) === 'certain';
}

/**
 * Finds the error of a spreadsheet in a text.
 * @param how Whether it must be known, or only look like an error.
 * @returns The first one, as it is written there; undefined if there is none.
 */
export function spreadsheetErrorIn(text: string, how: 'certain' | 'likely'): string | undefined {
	if (!text.includes('#') && !text.includes('Err:')) return undefined;
	// A gap may be one at which no line breaks.
	const plain = text.replace(/[\u00a0\u202f]/g, ' ').normalize('NFC');
	const whole = plain.trim();
	if (spreadsheetError(whole) === how) return whole;
	return plain.match(candidates)?.find((word) => spreadsheetError(word) === how);
}
