import realLists from '../unit/realLists.json';

interface CountryWithLists {
	names: string[];
	emails: string[];
	/** The columns of each list, with a cell for each person. */
	lists: Record<string, Record<string, string[]>>;
}

/** The lists of each country as offices keep them. They were collected after the checks were written. */
export const countriesWithLists: CountryWithLists[] = Object.values<CountryWithLists>(realLists);
