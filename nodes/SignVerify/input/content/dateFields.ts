/** A field of a template, as far as its words say what it is for. */
export interface FormField {
	key: string;
	label: string;
	type: string;
}

/** Whether a field is for a date; `perhaps` if its name is a date in one language and something else in another. */
export type DateField = 'certainly' | 'perhaps' | 'no';

/** Types of fields for a longer text. The interface shows only the type "text", for one line of it. */
const freeText = /^(?:long|multi|rich)|area|paragraph|note|comment/i;

/** Words that are a date wherever they stand as a whole word. */
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

/** Words that are a date in one language, and something else in another: they count if nothing else is there. */
const ambiguousWords = new Set(['data', 'dato']);

/** What makes a date of "data" (Portuguese, Italian, Polish, Romanian, Catalan), beside what follows it. */
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

/** The Arabic word "tarikh" means date or history. Followed by one of these words, it means a date. */
const afterTarikh = new Set(
	'الميلاد البدء البداية الانتهاء النهاية التوقيع العقد الإصدار التسليم التعيين الصلاحية'.split(
		' ',
	),
);

/** Words that mean a date only if one of these words follows. Those that are not ambiguous also count alone. */
const datesWithNext = new Map([
	['data', afterData],
	// In Danish and Norwegian. In Italian and Spanish, it is data.
	['dato', new Set('for når fra til'.split(' '))],
	// In Vietnamese. It is also a day, as in "working days".
	['ngày', new Set('sinh bắt kết ký hết hiệu cấp vào tháng hợp lập giao'.split(' '))],
	// In Turkish. It is also history, and as "tarihi" it is historic, unless it ends a compound.
	['tarih', new Set<string>()],
	['تاريخ', afterTarikh],
	['التاريخ', new Set<string>()],
]);

/** Whether a word is for a date where it stands. */
function isDateAt(index: number, words: string[]): boolean {
	const word = words[index] ?? '';
	if (dateWords.has(word) || compounds.test(word)) return true;
	if (word === 'tarihi') return index > 0 || words.length === 1;
	const isAlone = words.length === 1 && !ambiguousWords.has(word);
	const next = datesWithNext.get(word);
	return next !== undefined && (isAlone || next.has(words[index + 1] ?? ''));
}

/** A date of birth, whose word for "date" is shortened to a letter: "F. de nacimiento", "Dt. nascimento". */
const shortDate =
	/^(?:f|fec|fch|dt|d)(?: (?:de|di|da|del))? (?:nacimiento|nac|nascimento|nasc|nascita|naissance)$|^d o b$/;

/** The beginnings and the ends of words that are written as one: "startdate", "fechanacimiento", "Vertragsdatum". */
const compounds =
	/^(?:\p{L}{0,12}(?:birth|start|begin|end|due|expiry|expiration|signing|signature|signed|contract|effective|hire|hiring|join|joining|issue|delivery|payment|termination|closing|entry|exit|invoice|order|lease|agreement|renewal|completion|release|purchase|ship|booking|departure|arrival|event|policy|move|moving)date|dateof\p{L}{3,30}|date(?:de)?(?:naissance|début|debut|fin|signature|échéance|echeance|effet|contrat|embauche)|fecha(?:de(?:l)?)?(?:nacimiento|inicio|fin|final|firma|vencimiento|contrato|ingreso|entrega|pago|emision|emisión|alta|baja|término|termino|expiración|expiracion)|data(?:de|di|do|da|d)?(?:nascimento|nascita|inicio|início|inizio|fim|fine|vencimento|scadenza|assinatura|firma|emissão|emissao|emissione|contrato|contratto|admissão|admissao|entrega|consegna|pagamento|urodzenia|podpisania|zawarcia)|\p{L}{3,30}datum|(?:fødsels|fodsels|start|slutt?|utløps|udløbs|kontrakts|signatur|underskrifts|leverings|forfalls|forfalds|tiltrædelses|ansættelses|ansettelses)dato|\p{L}{3,30}(?:päivämäärä|pvm|dátuma?|tarihi)|(?:aloitus|alkamis|lopetus|päättymis|allekirjoitus|syntymä|erä|voimaantulo)päivä|(?!.*(?:[和及与與と或]|地[点點]|場所)).{0,12}(?:日期|年月日|日付|契約日|開始日|終了日|締結日|署名日|入社日|退社日|到期日|生效日|誕生日|生日|날짜|일자|생년월일|계약일|시작일|종료일|입사일|퇴사일|만료일)|วันที่(?!.*(?:สถานที่|และ|เวลา))[\p{L}\p{M}]{1,40})$/u;

/** What a field has beside a date, or says about one: such a value need not be a date. */
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

/** The beginning of a question that is answered with yes or no. */
const yesOrNo = new Set('is are has have does do was were will can should'.split(' '));

/** Words between two things of which only one may be a date, in languages of the list of countries and some others. */
const conjunctions = new Set(
	'and or plus y e o u et ou und oder i och eller og ve veya и или і або ja tai és vagy και ή 및'.split(
		' ',
	),
);

/** Where "date" is no day: "up to date". */
const noDay = /\b(?:up|out) (?:to|of) date\b/;

/** The words of a label or a key, in small letters: "startDate", "start_date" and "Start date" have the same ones. */
function wordsOf(name: string): string[] {
	return (
		name
			.normalize('NFC')
			.slice(0, 200)
			.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
			.replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
			.toLowerCase()
			.replaceAll('ημ/νία', 'ημερομηνία')
			// The capital of the Turkish "i" has a dot.
			.replaceAll('i\u0307', 'i')
			.split(/[^\p{L}\p{M}]+/u)
			.filter(Boolean)
	);
}

/** Whether the words of a label or a key name a date, and nothing else beside it. */
function namedDate(words: string[]): DateField {
	if (shortDate.test(words.join(' '))) return 'certainly';
	if (namesMore(words) || !words.some((_, index) => isDateAt(index, words))) return 'no';
	return namesTwo(words) ? 'perhaps' : 'certainly';
}

/** Whether the words name two things. The "e" of "e-signature" is none, and neither is the "en" of "entrée en vigueur". */
function namesTwo(words: string[]): boolean {
	return words.slice(0, -1).some((word, index) => {
		if (word !== 'en') return conjunctions.has(word) && (word !== 'e' || index > 0);
		return [words[index - 1], words[index + 1]].some((beside) => beside?.endsWith('datum'));
	});
}

function namesMore(words: string[]): boolean {
	return (
		words.some((word) => notOnlyDates.has(word)) ||
		yesOrNo.has(words[0] ?? '') ||
		noDay.test(words.join(' '))
	);
}

/**
 * Whether a field is for a date: by its type, or by whole words of its label or its key, in the languages of the
 * list of countries and in some others. A field for free text, or for a date and something else, is none.
 */
export function dateFieldOf({ type, label, key }: FormField): DateField {
	if (/^date(?:[-_ ]?picker)?$/i.test(type)) return 'certainly';
	if (freeText.test(type)) return 'no';
	const [ofLabel, ofKey] = [wordsOf(label), wordsOf(key)];
	const byLabel = namedDate(ofLabel);
	if (byLabel !== 'no') return byLabel;
	const byKey = namesMore(ofLabel) ? 'no' : namedDate(ofKey);
	if (byKey !== 'no') return byKey;
	const [word, ...others] = ofLabel.length > 0 ? ofLabel : ofKey;
	return word !== undefined && others.length === 0 && ambiguousWords.has(word) ? 'perhaps' : 'no';
}
