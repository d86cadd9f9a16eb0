/** The parts of a template field that show what the field is for. */
export interface FormField {
	key: string;
	label: string;
	type: string;
}

/**
 * Whether a field is for a date. `perhaps` is for names that mean a date in some languages but not in others
 * ("data"), and for names that mention something besides a date ("date and salary").
 */
type DateField = 'certainly' | 'perhaps' | 'no';

/**
 * Types that suggest longer text. This list is a guess, because the service documents only the type "text",
 * which is for a single line.
 */
const freeTextType = /^(?:long|multi|rich)|area|paragraph|note|comment/i;

/** Words that mean a date wherever they appear as whole words in a name. */
const dateWords = new Set(
	[
		'date birthdate birthday dob duedate startdate enddate',
		'fecha cumpleaños cumpleanos',
		'datum geburtstag stichtag fødselsdag födelsedag',
		'dată päivämäärä pvm dátum kuupäev datums',
		'дата ημερομηνία تاریخ תאריך',
		'tanggal tarikh petsa tarehe วันที่ วันเกิด दिनांक तारीख तिथि जन्मतिथि তারিখ தேதி తేదీ',
	]
		.join(' ')
		.split(' '),
);

/**
 * Words that mean a date in one language and something else in another. If one of them is the entire name,
 * the field may be for a date.
 */
const ambiguousWords = new Set(['data', 'dato']);

/**
 * If one of these words follows "data" (Portuguese, Italian, Polish, Romanian, Catalan), "data" means a date.
 */
const afterData = new Set(
	[
		'de do da del di dello della dell d dd gg jj',
		'nascimento nascita inicio início inizio fim fine término termino vencimento scadenza assinatura',
		'firma emissão emissao emissione contrato contratto admissão admissao assunzione entrega consegna',
		'pagamento nascita validade decorrenza stipula cessazione',
		'urodzenia podpisania zawarcia rozpoczęcia rozpoczecia zakończenia zakonczenia umowy ważności',
		'początkowa poczatkowa końcowa koncowa wystawienia zatrudnienia',
		'nașterii nasterii semnării semnarii începerii expirării naixement inici signatura venciment',
	]
		.join(' ')
		.split(' '),
);

/** If one of these words follows the Arabic "tarikh" (date or history), "tarikh" means a date. */
const afterTarikh = new Set(
	'الميلاد البدء البداية الانتهاء النهاية التوقيع العقد الإصدار التسليم التعيين الصلاحية'.split(
		' ',
	),
);

/**
 * Words that mean a date only if one of the listed words follows, as in "data de nascimento". As the entire
 * name, each of them also means a date, unless it is one of the {@link ambiguousWords}.
 */
const datesWithNext = new Map([
	['data', afterData],
	// "dato" means date in Danish and Norwegian, but a piece of data in Italian and Spanish.
	['dato', new Set('for når fra til'.split(' '))],
	// "ngày" means date in Vietnamese, but also day, as in "working days".
	['ngày', new Set('sinh bắt kết ký hết hiệu cấp vào tháng hợp lập giao'.split(' '))],
	// "tarih" means date in Turkish, but also history. "tarihi" means historic, unless it ends a compound.
	['tarih', new Set<string>()],
	['تاريخ', afterTarikh],
	['التاريخ', new Set<string>()],
]);

/**
 * Abbreviations of "date of birth" that shorten "date" to a few letters: "F. de nacimiento", "Dt.
 * nascimento".
 */
const shortDate =
	/^(?:f|fec|fch|dt|d)(?: (?:de|di|da|del))? (?:nacimiento|nac|nascimento|nasc|nascita|naissance)$|^d o b$/;

/**
 * Names that combine the word for "date" with another word: "startdate", "fechanacimiento", "Vertragsdatum".
 */
const compounds =
	/^(?:\p{L}{0,12}(?:birth|start|begin|end|due|expiry|expiration|signing|signature|signed|contract|effective|hire|hiring|join|joining|issue|delivery|payment|termination|closing|entry|exit|invoice|order|lease|agreement|renewal|completion|release|purchase|ship|booking|departure|arrival|event|policy|move|moving)date|dateof\p{L}{3,30}|date(?:de)?(?:naissance|début|debut|fin|signature|échéance|echeance|effet|contrat|embauche)|fecha(?:de(?:l)?)?(?:nacimiento|inicio|fin|final|firma|vencimiento|contrato|ingreso|entrega|pago|emision|emisión|alta|baja|término|termino|expiración|expiracion)|data(?:de|di|do|da|d)?(?:nascimento|nascita|inicio|início|inizio|fim|fine|vencimento|scadenza|assinatura|firma|emissão|emissao|emissione|contrato|contratto|admissão|admissao|entrega|consegna|pagamento|urodzenia|podpisania|zawarcia)|\p{L}{3,30}datum|(?:fødsels|fodsels|start|slutt?|utløps|udløbs|kontrakts|signatur|underskrifts|leverings|forfalls|forfalds|tiltrædelses|ansættelses|ansettelses)dato|\p{L}{3,30}(?:päivämäärä|pvm|dátuma?|tarihi)|(?:aloitus|alkamis|lopetus|päättymis|allekirjoitus|syntymä|erä|voimaantulo)päivä|(?!.*(?:[和及与與と或]|地[点點]|場所)).{0,12}(?:日期|年月日|日付|契約日|開始日|終了日|締結日|署名日|入社日|退社日|到期日|生效日|誕生日|生日|날짜|일자|생년월일|계약일|시작일|종료일|입사일|퇴사일|만료일)|วันที่(?!.*(?:สถานที่|และ|เวลา))[\p{L}\p{M}]{1,40})$/u;

