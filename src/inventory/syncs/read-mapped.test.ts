/**
 * The same rows under other headers, in another order of columns, with other separators, as Excel: with the mapping that says so, they are read
 * as the file with our own header is.
 */
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOf } from '../../../test/support/inventory.ts';
import { sheetOf } from '../../../test/support/xlsx.ts';
import type { Mapping } from './values/mapping.ts';
import { grantRows } from './rows/grant-rows.ts';
import { peopleRows } from './rows/people-rows.ts';
import { type ReadFile, type ReadOptions, readFile } from './rows/read-file.ts';

type Table = readonly (readonly string[])[];
/** Way a table is written: as which columns, under which names, with what between them. */
interface Form {
  readonly order: readonly number[];
  readonly names: readonly string[];
  readonly separator: ',' | ';' | '\t' | 'xlsx';
  readonly isQuoted: boolean;
  readonly lineEnd: '\n' | '\r\n';
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', ';', '\t', '"', '\\', 'é', '😀', '=', '/'), maxLength: 8 });
const key = text.map((one) => `x${one}`);
const time = fc.constantFrom('', '2024-01-01T00:00:00Z', '2024-02-29T12:00:00.5+02:00');
const address = fc.constantFrom('', 'ann@x.example', 'Bob@X.example');
const columns: Readonly<Record<string, fc.Arbitrary<string>>> = {
  account: key,
  email: address,
  account_type: fc.constantFrom('USER', 'service_account', ''),
  account_status: fc.constantFrom('ENABLED', 'disabled', 'Suspended', 'aktiv', '1'),
  resource_type: key,
  resource: key,
  entitlement: key,
  granted_at: time,
  last_used_at: time,
  username: text,
  expires_at: time,
  granted_via: fc.constantFrom('', 'a/b/c', 'a/b/c > d/e/f'),
  Team: text,
};
const known = Object.keys(columns);
const rows = fc.array(fc.tuple(...known.map((name) => columns[name] as fc.Arbitrary<string>)), { minLength: 1, maxLength: 6 });
const form: fc.Arbitrary<Form> = fc.record({
  order: fc.shuffledSubarray([...known.keys()], { minLength: known.length, maxLength: known.length }),
  names: fc.uniqueArray(fc.string({ unit: fc.constantFrom('N', 'o', 'ü', ' ', '-', ';', ',', '"'), minLength: 1, maxLength: 8 }), {
    minLength: known.length,
    maxLength: known.length,
    selector: (name) => name.trim().toLowerCase(),
  }),
  separator: fc.constantFrom(',', ';', '\t', 'xlsx'),
  isQuoted: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n'),
});

function write(table: Table, { separator, isQuoted, lineEnd }: Form): Buffer {
  return separator === 'xlsx'
    ? sheetOf(table.map((row, y) => row.map((cell, x) => ((x + y) % 2 === 0 ? { shared: cell } : cell))))
    : // Quoted wherever another separator stands, so that the header shows which one is meant.
      Buffer.from(
        stringify(table as string[][], { delimiter: separator, quoted: isQuoted, quoted_match: /[,;\t\r\n]/, record_delimiter: lineEnd }),
      );
}

async function read(bytes: Buffer, options: ReadOptions = {}): Promise<{ rows: string; file: ReadFile }> {
  const file = await readFile({ body: bodyOf(bytes), encoding: '' }, grantRows, options);
  const pieces: Buffer[] = [];
  for await (const piece of file.spool.read()) {
    pieces.push(piece);
  }
  await file.spool.close();
  return { rows: Buffer.concat(pieces).toString(), file };
}

const plain: Form = { order: [], names: [], separator: ',', isQuoted: true, lineEnd: '\n' };

describe('a file of grants with another header', () => {
  it('reads as the one with ours, whatever it looks like', async () => {
    await fc.assert(
      fc.asyncProperty(rows, form, fc.boolean(), async (table, other, isSaved) => {
        const ours = await read(write([known, ...table], plain));
        const team = known.indexOf('Team');
        const names = known.map((name, at) => (at === team ? name : `${other.names[at]?.trim()}_${at}`));
        const shuffled = [names, ...table].map((row) => other.order.map((at) => row[at] ?? ''));
        const mapping: Mapping = Object.fromEntries(
          known.flatMap((name, at) => (at === team ? [] : [[name, names[at]?.toUpperCase() ?? '']])),
        );
        const theirs = await read(write(shuffled, other), isSaved ? { saved: mapping } : { asked: mapping });
        expect(theirs.rows).toBe(ours.rows);
        expect(theirs.file.errors.list()).toEqual({ count: 0, first: [] });
        expect([...theirs.file.columns].sort()).toEqual([...ours.file.columns].sort());
        expect(theirs.file).toMatchObject({
          rowCount: table.length,
          hasProfiles: true,
          format: other.separator === 'xlsx' ? 'XLSX' : 'CSV',
        });
      }),
      { numRuns: 150 },
    );
  });

  it('may leave out what is the same in all rows, where the mapping says it', async () => {
    const fixed = fc.subarray(['account_type', 'account_status', 'resource_type', 'resource', 'last_used_at', 'expires_at'], {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(rows, fixed, form, async (table, left, other) => {
        const same = table.map((row) => row.map((cell, at) => (left.includes(known[at] ?? '') ? (table[0]?.[at] ?? '') : cell)));
        const kept = [...known.keys()].filter((at) => !left.includes(known[at] ?? ''));
        const mapping = Object.fromEntries(left.map((name) => [name, `=${table[0]?.[known.indexOf(name)]}`]));
        const ours = await read(write([known, ...same], plain));
        const theirs = await read(
          write(
            [known, ...same].map((row) => kept.map((at) => row[at] ?? '')),
            other,
          ),
          { asked: mapping },
        );
        expect(theirs.rows).toBe(ours.rows);
      }),
      { numRuns: 80 },
    );
  });
});

describe('a file of people', () => {
  it('is read row by row, wrong ones told and the others kept', async () => {
    const person = fc.record({
      email: fc.constantFrom('a@x.example', 'none', '', ' B@x.example '),
      status: fc.constantFrom('', 'active', 'GONE'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(person, { minLength: 1, maxLength: 8 }),
        fc.constantFrom<Form['separator']>(',', ';', 'xlsx'),
        async (people, separator) => {
          const header = [...peopleRows.wanted];
          const table = people.map(({ email, status }) => [email, 'Name', '', '', '', status]);
          const file = await readFile({ body: bodyOf(write([header, ...table], { ...plain, separator })), encoding: '' }, peopleRows);
          const wrong = people.flatMap(({ email, status }, at) => [
            ...(email === 'none' || email === '' ? [`${at + 2} email`] : []),
            ...(status === 'GONE' ? [`${at + 2} employment_status`] : []),
          ]);
          expect(file.errors.list().first.map(({ line, column }) => `${line} ${column}`)).toEqual(wrong);
          const pieces: Buffer[] = [];
          for await (const piece of file.spool.read()) {
            pieces.push(piece);
          }
          await file.spool.close();
          const lines = Buffer.concat(pieces)
            .toString()
            .split('\n')
            .slice(0, -1)
            .map((row) => Number(row.split('\t')[0]));
          expect(lines).toEqual(people.flatMap((_, at) => (wrong.some((one) => one.startsWith(`${at + 2} `)) ? [] : [at + 2])));
        },
      ),
      { numRuns: 80 },
    );
  });
});
