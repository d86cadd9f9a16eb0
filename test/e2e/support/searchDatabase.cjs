// node searchDatabase.cjs database.sqlite < ["string", …]
//
// Prints where n8n's database contains one of the strings: [["table.column", index of the string], …]. This
// script must run under n8n's version of Node, which includes node:sqlite.
const { readFileSync } = require('node:fs');
const { DatabaseSync } = require('node:sqlite');

const database = new DatabaseSync(process.argv[2], { readOnly: true });
const texts = JSON.parse(readFileSync(0, 'utf8'));
const found = new Map();

function rowsOf(statement) {
	const prepared = database.prepare(statement);
	prepared.setReadBigInts(true);
	return prepared.all();
}

for (const { name } of rowsOf("SELECT name FROM sqlite_master WHERE type = 'table'")) {
	for (const row of rowsOf(`SELECT * FROM "${name}"`)) {
		for (const [column, value] of Object.entries(row)) {
			const isBytes = value instanceof Uint8Array;
			const content = isBytes ? Buffer.from(value).toString('latin1') : String(value);
			texts.forEach((text, index) => {
				const place = `${name}.${column}`;
				if (content.includes(text)) found.set(`${place} ${index}`, [place, index]);
			});
		}
	}
}
process.stdout.write(JSON.stringify([...found.values()]));
