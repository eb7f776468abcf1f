/**
 * Statements that the stores hand to the database, prepared against the schema that the migrations leave behind: a column or a table that is no more,
 * or has another type, is an error that names the file and the line. Nothing is run.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sortStatements, type Whole } from './house/prepare.ts';
import { isStore } from './house/sql.ts';
import { readStatements } from './house/statements.ts';
import { listSources } from './house/tree.ts';
import { openTestDatabase, type TestDatabase } from './support/database.ts';

const files = listSources('src');
const found = readStatements(files, files.map(({ path }) => path).filter(isStore), 'src/slots.ts');
const { whole, made, calls } = sortStatements(files, found);

/** The least share of the calls whose statement the code alone tells; it only rises. */
const floor = 0.96;

/** An error of a text that is none: the code alone did not tell all of it. No change of the schema makes one. */
const syntaxError = '42601';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
  for (const text of made) {
    await test.admin(text);
  }
});
afterAll(() => test.close());

/** Prepares statements; the calls of those that can be, and what is wrong with the others. */
async function prepareAll(statements: readonly Whole[]): Promise<{ prepared: Set<string>; wrong: string[] }> {
  const prepared = new Set<string>();
  const wrong = new Set<string>();
  const begin = 'PREPARE it AS ';
  for (const { call, text, placeAt } of statements) {
    try {
      await test.admin(begin + text);
      await test.admin('DEALLOCATE it');
      prepared.add(call);
    } catch (error) {
      const { code, message, position } = error as { code: string; message: string; position?: string };
      if (code !== syntaxError) {
        wrong.add(`${placeAt(Number(position) - begin.length)}: ${message} (handed over at ${call})`);
      }
    }
  }
  return { prepared, wrong: [...wrong] };
}

describe('statements of the stores', () => {
  it('are of the schema as it is', { timeout: 60_000 }, async () => {
    const { prepared, wrong } = await prepareAll(whole);
    expect(wrong).toEqual([]);
    expect(calls.length).toBeGreaterThan(1200);
    const left = calls.filter((call) => !prepared.has(call));
    expect(prepared.size / calls.length, `told by the code alone; the rest is\n${left.join('\n')}`).toBeGreaterThanOrEqual(floor);
  });
  it('name the file and the line of a column that was renamed', { timeout: 60_000 }, async () => {
    const path = 'src/inventory/classifications/store.ts';
    const own = whole.filter(({ call }) => call.startsWith('src/inventory/classifications/'));
    expect((await prepareAll(own)).wrong).toEqual([]);
    await test.define('ALTER TABLE classification_values RENAME COLUMN value TO words');
    try {
      const { wrong } = await prepareAll(own);
      expect(wrong.filter((one) => one.startsWith(`${path}:`)).join('\n')).toMatch(
        /^src\/inventory\/classifications\/store\.ts:\d+: column .*value.* does not exist/,
      );
    } finally {
      await test.define('ALTER TABLE classification_values RENAME COLUMN words TO value');
    }
  });
});
