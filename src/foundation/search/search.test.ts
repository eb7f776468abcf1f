/** Text search over random names and queries, beside a plain filter; that tenants are apart; and that the index follows every change. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { allSql, type Sql, sql } from '../../lib/sql.ts';
import { listConditions } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import { containsText } from './conditions.ts';
import { hasText, listByText, type TextRange, textRange } from './index.ts';
import { findTextBound, findTextCandidates } from './store.ts';

let two: TwoTenants;
beforeAll(async () => {
  two = await useTwoTenants();
});
afterAll(() => two.close());

const idOf = (number: number): string => `x${String(number).padStart(6, '0')}`;

/** Puts in people with these names, and takes out those of the test before. */
async function fill(context: Context, names: readonly string[]): Promise<void> {
  await context.db.run(`DELETE FROM users WHERE tenant_id = $1 AND id LIKE 'x%'`, [context.tenantId]);
  await context.db.run(
    `INSERT INTO users (tenant_id, id, email, email_key, display_name, department, created_at, updated_at)
     SELECT $1, v.id, '', '', v.name, CASE WHEN v.number % 2 = 0 THEN 'Even' ELSE 'Odd' END, $2, $2
     FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS v(id, name, number)`,
    [context.tenantId, context.now, names.map((_, number) => idOf(number)), names],
  );
}

interface Filter {
  readonly query?: string;
  readonly department?: string;
}

/** A store as modules write them: people by id, with a text and another filter. */
function search(context: Context, filter: Filter, after: string, limit: number): Promise<{ id: string }[]> {
  return listByText(context, { kind: 'USER', query: filter.query, after, limit }, (range) => {
    const where = [
      sql`u.tenant_id = ${context.tenantId} AND u.id > ${after} AND u.id LIKE 'x%'`,
      ...listConditions<Filter & TextRange>(
        { ...filter, ...range },
        { query: hasText('u'), department: (wanted): Sql => sql`u.department = ${wanted}`, ...textRange('u') },
      ),
    ];
    return context.db.rows<{ id: string }>(sql`SELECT u.id FROM users u WHERE ${allSql(where)} ORDER BY u.id LIMIT ${limit}`);
  });
}

/** All pages of a search, joined. */
async function searchAll(context: Context, filter: Filter, size: number): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ; ) {
    const page = await search(context, filter, after, size);
    ids.push(...page.map((row) => row.id));
    after = page.at(-1)?.id ?? '';
    if (page.length < size) {
      return ids;
    }
  }
}

