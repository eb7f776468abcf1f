/** Ids in documents that go on as others, by the function of the database and by a model of it. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

const ids = new Map([
  ['young', 'old'],
  ['other', 'first'],
]);

/** Makes the same of a document as the function says it does. */
function rename(value: Json): Json {
  if (typeof value === 'string') {
    return (
      ids.get(value) ??
      [...ids].reduce((text, [from, into]) => text.replaceAll(`"${from}"`, `"${into}"`).replaceAll(`'${from}'`, `'${into}'`), value)
    );
  }
  if (Array.isArray(value)) {
    const renamed = value.map(rename);
    const texts = renamed.map(canonical);
    return texts.join() === value.map(canonical).join() ? value : renamed.filter((_, at) => texts.indexOf(texts[at] ?? '') === at);
  }
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).map(([name, one]) => [ids.get(name) ?? name, rename(one), name] as const);
    // A member that had the name already comes last, and stays.
    entries.sort(([one, , was], [other, , wasOther]) => Number(one === was) - Number(other === wasOther));
    return Object.fromEntries(entries.map(([name, one]) => [name, one]));
  }
  return value;
}

function canonical(value: Json): string {
  return JSON.stringify(value, (_, one: Json) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

const name = fc.constantFrom('young', 'old', 'other', 'youngest', 'entitlementId');
const text = fc.constantFrom('young', 'old', 'other', 'first', 'youngest', 'id == "young"', "id in ['other', 'old']", 'a young one', '');
const { document } = fc.letrec<{ document: Json }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom<Json>(0, 1, true, null),
    fc.array(tie('document'), { maxLength: 4 }),
    fc.dictionary(name, tie('document'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

it('are renamed as values, as names of members and inside quotes, and nothing else changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 20 }), async (documents) => {
      const rows = await test.admin(
        `SELECT rename_ids(d.value, $2, $3) AS value FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS d (value, place) ORDER BY d.place`,
        [JSON.stringify(documents), [...ids.keys()], [...ids.values()]],
      );
      expect(rows.map(({ value }) => canonical(value as Json))).toEqual(documents.map((one) => canonical(rename(one))));
    }),
    { numRuns: 60 },
  );
});
