// Writes the keys of the console's texts, with the parameters that each of them takes, as types: console/src/text/keys.d.ts, which is not
// committed. A key that is not in the English texts, and a parameter that is missing, are errors of the type check.
// Plain JavaScript without dependencies: npm runs this on whatever Node the machine has.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './steps.js';

const folder = join(root, 'console', 'src', 'text');

/** The parameters of an ICU message: name and whether it counts. Names stand after a brace; those of a plural or select are followed by a comma. */
export function parametersOf(message) {
  const found = new Map();
  for (const [, name, kind] of message.matchAll(
    /\{\s*([a-zA-Z][a-zA-Z0-9]*)\s*(?:\}|,\s*(plural|selectordinal|select|number|date|time))/g,
  )) {
    const type =
      kind === 'plural' || kind === 'selectordinal' || kind === 'number' ? 'number' : kind === 'select' ? 'string' : 'string | number';
    if (!found.has(name) || type === 'number') {
      found.set(name, type);
    }
  }
  return found;
}

/** Writes the types. */
export function listTexts() {
  if (!existsSync(folder)) {
    return { ok: true, output: '' };
  }
  const lines = [];
  const files = readdirSync(join(folder, 'en'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'));
  for (const file of files.sort()) {
    for (const [key, message] of Object.entries(JSON.parse(readFileSync(join(folder, 'en', file), 'utf8')))) {
      const members = [...parametersOf(message)].map(([name, type]) => `${name}: ${type}`);
      lines.push(`  '${key}': ${members.length === 0 ? 'undefined' : `{ ${members.join('; ')} }`};`);
    }
  }
  writeFileSync(
    join(folder, 'keys.d.ts'),
    `/** Made by scripts/list-texts.js: every text with its parameters. */\nexport interface Texts {\n${lines.join('\n')}\n}\n`,
  );
  return { ok: true, output: '' };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  listTexts();
}
