/** What is folded here is what search_fold folds, over every character and many names; and the words of a query find what they find there. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { foldForSearch, searchWords } from './search-fold.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

async function foldsOf(texts: readonly string[]): Promise<string[]> {
  const rows = await test.admin('SELECT search_fold(n) AS fold FROM unnest($1::text[]) WITH ORDINALITY AS x (n, place) ORDER BY place', [
    texts,
  ]);
  return rows.map(({ fold }) => String(fold));
}

it.each([
  ['Österle', 'osterle'],
  ['Zoe\u0308 Groß', 'zoe gross'],
  ['Işık İlkay', 'isik ilkay'],
  ['ŁUKASZ Ærø', 'lukasz aero'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
  ['ｊａｎｅ\u200b ﬁn', 'jane fin'],
])('%s is folded to %s', async (name, fold) => {
  expect([foldForSearch(name), ...(await foldsOf([name]))]).toEqual([fold, fold]);
});

it('every character is folded as search_fold folds it, before and behind a letter', async () => {
  const chars = Array.from({ length: 0x30000 }, (_, code) => code + 1)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((char) => !/\p{Unassigned}/u.test(char));
  // Of letters that one of both does not know yet, it knows no case.
  const rows = await test.admin('SELECT c AS char FROM unnest($1::text[]) AS x (c) WHERE unicode_assigned(c)', [chars]);
  const known = rows.map(({ char }) => String(char));
  expect(known.length).toBeGreaterThan(140_000);
  const texts = known.map((char) => `A${char}É`);
  const folds = await foldsOf(texts);
  expect(texts.filter((text, place) => foldForSearch(text) !== folds[place])).toEqual([]);
});

const name = fc
  .array(
    fc.oneof(
      fc.constantFrom('Österle', 'Zoe\u0308', 'Groß', 'Işık', 'ΣΊΣΥΦΟΣ', 'ЁЛКА', 'Łukasz', '東京', 'ﬁ', 'ANN', '100%', 'a_b', '\\'),
      fc.constantFrom(' ', '  ', '\t', '\u00a0', '\u2009', '\u3000', '\u200b', '\u0301', '\u0323\u0301', 'I', 'ı', 'İ', 'ẞ', '-', '.'),
      fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => text.replaceAll('\0', '')),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

it('names are folded as search_fold folds them, and a query finds the same', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ name, query: name }), { minLength: 50, maxLength: 100 }), async (made) => {
      const rows = await test.admin(
        `SELECT n AS name, q AS query, search_fold(n) AS fold, search_fold(n) LIKE ALL (search_patterns(q)) AS found
         FROM unnest($1::text[], $2::text[]) AS x (n, q) WHERE unicode_assigned(n) AND unicode_assigned(q)`,
        // Half of the queries are a part of the name in other letters.
        [made.map((one) => one.name), made.map((one, at) => (at % 2 === 0 ? one.query : one.name.toUpperCase().slice(at % 4)))],
      );
      for (const row of rows) {
        const fold = foldForSearch(String(row['name']));
        const isFound = searchWords(String(row['query'])).every((word) => fold.includes(word));
        found += isFound ? 1 : 0;
        expect({ ...row, fold, found: isFound }).toEqual(row);
      }
    }),
    { numRuns: 30 },
  );
  expect(found).toBeGreaterThan(0);
});
