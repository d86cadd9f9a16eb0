import { waitLong } from './until';

// One test starts n8n up to three times, and n8n checks its waits only once a minute.
jest.setTimeout(600_000);
waitLong();
