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
		'dată päivämäärä pvm dátum tarih tarihi kuupäev datums',
		'дата ημερομηνία ημ/νία تاريخ التاريخ بتاريخ تاریخ תאריך',
		'tanggal tarikh petsa tarehe ngày วันที่ दिनांक तारीख तिथि তারিখ தேதி తేదీ',
	]
		.join(' ')
		.split(' '),
);

/** Words that are a date in one language, and something else in another: they count if nothing else is there. */
const ambiguousWords = new Set(['data', 'dato']);

/** What makes a date of "data" (Portuguese, Italian, Polish, Romanian, Catalan), beside what follows it. */
const afterData = new Set(
	[
		'de do da del di dello della dell d',
		'nascimento nascita inicio início inizio fim fine término termino vencimento scadenza assinatura',
		'firma emissão emissao emissione contrato contratto admissão admissao assunzione entrega consegna',
		'pagamento nascita validade decorrenza stipula cessazione',
		'urodzenia podpisania zawarcia rozpoczęcia rozpoczecia zakończenia zakonczenia umowy ważności',
		'nașterii nasterii semnării semnarii începerii expirării naixement inici signatura venciment',
	]
		.join(' ')
		.split(' '),
);

/** The beginnings and the ends of words that are written as one: "startdate", "fechanacimiento", "Vertragsdatum". */
const compounds =
	/^(?:(?:birth|start|begin|end|due|expiry|expiration|signing|signature|signed|contract|effective|hire|hiring|join|joining|issue|delivery|payment|termination|closing|entry|exit|invoice|order|lease|agreement|renewal|completion|release|purchase|ship|booking|departure|arrival|event|policy|move|moving)date|dateof\p{L}{3,30}|date(?:de)?(?:naissance|début|debut|fin|signature|échéance|echeance|effet|contrat|embauche)|fecha(?:de(?:l)?)?(?:nacimiento|inicio|fin|final|firma|vencimiento|contrato|ingreso|entrega|pago|emision|emisión|alta|baja|término|termino|expiración|expiracion)|data(?:de|di|do|da|d)?(?:nascimento|nascita|inicio|início|inizio|fim|fine|vencimento|scadenza|assinatura|firma|emissão|emissao|emissione|contrato|contratto|admissão|admissao|entrega|consegna|pagamento|urodzenia|podpisania|zawarcia)|\p{L}{3,30}datum|(?:fødsels|fodsels|start|slutt?|utløps|udløbs|kontrakts|signatur|underskrifts|leverings|forfalls|forfalds|tiltrædelses|ansættelses|ansettelses)dato|\p{L}{3,30}(?:päivämäärä|pvm|dátuma?)|\p{L}{0,12}(?:日期|年月日|日付|契約日|開始日|終了日|締結日|署名日|生日|날짜|일자|생년월일|계약일|시작일|종료일)|วันที่[\p{L}\p{M}]{1,40})$/u;

/** What a field has beside a date, or says about one: such a value need not be a date. */
const notOnlyDates = new Set(
	[
		'place city lugar ciudad local localidade cidade lieu ville ort stadt luogo città citta plaats miejsce місце место',
		'notes comment comments remarks description details reason terms conditions condition range format type name or',
		'notas comentario comentarios observaciones observações descripción descrição descrizione détails',
		'bemerkung bemerkungen hinweis grund kommentar',
		'time hora heure ora uhrzeit zeit tijd',
	]
		.join(' ')
		.split(' '),
);

/** The words of a label or a key, in small letters: "startDate", "start_date" and "Start date" have the same ones. */
function wordsOf(name: string): string[] {
	return name
		.normalize('NFC')
		.slice(0, 200)
		.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
		.replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{M}/]+/u)
		.filter(Boolean);
}

/** Whether the words of a label or a key name a date, and nothing else beside it. */
function nameDate(words: string[]): boolean {
	const hasDate = words.some((word, index) => {
		if (dateWords.has(word) || compounds.test(word)) return true;
		return word === 'data' && afterData.has(words[index + 1] ?? '');
	});
	return hasDate && !nameMore(words);
}

function nameMore(words: string[]): boolean {
	return words.some((word) => notOnlyDates.has(word));
}

/**
 * Whether a field is for a date: by its type, or by whole words of its label or its key, in the languages of the
 * list of countries and in some others. A field for free text, or for a date and something else, is none.
 */
export function dateFieldOf({ type, label, key }: FormField): DateField {
	if (/^date(?:[-_ ]?picker)?$/i.test(type)) return 'certainly';
	if (freeText.test(type)) return 'no';
	const [ofLabel, ofKey] = [wordsOf(label), wordsOf(key)];
	if (nameDate(ofLabel) || (nameDate(ofKey) && !nameMore(ofLabel))) return 'certainly';
	const [word, ...others] = ofLabel.length > 0 ? ofLabel : ofKey;
	return word !== undefined && others.length === 0 && ambiguousWords.has(word) ? 'perhaps' : 'no';
}
