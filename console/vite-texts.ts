/**
 * The texts of one language as modules, their ICU messages compiled, so that the browser loads no parser: `virtual:texts/en` is what signing in,
 * the frame, the reviewer's pages and the parts say, `virtual:texts/en-later` every other file of src/text/en/. A key that two files have ends
 * the build.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

const prefix = 'virtual:texts/';

/** What the first page says. */
const first = new Set(
  ['app', 'home', 'insight', 'lines', 'navigation', 'palette', 'parts', 'queue', 'sign-in', 'submit'].map((name) => `${name}.json`),
);

/** The messages by key, uncompiled, of a language (`en`), or of its files for later pages (`en-later`). */
function readTexts(name: string, whole: boolean): Record<string, string> {
  const language = name.replace(/-later$/, '');
  const folder = join(import.meta.dirname, 'src', 'text', language);
  const texts: Record<string, string> = {};
  const left = new Set<string>();
  for (const file of readdirSync(folder).sort()) {
    for (const [key, message] of Object.entries(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>)) {
      if (texts[key] !== undefined) {
        throw new Error(`${language}/${file}: the text ${key} is in another file, too`);
      }
      texts[key] = message;
      if (!whole && first.has(file) !== (name === language)) {
        left.add(key);
      }
    }
  }
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !left.has(key)));
}

/** The plug-in. With `whole`, as tests want it, the first module of a language has all of its texts. */
export function compileTexts(whole = false): Plugin {
  return {
    name: 'countersign-texts',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) {
        return undefined;
      }
      const texts = readTexts(id.slice(prefix.length + 1), whole);
      const compiled = Object.fromEntries(Object.entries(texts).map(([key, message]) => [key, compileMessage(message)]));
      return `export const texts = ${JSON.stringify(compiled)};`;
    },
  };
}