/**
 * Words that show that a field is for something other than a date, such as a place, or for more than a date.
 * If a name contains one of them, the value doesn't have to be a date.
 */
const notOnlyDates = new Set(
	[
		'place city location venue address lugar ciudad local localidade cidade lieu ville ort geburtsort stadt',
		'luogo città citta plaats geboorteplaats miejsce místo misto miesto mjesto mesto kraj hely yer yeri paikka koht vieta',
		'место місто місце центр τόπος τόπο tempat mahali स्थान مكان ومكان مکان מקום ומקום 장소',
		'notes comment comments remarks description details reason terms conditions condition range format type name or',
		'notas comentario comentarios observaciones observações descripción descrição descrizione détails',
		'bemerkung bemerkungen hinweis grund kommentar',
		'time hora heure ora uhrzeit zeit tijd',
		'yes known confirmed flexible source language wish wishes gift greeting',
	]
		.join(' ')
		.split(' '),
);

/** Words that turn a name into a yes-or-no question if the name begins with them. */
const questionWords = new Set('is are has have does do was were will can should'.split(' '));

/**
 * Conjunctions. A name with a conjunction asks for two things, not both of which have to be dates. The list
 * covers the same languages as the country list, and some others.
 */
const conjunctions = new Set(
	'and or plus y e o u et ou und oder i och eller og ve veya и или і або ja tai és vagy και ή 및'.split(
		' ',
	),
);

/** Phrases in which "date" does not refer to a day. */
const dateWithoutDay = /\b(?:up|out) (?:to|of) date\b/;

/** Whether the word at a position means a date, given the words around it. */
function isDateAt(index: number, words: string[]): boolean {
	const word = words[index] ?? '';
	if (dateWords.has(word) || compounds.test(word)) return true;
	if (word === 'tarihi') return index > 0 || words.length === 1;
	const isAlone = words.length === 1 && !ambiguousWords.has(word);
	const next = datesWithNext.get(word);
	return next !== undefined && (isAlone || next.has(words[index + 1] ?? ''));
}

/**
 * Splits a label or key into lowercase words. The words are the same for "startDate", "start_date" and "Start
 * date".
 */
function wordsOf(name: string): string[] {
	return (
		name
			.normalize('NFC')
			.slice(0, 200)
			.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
			.replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
			.toLowerCase()
			.replaceAll('ημ/νία', 'ημερομηνία')
			// JavaScript lowercases the Turkish "İ" to an "i" and a combining dot. Drop the dot.
			.replaceAll('i\u0307', 'i')
			.split(/[^\p{L}\p{M}]+/u)
			.filter(Boolean)
	);
}

/** Whether the words of a label or key mean a date and nothing else. */
function namedDate(words: string[]): DateField {
	if (shortDate.test(words.join(' '))) return 'certainly';
	if (namesMore(words) || !words.some((_, index) => isDateAt(index, words))) return 'no';
	return namesTwo(words) ? 'perhaps' : 'certainly';
}

/**
 * Whether a conjunction shows that the words name two things. The "e" of "e-signature" and the "en" of
 * "entrée en vigueur" are not conjunctions. The Dutch "en" is treated as a conjunction only next to a word
 * that ends in "datum".
 */
function namesTwo(words: string[]): boolean {
	return words.slice(0, -1).some((word, index) => {
		if (word !== 'en') return conjunctions.has(word) && (word !== 'e' || index > 0);
		return [words[index - 1], words[index + 1]].some((beside) => beside?.endsWith('datum'));
	});
}

/** Whether the words ask for something besides a date, or don't refer to a specific day. */
function namesMore(words: string[]): boolean {
	return (
		words.some((word) => notOnlyDates.has(word)) ||
		questionWords.has(words[0] ?? '') ||
		dateWithoutDay.test(words.join(' '))
	);
}

/**
 * Decides whether a field is for a date, based on its type or on whole words in its label or key. Recognizes
 * the same languages as the country list, and some others.
 * @returns 'no' for a field that takes free text or asks for more than a date.
 */
export function dateFieldOf({ type, label, key }: FormField): DateField {
	if (/^date(?:[-_ ]?picker)?$/i.test(type)) return 'certainly';
	if (freeTextType.test(type)) return 'no';
	const labelWords = wordsOf(label);
	const keyWords = wordsOf(key);
	const resultForLabel = namedDate(labelWords);
	if (resultForLabel !== 'no') return resultForLabel;
	const resultForKey = namesMore(labelWords) ? 'no' : namedDate(keyWords);
	if (resultForKey !== 'no') return resultForKey;
	const [word, ...otherWords] = labelWords.length > 0 ? labelWords : keyWords;
	const isAlone = word !== undefined && otherWords.length === 0;
	return isAlone && ambiguousWords.has(word) ? 'perhaps' : 'no';
}
