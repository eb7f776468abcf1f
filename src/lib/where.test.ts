/** Filters as conditions: which of them are asked, with which values; texts taken literally by the real database; and what filters nothing. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { allSql, renderSql, sql } from './sql.ts';
import { type Conditions, listConditions, escapeLike, isOneOfRefs, some, wantedText } from './where.ts';

interface Filter {
  readonly id?: string | undefined;
  readonly both?: number | undefined;
  readonly isOpen?: boolean | undefined;
  readonly refs?: readonly string[] | undefined;
}

describe('listConditions', () => {
  const conditions: Conditions<Filter> = {
    id: (id) => sql`x.id = ${id}`,
    both: (number) => sql`(x.a = ${number} OR x.b = ${number})`,
    isOpen: (isOpen) => sql`x.open = ${isOpen}`,
    refs: isOneOfRefs('e'),
  };
  const render = (filter: Filter) => renderSql(allSql(listConditions(filter, conditions)));

  it('asks for each member that is set, in their own order', () => {
    expect(render({ both: 7, id: 'i' })).toEqual({ text: 'x.id = $1 AND (x.a = $2 OR x.b = $3)', values: ['i', 7, 7] });
  });

  it('leaves out what is not set, and keeps what is false or empty', () => {
    expect(render({ id: undefined, both: undefined })).toEqual({ text: 'TRUE', values: [] });
    expect(render({ id: '', isOpen: false })).toEqual({ text: 'x.id = $1 AND x.open = $2', values: ['', false] });
  });

  it('asks for references by the ids in them and by the whole of them', () => {
    const refs = ['app/one'];
    expect(render({ refs })).toEqual({
      text: "(e.id = ANY (ARRAY(SELECT split_part(unnest($1::text[]), '/', 2))) AND e.app_id || '/' || e.id = ANY ($1))",
      values: [refs],
    });
  });
});

describe('what filters nothing', () => {
  it('is an empty list, and a text of nothing but spaces', () => {
    expect([some([]), some([undefined]), some(['a'])]).toEqual([undefined, [undefined], ['a']]);
    expect([wantedText(''), wantedText(' \t\n'), wantedText(' a b ')]).toEqual([undefined, undefined, 'a b']);
  });
});

describe('escapeLike', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase({ empty: true });
  });
  afterAll(() => test.close());

  it('makes the database find the text itself, and nothing by its wildcards', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', '%', '_', '\\', 'b', "'", '\n', 'ä', '?', '$'), maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(text, text, text, async (needle, before, after) => {
        const texts = [`${before}${needle}${after}`, `${before}${after}`, after, needle];
        const found = await test.database.system().rows<{ found: boolean; foundInAnyCase: boolean }>(
          sql`SELECT t LIKE ${escapeLike(needle)} AS found, t ILIKE ${escapeLike(needle.toUpperCase())} AS "foundInAnyCase"
              FROM unnest(${texts}::text[]) WITH ORDINALITY AS x (t, n) ORDER BY n`,
        );
        expect(found.map((row) => row.found)).toEqual(texts.map((hay) => hay.includes(needle)));
        expect(found.map((row) => row.foundInAnyCase)).toEqual(texts.map((hay) => hay.includes(needle)));
      }),
      { numRuns: 300 },
    );
  });
});
