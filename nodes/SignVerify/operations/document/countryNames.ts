import type { INodeListSearchItems } from 'n8n-workflow';

import { searchName } from '../../util/values';

/**
 * The two-letter and three-letter codes of all countries and territories in ISO 3166-1, and of Kosovo (XK).
 */
const codePairs = `
AD-AND AE-ARE AF-AFG AG-ATG AI-AIA AL-ALB AM-ARM AO-AGO AQ-ATA AR-ARG AS-ASM AT-AUT AU-AUS AW-ABW AX-ALA
AZ-AZE BA-BIH BB-BRB BD-BGD BE-BEL BF-BFA BG-BGR BH-BHR BI-BDI BJ-BEN BL-BLM BM-BMU BN-BRN BO-BOL BQ-BES
BR-BRA BS-BHS BT-BTN BV-BVT BW-BWA BY-BLR BZ-BLZ CA-CAN CC-CCK CD-COD CF-CAF CG-COG CH-CHE CI-CIV CK-COK
CL-CHL CM-CMR CN-CHN CO-COL CR-CRI CU-CUB CV-CPV CW-CUW CX-CXR CY-CYP CZ-CZE DE-DEU DJ-DJI DK-DNK DM-DMA
DO-DOM DZ-DZA EC-ECU EE-EST EG-EGY EH-ESH ER-ERI ES-ESP ET-ETH FI-FIN FJ-FJI FK-FLK FM-FSM FO-FRO FR-FRA
GA-GAB GB-GBR GD-GRD GE-GEO GF-GUF GG-GGY GH-GHA GI-GIB GL-GRL GM-GMB GN-GIN GP-GLP GQ-GNQ GR-GRC GS-SGS
GT-GTM GU-GUM GW-GNB GY-GUY HK-HKG HM-HMD HN-HND HR-HRV HT-HTI HU-HUN ID-IDN IE-IRL IL-ISR IM-IMN IN-IND
IO-IOT IQ-IRQ IR-IRN IS-ISL IT-ITA JE-JEY JM-JAM JO-JOR JP-JPN KE-KEN KG-KGZ KH-KHM KI-KIR KM-COM KN-KNA
KP-PRK KR-KOR KW-KWT KY-CYM KZ-KAZ LA-LAO LB-LBN LC-LCA LI-LIE LK-LKA LR-LBR LS-LSO LT-LTU LU-LUX LV-LVA
LY-LBY MA-MAR MC-MCO MD-MDA ME-MNE MF-MAF MG-MDG MH-MHL MK-MKD ML-MLI MM-MMR MN-MNG MO-MAC MP-MNP MQ-MTQ
MR-MRT MS-MSR MT-MLT MU-MUS MV-MDV MW-MWI MX-MEX MY-MYS MZ-MOZ NA-NAM NC-NCL NE-NER NF-NFK NG-NGA NI-NIC
NL-NLD NO-NOR NP-NPL NR-NRU NU-NIU NZ-NZL OM-OMN PA-PAN PE-PER PF-PYF PG-PNG PH-PHL PK-PAK PL-POL PM-SPM
PN-PCN PR-PRI PS-PSE PT-PRT PW-PLW PY-PRY QA-QAT RE-REU RO-ROU RS-SRB RU-RUS RW-RWA SA-SAU SB-SLB SC-SYC
SD-SDN SE-SWE SG-SGP SH-SHN SI-SVN SJ-SJM SK-SVK SL-SLE SM-SMR SN-SEN SO-SOM SR-SUR SS-SSD ST-STP SV-SLV
SX-SXM SY-SYR SZ-SWZ TC-TCA TD-TCD TF-ATF TG-TGO TH-THA TJ-TJK TK-TKL TL-TLS TM-TKM TN-TUN TO-TON TR-TUR
TT-TTO TV-TUV TW-TWN TZ-TZA UA-UKR UG-UGA UM-UMI US-USA UY-URY UZ-UZB VA-VAT VC-VCT VE-VEN VG-VGB VI-VIR
VN-VNM VU-VUT WF-WLF WS-WSM XK-XKX YE-YEM YT-MYT ZA-ZAF ZM-ZMB ZW-ZWE`
	.trim()
	.split(/\s+/);
const codes = codePairs.map((pair) => pair.slice(0, 2));
const longCodes = codePairs.map((pair) => pair.slice(3));

/** Node's country names in one language, in the order of `codes`. */
function namesIn(language: string): string[] {
	const names = new Intl.DisplayNames(language, { type: 'region' });
	return codes.map((code) => names.of(code) ?? code);
}

