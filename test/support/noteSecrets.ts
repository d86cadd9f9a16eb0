import type * as webhookSecret from '../../nodes/SignVerify/registrations/webhookSecret';
import type * as accounts from '../../sandbox/service/account';
import type * as registrations from '../../sandbox/service/registrations';
import { noteSecret } from './secrets';

/** This file runs before each test file (jest.config.js) and notes every secret as it appears. */

jest.mock('../../sandbox/service/account', () => {
	const actual = jest.requireActual<typeof accounts>('../../sandbox/service/account');
	class Account extends actual.Account {
		constructor(...given: ConstructorParameters<typeof actual.Account>) {
			super(...given);
			noteSecret('an API key', this.apiKey);
		}

		override exchange(userId: string, apiKey: string): string | undefined {
			const token = super.exchange(userId, apiKey);
			if (token) noteSecret('an access token', token);
			return token;
		}
	}
	return { ...actual, Account };
});

jest.mock('../../sandbox/service/registrations', () => {
	const actual = jest.requireActual<typeof registrations>('../../sandbox/service/registrations');
	class Registrations extends actual.Registrations {
		override addForDocuments(type: string, url: string) {
			noteSecretOf(url);
			return super.addForDocuments(type, url);
		}

		override addForIdentity(type: string, url: string, name: string) {
			noteSecretOf(url);
			return super.addForIdentity(type, url, name);
		}
	}
	return { ...actual, Registrations };
});

jest.mock('../../nodes/SignVerify/registrations/webhookSecret', () => {
	const actual = jest.requireActual<typeof webhookSecret>(
		'../../nodes/SignVerify/registrations/webhookSecret',
	);
	const newSecret = () => {
		const secret = actual.newSecret();
		noteSecret('a webhook secret', secret);
		return secret;
	};
	return { ...actual, newSecret };
});

/** Notes the secret in a registered URL (registrations/webhookSecret.ts: `secretParameter`). */
function noteSecretOf(address: string): void {
	if (!URL.canParse(address)) return;
	const secret = new URL(address).searchParams.get('secret');
	if (secret) noteSecret('a webhook secret', secret);
}
