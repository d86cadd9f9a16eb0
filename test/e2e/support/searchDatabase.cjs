// node searchDatabase.cjs database.sqlite < ["text", …]
//
// Prints where in n8n's database one of the texts stands: [["table.column", index of the text], …].
// Run by the Node that n8n runs under, which can read SQLite by itself.
const { readFileSync } = require('node:fs');
const { DatabaseSync } = require('node:sqlite');

const texts = JSON.parse(readFileSync(0, 'utf8'));
const database = new DatabaseSync(process.argv[2]);
const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
const found = new Map();
for (const { name } of tables) {
	for (const row of database.prepare(`SELECT * FROM "${name}"`).iterate()) {
		for (const [column, value] of Object.entries(row)) {
			const content = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
			if (typeof content !== 'string') continue;
			texts.forEach((text, index) => {
				const place = `${name}.${column}`;
				if (content.includes(text)) found.set(`${place} ${index}`, [place, index]);
			});
		}
	}
}
database.close();
process.stdout.write(JSON.stringify([...found.values()]));