/** Common names that are missing from Node's lists, by country code. */
const commonNames = new Map(
	Object.entries({
		AE: ['UAE', 'VAE', 'Emirates'],
		AX: ['Åland'],
		BA: ['Bosnia', 'Bosnia Herzegovina'],
		BN: ['Brunei Darussalam'],
		CD: ['DR Congo', 'DRC'],
		CG: ['Congo'],
		CI: ['Ivory Coast', 'Costa de Marfil', "Costa d'Avorio", 'Elfenbeinküste'],
		CN: ['PRC'],
		CV: ['Cabo Verde'],
		CZ: ['Czech Republic', 'República Checa'],
		DO: ['Rep. Dominicana'],
		FM: ['Federated States of Micronesia'],
		GB: [
			...['UK', 'Great Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland'],
			...['Großbritannien', 'Gran Bretaña', 'Gran Bretagna', 'Grande-Bretagne'],
		],
		HK: ['Hong Kong', 'Hong Kong SAR'],
		IN: ['Bharat'],
		KR: ['Korea', '한국'],
		LA: ['Lao', 'Lao PDR'],
		MK: ['Macedonia'],
		MM: ['Burma', 'Myanmar'],
		MO: ['Macau', 'Macao'],
		MX: ['Estados Unidos Mexicanos', 'Mejico'],
		NL: ['Holland', 'Holanda', 'Hollande', 'Olanda'],
		NZ: ['Aotearoa'],
		PS: ['Palestine'],
		RU: ['Russian Federation'],
		SA: ['KSA', 'السعودية'],
		SK: ['Slovak Republic'],
		ST: ['São Tomé'],
		SY: ['Syrian Arab Republic'],
		SZ: ['Swaziland'],
		TH: ['ประเทศไทย'],
		TL: ['East Timor'],
		TR: ['Turkey', 'Turkiye'],
		TT: ['Trinidad'],
		TW: ['Republic of China'],
		US: [
			'USA',
			'United States of America',
			'EE. UU.',
			'EEUU',
			'EUA',
			'Estados Unidos de América',
			'Estados Unidos da América',
			"États-Unis d'Amérique",
			"Stati Uniti d'America",
			'Vereinigte Staaten von Amerika',
			'ABD',
			'США',
			'アメリカ',
			'America',
		],
		VA: ['Vatican', 'Holy See'],
		ZA: ['RSA'],
	}).flatMap(([code, names]) => names.map((name) => [plainName(name), code] as const)),
);

/** Country codes by name, in the languages that contracts are most often written in. Built on first use. */
let commonCodesByName: Map<string, string> | undefined;

function codesByName(): Map<string, string> {
	commonCodesByName ??= new Map([
		...['it', 'de', 'fr', 'pt', 'es', 'en'].flatMap(namesWithCodes),
		...commonNames,
	]);
	return commonCodesByName;
}

/**
 * Less common languages. Their country names are loaded only if a name isn't found in any of the more common
 * languages.
 */
const otherLanguages =
	'nl pl sv da nb fi cs sk sl hr sr hu ro bg uk ru el tr ca eu gl is lt lv et sq mk ga ka hy az kk uz ar he fa ur hi bn ta te mr ne th lo km my id ms fil vi zh zh-Hant ja ko sw am af'.split(
		' ',
	);
let otherNames: Map<string, OtherName> | undefined;

interface OtherName {
	code: string;
	/** Whether the name is in the country's own language. */
	isOwn: boolean;
}

/**
 * Finds a country's code by any of its names. A name that is found only in a less common language may be a
 * typo: "Columbia" is one letter away from the English "Colombia". So it is accepted only if it differs from
 * the English name by more than one letter, or if it is in the country's own language ("Latvija").
 * @returns undefined if the name isn't found, or if it may be a typo.
 */
function codeOf(name: string): string | undefined {
	const code = codesByName().get(name);
	if (code !== undefined) return code;
	otherNames ??= namesOfOtherLanguages();
	const other = otherNames.get(name);
	if (!other) return undefined;
	const english = plainName(namesIn('en')[codes.indexOf(other.code)] ?? '');
	return other.isOwn || changesBetween(name, english) > 1 ? other.code : undefined;
}

function namesOfOtherLanguages(): Map<string, OtherName> {
	const names = new Map<string, OtherName>();
	for (const language of otherLanguages) {
		const { region } = new Intl.Locale(language).maximize();
		for (const [name, code] of namesWithCodes(language)) {
			const isOwn = code === region || names.get(name)?.isOwn === true;
			names.set(name, { code, isOwn });
		}
	}
	return names;
}

function namesWithCodes(language: string): (readonly [string, string])[] {
	return namesIn(language).map((name, index) => [plainName(name), codes[index] ?? ''] as const);
}