/** Folds as the schema's search_fold does, said once more for the letters of these tests. */
function fold(text: string): string {
  const letters: Record<string, string> = { ß: 'ss', æ: 'ae', ø: 'o', ł: 'l', ı: 'i', ς: 'σ' };
  return [
    ...text
      .normalize('NFKD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase(),
  ]
    .map((letter) => letters[letter] ?? letter)
    .join('');
}

function plainFilter(names: readonly string[], query: string): string[] {
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  return names.flatMap((name, number) => (words.every((word) => fold(name).includes(word)) ? [idOf(number)] : []));
}

describe('what is found', () => {
  const names = [
    'José Núñez',
    'JOSE\u0301 NUN\u0303EZ',
    'Søren Straße',
    'Łukasz ÆON',
    'İlkay Işık',
    'ΟΔΥΣΣΕΥΣ',
    'ЁЛКА',
    '東京 太郎',
    '100%_a\\b',
    `O'Neil "Q"`,
    'ﬁne ＡＢＣ',
  ];
  beforeEach(() => fill(two.ours.system, names));

  it.each([
    ['jose', [0, 1]],
    ['NÚÑ', [0, 1]],
    ['nunez josé', [0, 1]],
    ['nunez soren', []],
    ['strasse', [2]],
    ['øren', [2]],
    ['aeon luk', [3]],
    ['ilkay isik', [4]],
    ['οδυσσευς', [5]],
    ['елка', [6]],
    ['京', [7]],
    ['太郎', [7]],
    ['%', [8]],
    ['_a', [8]],
    ['\\b', [8]],
    ['100__a', []],
    ["o'n", [9]],
    ['"q"', [9]],
    ['fine abc', [10]],
    ['nobody', []],
    [idOf(3), [3]],
    [' \t ', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ] as [string, number[]][])('%s', async (query, expected) => {
    expect(await searchAll(two.ours.system, { query }, 3)).toEqual(expected.map(idOf));
  });

  it.each([
    ['Sample, Anna', [1, 2]],
    ['"Sample, Anna" <anna.sample@corp.test>;', [1]],
    ['Anna Sample <anna.sample@corp.test>', [1]],
    ['Sample, Anna (Finance)', [2]],
    [',', [2]],
  ] as [string, number[]][])('%s, as mail programs write it', async (query, expected) => {
    await fill(two.ours.system, ['Sample Tom', 'Anna Sample anna.sample@corp.test', 'Sample, Anna Finance']);
    expect(await searchAll(two.ours.system, { query }, 3)).toEqual(expected.map(idOf));
  });

  it('in one expression, where there is no column of texts', async () => {
    const find = (text: string) => two.ours.system.db.one<{ found: boolean }>(sql`SELECT ${containsText(`'Élan vital'`)(text)} AS found`);
    expect(await find('VITAL elan')).toEqual({ found: true });
    expect(await find('vital death')).toEqual({ found: false });
  });
});

describe('a search', () => {
  it('equals a plain filter, whatever stands in names and queries', async () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      'A',
      'é',
      'e\u0301',
      'ß',
      'SS',
      'İ',
      'ı',
      'i',
      '東',
      '京',
      '%',
      '_',
      '\\',
      "'",
      '"',
      ' ',
      'ø',
      'ab',
      'z',
      '9',
      'q',
    );
    const text = (most: number) => fc.array(piece, { maxLength: most }).map((pieces) => pieces.join(''));
    const rows = fc.array(text(12), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.array(text(5), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 7 }),
        async (all, queries, size) => {
          await fill(two.ours.system, all);
          for (const query of queries) {
            expect(await searchAll(two.ours.system, { query }, size)).toEqual(plainFilter(all, query));
          }
        },
      ),
      { numRuns: runs(10, 40) },
    );
  });

  it('finds the rare and the frequent, with a filter beside it, in every page', async () => {
    // More than are looked at before the index, and more of the frequent ones than the index hands out.
    const all = Array.from(
      { length: 3000 },
      (_, n) => `${n % 1000 === 999 ? 'Rare 京都市' : 'Frequent'} ${n >= 2900 ? 'Late' : 'Early'} Zoé${n}`,
    );
    await fill(two.ours.system, all);
    for (const query of ['rare', 'frequent', 'late', 'zoe2999', '京都', 'early frequent', 'ra', 'qq', 'zo', 'é2', 'none of it']) {
      for (const department of [undefined, 'Even', 'None']) {
        const expected = plainFilter(all, query).filter((id) =>
          department === undefined ? true : department === 'Even' && Number(id.slice(1)) % 2 === 1,
        );
        const filter = department === undefined ? { query } : { query, department };
        expect(await searchAll(two.ours.system, filter, 101), `${query}, ${department}`).toEqual(expected);
      }
    }
  });

  it('asks once where the filters leave few rows', async () => {
    await fill(two.ours.system, ['one', 'two', 'two more']);
    const asked: unknown[] = [];
    await listByText(two.ours.system, { kind: 'USER', query: 'two', after: '', limit: 5, isNarrow: true }, async (range) => {
      asked.push(range);
      return [];
    });
    expect(asked).toEqual([{}]);
  });

  it('asks the index for what few have, and reads on for what many have', async () => {
    const { system } = two.ours;
    await fill(
      system,
      Array.from({ length: 300 }, (_, n) => `Person ${n} ${n % 100 === 99 ? 'rare' : ''}`),
    );
    const askedFor = async (query: string) => {
      const asked: unknown[] = [];
      await listByText(system, { kind: 'USER', query, after: 'x', limit: 10 }, async (range) => {
        asked.push(range);
        return [];
      });
      return asked;
    };
    const looked = { textUntil: idOf(199) };
    expect(await askedFor('person')).toEqual([looked, {}]);
    expect(await askedFor('rare')).toEqual([looked, { textIds: [idOf(99), idOf(199), idOf(299), 'rare'] }]);
    expect(await findTextBound(system, 'USER', 'rare', 'x', 200)).toEqual({ until: idOf(199), found: 2 });
    expect(await findTextBound(system, 'USER', 'rare', 'x', 301)).toEqual({ until: undefined, found: 3 });
  });

  it('asks once where there is no query', async () => {
    const asked: unknown[] = [];
    for (const query of [undefined, '', '  ']) {
      await listByText(two.ours.system, { kind: 'USER', query, after: '', limit: 5 }, async (range) => {
        asked.push(range);
        return [];
      });
    }
    expect(asked).toEqual([{}, {}, {}]);
  });

  it('does without the order of ids', async () => {
    await fill(two.ours.system, ['one', 'two', 'two more']);
    const asked: unknown[] = [];
    await listByText(two.ours.system, { kind: 'USER', query: 'two', after: undefined, limit: 5 }, async (range) => {
      asked.push(range);
      return [];
    });
    expect(asked).toEqual([{ textIds: [idOf(1), idOf(2), 'two'] }]);
  });
});

