import { waitLong } from './until';

// One test starts n8n up to three times, and waits for n8n's own look at its waits, once a minute.
jest.setTimeout(600_000);
waitLong();
