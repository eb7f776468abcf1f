/** The files that the console saves are known to imports by their headings, in each language. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findOwnExport } from '../../src/inventory/syncs/columns/own-exports.ts';

const root = join(import.meta.dirname, '..', '..', 'console', 'src');

const listFiles = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .map((path) => join(folder, path));

const textsOf = (language: string): ReadonlyMap<string, string> =>
  new Map(
    listFiles(join(root, 'text', language), /\.json$/).flatMap((path) =>
      Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>),
    ),
  );

/** The headings of what a file of code saves, as the keys of texts or in quotes. */
const exporting = listFiles(root, /\.tsx$/)
  .map((path) => ({ path: path.slice(root.length), text: readFileSync(path, 'utf8') }))
  .filter(({ text }) => text.includes('exportCsv('))
  .map(({ path, text }) => ({ path, heads: [...text.matchAll(/head: (?:text\('([^']+)'\)|'([^']+)')/g)] }));

describe.each(['en', 'de'])('files of the console in %s', (language) => {
  const texts = textsOf(language);
  it.each(exporting.filter(({ path }) => !path.endsWith('/coverage/page.tsx')))('are known to imports: $path', ({ heads }) => {
    const names = heads.map(([, key = '', name]) => name ?? texts.get(key) ?? '');
    expect(names.length).toBeGreaterThan(3);
    expect(names).not.toContain('');
    expect(findOwnExport(names)).toMatch(/^(a|days) /);
  });
});
