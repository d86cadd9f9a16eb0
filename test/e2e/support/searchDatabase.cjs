// node searchDatabase.cjs <n8n's entry file> database.sqlite < ["text", …]
//
// Prints where in n8n's database one of the texts stands: [["table.column", index of the text], …].
// Run by the Node that n8n runs under, with n8n's own database driver.
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { promisify } = require('node:util');

const [n8n, file] = process.argv.slice(2);
const sqlite3 = createRequire(n8n)('sqlite3');
const texts = JSON.parse(readFileSync(0, 'utf8'));

async function search() {
	const database = new sqlite3.Database(file, sqlite3.OPEN_READONLY);
	const all = promisify(database.all.bind(database));
	const found = new Map();
	for (const { name } of await all("SELECT name FROM sqlite_master WHERE type = 'table'")) {
		for (const row of await all(`SELECT * FROM "${name}"`)) {
			for (const [column, value] of Object.entries(row)) {
				const content = Buffer.isBuffer(value) ? value.toString('latin1') : value;
				if (typeof content !== 'string') continue;
				texts.forEach((text, index) => {
					const place = `${name}.${column}`;
					if (content.includes(text)) found.set(`${place} ${index}`, [place, index]);
				});
			}
		}
	}
	await promisify(database.close.bind(database))();
	process.stdout.write(JSON.stringify([...found.values()]));
}

search().catch((error) => {
	console.error(error);
	process.exitCode = 1;
});