/**
 * Words that a country's official name adds to its short name, such as "Republic of", in the form that
 * {@link plainName} returns. "State" is left out, because many states, such as the State of Mexico, are not
 * countries.
 */
const wordsOfState = new Set(
	[
		'the republic kingdom federal federation of democratic peoples islamic socialist principality commonwealth',
		'grand duchy sultanate bolivarian cooperative arab dem rep',
		'republica reino federal federativa bolivariana oriental principado de del do da la',
		'bundesrepublik republik konigreich furstentum grossherzogtum',
		'republique royaume federale principaute du des le',
		'repubblica regno federale di',
	]
		.join(' ')
		.split(' '),
);

/** Whether a string is a country's name: its short name in any supported language, or its official name. */
export function isCountryName(text: string): boolean {
	const name = plainName(text);
	const spellings = [
		name,
		name.replace(/^(?:the|la|los|les) /, ''),
		name.replace(/^saint /, 'st '),
	];
	if (spellings.some((spelling) => codeOf(spelling) !== undefined)) return true;
	// "Korea, Republic of", "Bolivia (Plurinational State of)", "Republic of Colombia".
	const words = name
		.replace(/\bplurinational state\b|\bestado plurinacional\b|\bunited republic\b/, 'republic')
		.split(/[\s,()]+/)
		.filter(Boolean);
	const nameWords = words.filter((word) => !wordsOfState.has(word));
	return nameWords.length < words.length && codesByName().has(nameWords.join(' '));
}

/** Suggests the English name of the country that a code or a misspelled name most likely refers to. */
export function suggestedCountry(text: string): string | undefined {
	const wanted = plainName(text.slice(0, 80));
	const code = twoLetterCodeOf(wanted) ?? codeOfNearest(wanted);
	return code && namesIn('en')[codes.indexOf(code)];
}

/** Finds the two-letter code for a two-letter or three-letter code, in uppercase or lowercase. */
function twoLetterCodeOf(text: string): string | undefined {
	const code = text.toUpperCase();
	return codes.includes(code) ? code : codes[longCodes.indexOf(code)];
}

/**
 * Finds the code of the country whose name is closest to the given one, allowing one change for every four
 * letters.
 */
function codeOfNearest(wanted: string): string | undefined {
	let fewest = Math.floor(wanted.length / 4) + 1;
	let nearest: string | undefined;
	for (const [name, code] of codesByName()) {
		if (Math.abs(name.length - wanted.length) >= fewest) continue;
		const changes = changesBetween(name, wanted);
		if (changes < fewest) [fewest, nearest] = [changes, code];
	}
	return nearest;
}

/**
 * Returns how many letters must be inserted, removed, replaced or swapped to turn one string into the other.
 */
function changesBetween(one: string, other: string): number {
	let above: number[] = [];
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (let line = 0; line < one.length; line++) {
		const twoAbove = above;
		above = row;
		row = [line + 1];
		for (let at = 0; at < other.length; at++) {
			const replaced = (above[at] ?? 0) + Number(one[line] !== other[at]);
			const isSwapped = one[line] === other[at - 1] && one[line - 1] === other[at];
			const swapped = isSwapped ? (twoAbove[at - 1] ?? 0) + 1 : Infinity;
			row.push(Math.min(replaced, swapped, (above[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1));
		}
	}
	return row.at(-1) ?? 0;
}

/**
 * Searches the countries in the list, which shows Node's English names.
 * @param filter Part of the English name, with or without accents; the beginning of a name in a common
 * language; a full name in any other language; or a code. A country whose name or code matches the filter
 * exactly is listed first.
 */
export function searchCountryNames(filter = ''): INodeListSearchItems[] {
	const wanted = plainName(filter).replace(/^saint (?=\S)/, 'st ');
	const exactCode = twoLetterCodeOf(wanted) ?? codeOf(wanted);
	const codesByBeginning = new Set(
		[...codesByName()].filter(([name]) => name.startsWith(wanted)).map(([, code]) => code),
	);
	const exactName = exactCode === undefined ? undefined : namesIn('en')[codes.indexOf(exactCode)];
	const isExact = (name: string) => name === exactName;
	return namesIn('en')
		.filter((name, index) => {
			const code = codes[index] ?? '';
			return code === exactCode || codesByBeginning.has(code) || plainName(name).includes(wanted);
		})
		.sort(
			(left, right) => Number(isExact(right)) - Number(isExact(left)) || left.localeCompare(right),
		)
		.map((name) => ({ name, value: name }));
}

function plainName(text: string): string {
	return searchName(text.replaceAll('&', ' and '))
		.replaceAll('.', '')
		.replace(/[\s-]+/g, ' ')
		.trim();
}
