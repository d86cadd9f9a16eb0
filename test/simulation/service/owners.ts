/** Who has an account. */
export interface Owner {
	userId: string;
	apiKey: string;
}

export const owners: readonly [Owner, Owner] = [
	{ userId: 'simulated-user', apiKey: 'SIMULATED-API-KEY-0123456789abcdef' },
	{ userId: 'another-user', apiKey: 'ANOTHER-API-KEY-fedcba9876543210' },
];