describe('the index of texts', () => {
  it('is read for the tenant of the connection alone', async () => {
    const { ours, theirs } = two;
    await fill(theirs.system, ['Secret Person']);
    await fill(ours.system, ['Public Person']);
    const foreign = { ...ours.system, tenantId: theirs.tenant.id };
    const refused = { code: 'INTERNAL', detail: expect.stringContaining('tenant of the connection') };
    await expect(findTextCandidates(foreign, 'USER', 'secret', '', 10)).rejects.toMatchObject(refused);
    await expect(findTextBound(foreign, 'USER', 'secret', '', 1)).rejects.toMatchObject(refused);
    expect(await findTextCandidates(ours.system, 'USER', 'secret', '', 10)).toEqual(['secret']);
    expect(await findTextCandidates(ours.system, 'USER', 'person', '', 10)).toEqual([idOf(0), 'person']);
    expect(await findTextCandidates(ours.system, 'ACCOUNT', 'person', '', 10)).toEqual(['person']);
    expect(await findTextCandidates(ours.system, 'USER', 'pe', '', 0)).toBeUndefined();
  });

  it('knows two characters that few texts have in one place, and reads no text for them', async () => {
    const { system } = two.ours;
    const names = ['Wayne 9q', 'Q9 Łukasz', 'xylo_z', 'plain', 'za7'];
    await fill(system, names);
    for (const pair of ['9q', 'q9', '_z', 'xy', 'wa', 'a7', '9z']) {
      const found = await findTextCandidates(system, 'USER', pair, 'x', 10);
      expect(found?.filter((id) => id.startsWith('x0')).sort(), pair).toEqual(plainFilter(names, pair));
      const grams = await system.db.one<{ count: number }>(`SELECT cardinality(search_grams('t', 'USER', $1)) AS count`, [pair]);
      expect(grams.count, pair).toBe(1);
    }
    const holds = await system.db.one(
      `SELECT g.grams @> search_grams('t', 'USER', '9q') AS has, g.grams @> search_grams('t', 'USER', 'q9') AS lacks,
         g.grams @> search_grams('t', 'USER', 'zx') AND g.grams @> search_grams('t', 'USER', 'xz') AS overlaps
       FROM (SELECT search_grams('t', 'USER', 'wayne 9q zxz') AS grams) AS g`,
      [],
    );
    expect(holds).toEqual({ has: true, lacks: false, overlaps: true });
    for (const pair of ['pl', '12', '@.']) {
      expect(await system.db.one(`SELECT cardinality(search_grams('t', 'USER', $1)) AS count`, [pair]), pair).toEqual({ count: 0 });
      const found = await findTextCandidates(system, 'USER', pair, 'x', 10);
      expect(
        found?.filter((id) => id.startsWith('x0')),
        pair,
      ).toEqual(plainFilter(names, pair));
    }
  });

  it('follows rows as they come, change and go', async () => {
    const { system } = two.ours;
    const indexed = async () =>
      (
        await two.admin(
          `SELECT t.text = u.search_text AS same, u.id IS NULL AS lost, t.id IS NULL AS missing FROM users u
           FULL JOIN (SELECT * FROM search_texts WHERE kind = 'USER') t ON t.tenant_id = u.tenant_id AND t.id = u.id`,
        )
      ).every((row) => row.same === true && row.lost === false && row.missing === false);
    await fill(system, ['one', 'two', 'three']);
    expect(await indexed()).toBe(true);
    await system.db.run(`UPDATE users SET display_name = 'Zwölf' WHERE tenant_id = $1 AND id = $2`, [system.tenantId, idOf(1)]);
    expect(await indexed()).toBe(true);
    expect(await searchAll(system, { query: 'zwolf' }, 2)).toEqual([idOf(1)]);
    expect(await searchAll(system, { query: 'two' }, 2)).toEqual([]);
    const before = await two.admin(`SELECT xmin::text FROM search_texts ORDER BY id`);
    await system.db.run(`UPDATE users SET department = 'Elsewhere' WHERE tenant_id = $1`, [system.tenantId]);
    expect(await two.admin(`SELECT xmin::text FROM search_texts ORDER BY id`)).toEqual(before);
    await system.db.run(`DELETE FROM users WHERE tenant_id = $1 AND id = $2`, [system.tenantId, idOf(2)]);
    expect(await indexed()).toBe(true);
  });

  it('answers an index of grams by itself, not by reading every text', async () => {
    const { system } = two.ours;
    await fill(
      system,
      Array.from({ length: 500 }, (_, n) => `Person ${n}`),
    );
    // As search_candidates sets it for itself.
    await two.admin('SET enable_seqscan = off');
    const plan = await two.admin(
      `EXPLAIN SELECT * FROM (SELECT * FROM search_texts s WHERE search_grams(s.tenant_id, s.kind, s.text) @> search_grams('t', 'USER', 'person 499') OFFSET 0) t`,
    );
    await two.admin('RESET enable_seqscan');
    expect(JSON.stringify(plan)).toContain('search_texts_by_gram');
  });
});
