import { isWebAddress } from '../http/baseUrl';
import { InputError } from '../http/errors';
import { objectOf, textOf } from '../util/values';
const longestAddress = 2048;
const longestId = 200;
export function readId(value, field, source) {
    const id = textOf(value).trim();
    if (!id)
        throw new InputError(field, 'it is empty', source);
    if (id.length > longestId)
        throw new InputError(field, 'it is too long for an ID', source);
    if (!/[\s/\\?#]|^\.+$/.test(id))
        return id;
    throw new InputError(field, `"${id}" is not an ID`, `Enter the ID alone. ${source}`);
}
export function readText(value, field, remedy) {
    const text = textOf(value).trim();
    if (text)
        return text;
    throw new InputError(field, 'it is empty', remedy);
}
export function readEmail(value, field) {
    const email = typeof value === 'string' ? value.trim() : '';
    if (!email)
        throw new InputError(field, 'it is empty', 'Enter an e-mail address.');
    if (email.length <= 254 &&
        /^[^\s@<>(),;:"[\]]+@[^\s@<>(),;:"[\]]+\.[^\s@.<>(),;:"[\]]+$/.test(email))
        return email;
    const shown = email.length > 80 ? `${email.slice(0, 80)}…` : email;
    throw new InputError(field, `"${shown}" is not an e-mail address`, 'Enter one address, such as name@email.com.');
}
export function readWebAddress(value, field, remedy) {
    const address = readText(value, field, remedy);
    if (!isWebAddress(address)) {
        throw new InputError(field, 'it is not a URL', 'Enter a whole URL that begins with https://.');
    }
    if (address.length <= longestAddress)
        return address;
    throw new InputError(field, `it is longer than ${longestAddress} characters`, 'Enter a shorter URL.');
}
export function isInForm(item, name) {
    return textOf(item.saved(name)).trim() !== '';
}
export function readSwitch(item, name, field, byDefault = false) {
    const value = item.parameter(name);
    if (value === undefined && !isInForm(item, name))
        return byDefault;
    const text = textOf(value).trim().toLowerCase();
    if (text === 'true' || text === 'false')
        return text === 'true';
    throw new InputError(field, 'it is neither on nor off', 'Let the expression give true or false.');
}
export function readMapped(item, name) {
    const { value } = objectOf(item.parameter(name));
    return new Map(Object.entries(objectOf(value)));
}
