/** Statements under names: what they answer is what pg answers, and their columns are asked for once. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { runNamed } from './named-query.ts';
import { valueParsers } from './parse-values.ts';

let test: TestDatabase;
const clients: pg.Client[] = [];
beforeAll(async () => {
  test = await openTestDatabase({ empty: true });
});
beforeEach(async () => {
  for (const client of [0, 1].map(() => new pg.Client({ connectionString: test.url, types: valueParsers }))) {
    await client.connect();
    clients.push(client);
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(clients.splice(0).map((client) => client.end()));
});
afterAll(() => test.close());

function client(at = 0): pg.Client {
  const found = clients[at];
  if (found === undefined) {
    throw new Error('no such client');
  }
  return found;
}

/** How often this connection was asked what columns there are. */
function countQuestions(one: pg.Client): { count(): number } {
  const asked = vi.spyOn((one as unknown as { connection: { describe(): void } }).connection, 'describe');
  return { count: () => asked.mock.calls.length };
}

const text = `SELECT n.n::bigint AS "count", CASE WHEN n.n > 1 THEN 'x' || n.n END AS "text", timestamptz '2026-01-02 03:04:05Z' AS at,
  ARRAY[n.n, 7]::bigint[] AS list, '{"a": [1]}'::jsonb AS data FROM generate_series(1, $1::integer) AS n (n)`;
const other = 'SELECT $1::text AS "count", 1 AS one';
const run = (one: pg.Client, values: unknown[], name = 'rows', sql = text) => runNamed(one, { name, text: sql, values });

it('columns are asked for once on each connection, and rows are those of pg', async () => {
  const [first, second] = [countQuestions(client(0)), countQuestions(client(1))];
  for (const rows of [3, 0, 1, 2]) {
    for (const one of [client(0), client(1)]) {
      const { command, rowCount, rows: found } = await run(one, [rows]);
      const plain = await one.query(text, [rows]);
      expect({ command, rowCount, found }).toEqual({ command: 'SELECT', rowCount: rows, found: plain.rows });
      expect(found.map((row) => Object.entries(row))).toEqual(plain.rows.map((row) => Object.entries(row)));
    }
  }
  // One each, beside the four of the statements without a name.
  expect([first.count(), second.count()]).toEqual([5, 5]);
});

it('rows of one execution are none of another, and statements do not share columns', async () => {
  const { rows: before } = await run(client(), [1]);
  expect((await run(client(), ['a'], 'other', other)).rows).toEqual([{ count: 'a', one: 1 }]);
  const { rows } = await run(client(), [1]);
  expect((await run(client(), ['b'], 'other', other)).rows).toEqual([{ count: 'b', one: 1 }]);
  Object.assign(before[0], { count: 'changed' });
  expect([rows[0].count, (await run(client(), [1])).rows[0].count]).toEqual([1, 1]);
});

it('a statement that failed is executed again', async () => {
  const divide = (by: number) => run(client(), [by], 'divide', 'SELECT 12 / $1::integer AS result');
  await expect(divide(0)).rejects.toThrow('division by zero');
  expect((await divide(3)).rows).toEqual([{ result: 4 }]);
  await expect(divide(0)).rejects.toThrow('division by zero');
  expect((await divide(4)).rows).toEqual([{ result: 3 }]);
  await expect(run(client(), [1], 'wrong', 'SELECT nothing')).rejects.toThrow('nothing');
});

it('what returns nothing says how many rows it changed', async () => {
  await client().query('CREATE TEMPORARY TABLE things (id integer)');
  const insert = () => run(client(), [2], 'insert', 'INSERT INTO things SELECT generate_series(1, $1::integer)');
  for (const { command, rowCount, rows } of [await insert(), await insert()]) {
    expect({ command, rowCount, rows }).toEqual({ command: 'INSERT', rowCount: 2, rows: [] });
  }
});

it('columns that become others are an error, and those of the same name are asked for anew on another connection', async () => {
  await client().query('CREATE TABLE moved (id integer); INSERT INTO moved VALUES (1)');
  const select = (one: pg.Client) => run(one, [1], 'moved', 'SELECT m.* FROM moved m WHERE $1::integer = 1');
  expect([(await select(client(0))).rows, (await select(client(0))).rows]).toEqual([[{ id: 1 }], [{ id: 1 }]]);
  await client().query("ALTER TABLE moved ALTER id TYPE text, ADD more text DEFAULT 'x'");
  await expect(select(client(0))).rejects.toThrow('cached plan must not change result type');
  expect([(await select(client(1))).rows, (await select(client(1))).rows]).toEqual([[{ id: '1', more: 'x' }], [{ id: '1', more: 'x' }]]);
});

it('columns that pg keeps in another way are asked for each time', async () => {
  type Kept = { _result: { _prebuiltEmptyResultObject: unknown }; handleRowDescription(what: unknown): void };
  const prototype = pg.Query.prototype as unknown as Kept;
  const { handleRowDescription } = prototype;
  vi.spyOn(prototype, 'handleRowDescription').mockImplementation(function (this: Kept, what) {
    handleRowDescription.call(this, what);
    this._result._prebuiltEmptyResultObject = undefined;
  });
  const asked = countQuestions(client());
  for (const rows of [2, 1, 2]) {
    expect((await run(client(), [rows])).rows).toHaveLength(rows);
  }
  expect(asked.count()).toBe(3);
});
