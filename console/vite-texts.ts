/**
 * The texts of one language as modules, their ICU messages compiled, so that the browser loads no parser: `virtual:texts/en` is what signing in,
 * the frame, the first page and the parts say, `virtual:texts/en-queue` what a reviewer's queue says beside, and `virtual:texts/en-later` every
 * other file of src/text/en/. What another language lacks is said in English. A key that two files have ends the build.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';
import { eventWords } from '../src/events/words.ts';

const prefix = 'virtual:texts/';

/** Files that come with the first page, and those with the queue. All others come later. */
const sets: Readonly<Record<string, readonly string[]>> = {
  first: ['app', 'home', 'navigation', 'parts', 'samples', 'sign-in'],
  queue: ['columns', 'insight', 'queue', 'submit'],
};

/** The set that a file of texts is in. */
const setOf = (file: string): string => Object.keys(sets).find((set) => sets[set]?.includes(basename(file, '.json'))) ?? 'later';

/** The words of the events by key, which come later. */
function readEventWords(language: string): Record<string, string> {
  const { sentences, objects } = Object.entries(eventWords).find(([one]) => one === language)?.[1] ?? eventWords.en;
  const under = (prefix: string, words: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(words).map(([key, message]) => [`${prefix}.${key}`, message]));
  return { ...under('said', sentences), ...under('object', objects) };
}

/** The files of a language. */
function listFiles(language: string): string[] {
  const folder = join(import.meta.dirname, 'src', 'text', language);
  return globSync('**/*.json', { cwd: folder })
    .sort()
    .map((file) => join(folder, file));
}

/** The messages of a language by key, uncompiled: those of one set, or of all. */
function readTexts(language: string, set: string | undefined): Record<string, string> {
  const texts: Record<string, string> = language === 'en' ? {} : readTexts('en', set);
  const seen = new Set<string>();
  for (const file of listFiles(language)) {
    for (const [key, message] of Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)) {
      if (seen.has(key)) {
        throw new Error(`${file}: the text ${key} is in another file, too`);
      }
      seen.add(key);
      if (set === undefined || setOf(file) === set) {
        texts[key] = message;
      }
    }
  }
  return set === undefined || set === 'later' ? { ...texts, ...readEventWords(language) } : texts;
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
      const [language = '', set = 'first'] = id.slice(prefix.length + 1).split('-');
      const texts = readTexts(language, whole ? undefined : set);
      for (const file of [...listFiles('en'), ...listFiles(language)]) {
        this.addWatchFile(file);
      }
      const compiled = Object.fromEntries(Object.entries(texts).map(([key, message]) => [key, compileMessage(message)]));
      return `export const texts = ${JSON.stringify(compiled)};`;
    },
  };
}
