/** The words of the console: every language has what English has, with the same parameters and tags, and all are words that we use. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '..', '..', 'console', 'src', 'text');

function listFiles(language: string): string[] {
  const paths = readdirSync(join(folder, language), { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith('.json')).sort();
}

const files = listFiles('en');

function readFile(language: string, file: string): Map<string, string> {
  return new Map(Object.entries(JSON.parse(readFileSync(join(folder, language, file), 'utf8')) as Record<string, string>));
}

/** All texts of a language by key. */
function readTexts(language: string): Map<string, string> {
  return new Map(files.flatMap((file) => [...readFile(language, file)]));
}

/** The parameters of a message and its tags, sorted. What follows a case of a plural is no parameter. */
function partsOf(message: string): string[] {
  const names =
    /\{\s*([a-zA-Z][a-zA-Z0-9]*)\s*(?:,\s*(?:plural|select|selectordinal|number|date|time)\b|(?<!(?:=\d+|zero|one|two|few|many|other) \{[^{}]*)\})/g;
  const parameters = [...message.matchAll(names)].map(([, name]) => name ?? '');
  const tags = [...message.matchAll(/<\/?[a-z]+>/g)].map(([tag]) => tag);
  return [...new Set([...parameters, ...tags])].sort();
}

describe('the texts', () => {
  const english = readTexts('en');

  it('begin with what they belong to, one place a file', () => {
    for (const file of files) {
      const areas = new Set([...readFile('en', file).keys()].map((key) => key.split('.')[0]));
      expect(areas.size, `${file}: ${[...areas].join(', ')}`).toBe(1);
    }
  });

  it('are in one file each', () => {
    const keys = files.flatMap((file) => [...readFile('en', file).keys()]);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('raise no voice, beg for nothing and end without a space', () => {
    const wrong = [...english].filter(([, message]) => /!|\bplease\b|\boops\b|\bsorry\b|^\s|\s$/i.test(message));
    expect(wrong).toEqual([]);
  });

  it('have braces that close', () => {
    for (const [key, message] of english) {
      let depth = 0;
      for (const sign of message) {
        depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
        expect(depth, key).toBeGreaterThanOrEqual(0);
      }
      expect(depth, key).toBe(0);
    }
  });

  it('have another case for every number', () => {
    const wrong = [...english].filter(
      ([, message]) => (message.match(/, (?:plural|select),/g) ?? []).length > (message.match(/\bother \{/g) ?? []).length,
    );
    expect(wrong).toEqual([]);
  });
});

describe('German', () => {
  const english = readTexts('en');
  const german = readTexts('de');

  it('has every file of English', () => {
    expect(listFiles('de')).toEqual(files);
  });

  it('has what English has, and nothing else', () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('takes the same parameters and marks the same parts', () => {
    for (const [key, message] of english) {
      expect(partsOf(german.get(key) ?? ''), key).toEqual(partsOf(message));
    }
  });

  it('says Sie, and raises no voice', () => {
    const wrong = [...german].filter(([, message]) => /!|\b(du|dein|deine|deinen|dir|dich)\b/i.test(message));
    expect(wrong).toEqual([]);
  });
});
