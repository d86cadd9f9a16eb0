import { InputError } from '../../http/errors';
import { firstForm, todaysForm } from '../form';
const description = 'The country whose law the document is signed under, written out';
export const countryFields = [
    ...todaysForm([
        {
            displayName: 'Country',
            name: 'country',
            type: 'resourceLocator',
            default: { mode: 'list', value: '' },
            required: true,
            description,
            builderHint: {
                propertyHint: 'Mode name, value in English and written out: "United States", not "US".',
            },
            modes: [
                {
                    displayName: 'From List',
                    name: 'list',
                    type: 'list',
                    placeholder: 'Choose a country…',
                    typeOptions: { searchListMethod: 'searchCountries', searchable: true },
                },
                {
                    displayName: 'By Name',
                    name: 'name',
                    type: 'string',
                    placeholder: 'e.g. Mexico',
                    hint: 'Written as your service expects it',
                },
            ],
        },
    ]),
    ...firstForm([
        {
            displayName: 'Country',
            name: 'country',
            type: 'string',
            default: 'United States',
            required: true,
            placeholder: 'e.g. Mexico',
            description,
        },
    ]),
];
export function readCountry(item) {
    const country = item.locator('country');
    if (/\p{L}/u.test(country))
        return country;
    throw new InputError('Country', 'none is chosen', 'Choose one from the list, or enter its name, such as Mexico.');
}
export function searchCountryNames(filter = '') {
    const wanted = plain(filter);
    return countries()
        .filter(({ code, name }) => plain(name).includes(wanted) || code === filter.trim().toUpperCase())
        .map(({ name }) => ({ name, value: name }));
}
let known;
function countries() {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    known ??= letters
        .flatMap((first) => letters.map((second) => first + second))
        .filter(isInUse)
        .map((code) => ({ code, name: names.of(code) ?? code }))
        .filter(({ code, name }) => name !== code)
        .sort((left, right) => left.name.localeCompare(right.name));
    return known;
}
const names = new Intl.DisplayNames('en', { type: 'region' });
function isInUse(code) {
    const tag = `und-${code}`;
    const locale = new Intl.Locale(tag);
    const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
    return locale.toString() === tag && zones.length > 0;
}
function plain(text) {
    return text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
}
