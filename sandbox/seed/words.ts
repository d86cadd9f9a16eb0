/** Words that made-up templates, people and values are put together from. Nobody is meant. */
export const KINDS = [
	'Service agreement',
	'Supply contract',
	'Rental agreement',
	'Non-disclosure agreement',
	'Purchase order',
	'Licence agreement',
	'Loan agreement',
	'Power of attorney',
	'Employment offer',
	'Maintenance contract',
	'Event booking',
	'Consent form',
	'Delivery receipt',
	'Partnership agreement',
	'Data processing agreement',
	'Termination notice',
];

export const FIELDS_OF_WORK = [
	'Construction',
	'Health care',
	'Education',
	'Logistics',
	'Software',
	'Agriculture',
	'Hospitality',
	'Energy',
	'Retail',
	'Public sector',
	'Film and music',
	'Research',
];

export const PLACES = [
	'Arroyo',
	'Brisa',
	'Ceiba',
	'Dunas',
	'Estero',
	'Fontana',
	'Granito',
	'Horizonte',
	'Isla',
	'Jacarandá',
	'Kiwi',
	'Laguna',
];

export const COUNTRIES = ['Mexico', 'México', 'Guatemala', 'Colombia', 'United States'];

export const FIRST_NAMES = [
	'Ana',
	'Bruno',
	'Chloé',
	'Dmitri',
	'Elif',
	'Félix',
	'Greta',
	'Hugo',
	'Inés',
	'Jürgen',
	'Kofi',
	'Łucja',
	'María',
	'Noor',
	'Oluwaseun',
	'Priya',
	'Quentin',
	'Rosa',
];

export const LAST_NAMES = [
	'Álvarez',
	'Bianchi',
	'Cárdenas',
	'Duarte',
	'Eriksson',
	'Fernández',
	'García',
	'Haddad',
	'Ibarra',
	'Jansen',
	'Köhler',
	'López',
	'Muñoz',
	'Nowak',
	'Okafor',
	'Peña',
	'Quispe',
];

/** Letters and digits that are fit for an e-mail address, of any name. */
export function plain(text: string): string {
	return text
		.replaceAll('ł', 'l')
		.replaceAll('Ł', 'L')
		.normalize('NFD')
		.replace(/[^A-Za-z0-9]/g, '')
		.toLowerCase();
}

/** The word at an index, beginning anew after the last one. */
export function pick(words: readonly string[], index: number): string {
	return words[index % words.length] ?? '';
}
