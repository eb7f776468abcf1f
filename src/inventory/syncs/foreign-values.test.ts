/** Values of other systems: words, times, titles and totals. What is not known is never guessed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOf } from '../../../test/support/inventory.ts';
import { createFileValues } from './values/file-values.ts';
import { kindOfOther } from '../../lib/footer.ts';
import { grantRows } from './rows/grant-rows.ts';
import { readFile } from './rows/read-file.ts';
import { readOtherTime } from './values/times.ts';
import { wordMeaning, oppositeWord, senseOfName } from './values/value-words.ts';

const spelled = (text: string) =>
  fc
    .tuple(fc.constantFrom(text, text.toUpperCase(), text[0]?.toUpperCase() + text.slice(1)), fc.constantFrom('', ' ', '  '))
    .map(([one, space]) => `${space}${one}${space}`);

describe('words', () => {
  it.each([
    ['ENABLED', ['active', 'Enabled', '1', 'true', 'yes', 'aktiv', 'actif', 'activo', 'Sí', 'password_expired', 'Activé']],
    [
      'DISABLED',
      ['suspended', 'deprovisioned', 'staged', 'locked', 'locked_out', '0', 'false', 'gesperrt', 'Désactivé', 'not active', 'Inactive'],
    ],
    [undefined, ['', ' ', 'hibernating', 'n/a', '2', 'member', 'CA', 'activeish']],
  ])('mean %s: %s', (meaning, values) => {
    expect(values.map((value) => wordMeaning('status', value))).toEqual(values.map(() => meaning));
  });

  it('are turned around in a column that says the opposite', () => {
    expect(['TRUE', 'yes', '1', 'Locked', 'suspended'].map((value) => oppositeWord('status', value))).toEqual(Array(5).fill('DISABLED'));
    expect(['FALSE', 'no', '0', '', 'Not locked', 'Active'].map((value) => oppositeWord('status', value))).toEqual(
      Array(6).fill('ENABLED'),
    );
    expect(oppositeWord('status', 'perhaps')).toBeUndefined();
    expect(['suspended', 'userlockedout', 'accountlocked', 'gesperrt', 'isfrozen'].map((name) => senseOfName(name)?.sense)).toEqual(
      Array(5).fill('opposite'),
    );
    expect(['status', 'useractive', 'accountenabled', 'statut'].map((name) => senseOfName(name)?.sense)).toEqual(Array(4).fill('plain'));
    expect(['role', 'country', 'lastlogin', 'mfaactive'].map((name) => senseOfName(name))).toEqual(Array(4).fill(undefined));
  });

  it('are the same in any case and with spaces, counted, and errors where they are not known', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(spelled('active'), spelled('suspended'), spelled('odd'))), (values) => {
        const file = createFileValues(undefined, new Date());
        const make = file.makeCell({ column: 'account_status', places: { at: [0], how: 'joined' }, given: new Map(), kind: 'status' });
        let wrong = 0;
        const made = values.map((value, index) => make([value], index, () => wrong++));
        expect(made).toEqual(values.map((value) => (/active/i.test(value) ? 'ENABLED' : /susp/i.test(value) ? 'DISABLED' : '')));
        expect(wrong).toBe(values.filter((value) => /odd/i.test(value)).length);
        expect(file.facts().values.reduce((sum, { count }) => sum + count, 0)).toBe(values.length - wrong);
      }),
    );
  });
});

describe('times', () => {
  it.each([
    ['17.08.2026', '2026-08-17T00:00:00Z'],
    ['17.08.2026 08:15 Uhr', '2026-08-17T08:15:00Z'],
    ['2026-08-17', '2026-08-17T00:00:00Z'],
    ['2026-08-17 10:15:30.5 +0200', '2026-08-17T10:15:30.5+02:00'],
    ['2026/08/17 10:15:30', '2026-08-17T10:15:30Z'],
    ['8/17/2026, 5:05 PM', '2026-08-17T17:05:00Z'],
    ['8/17/26 12:05 am', '2026-08-17T00:05:00Z'],
    ['14 Dec 2025 15:31:57', '2025-12-14T15:31:57Z'],
    ['Mon, 17 Aug 2026 10:00:00 GMT', '2026-08-17T10:00:00Z'],
    ['August 17, 2026', '2026-08-17T00:00:00Z'],
    ['17 août 2026', '2026-08-17T00:00:00Z'],
    ['17. März 2026', '2026-03-17T00:00:00Z'],
    ['17 de agosto de 2026', '2026-08-17T00:00:00Z'],
    ['1787000000', '2026-08-17T20:53:20Z'],
    ['1787000000000', '2026-08-17T20:53:20Z'],
    ['20260817', '2026-08-17T00:00:00Z'],
    ['20260817101500.0Z', '2026-08-17T10:15:00Z'],
    ['134000000000000000', '2025-08-18T14:13:20Z'],
    ...['N/A', 'no_information', 'not_supported', 'Never logged in', '-', '0', '00.00.0000', '31.12.9999', '1/1/0001'].map((text) => [
      text,
      '',
    ]),
  ])('%s is %s', (text, expected) => {
    expect(readOtherTime(text, undefined)).toMatchObject({ as: 'time', text: expected });
  });

  it.each(['soon', '31.02.2026', '2026-13-01', '45000', '17.08.2026 25:00', '17 Foo 2026', '13/13/2026', '2026-08-17 10:15 XYZ'])(
    '%s is none',
    (text) => {
      expect(readOtherTime(text, undefined)).toBeUndefined();
    },
  );

  it('come back whatever form they are written in', () => {
    const pad = (number: number) => String(number).padStart(2, '0');
    const forms: readonly ((y: number, m: number, d: number) => string)[] = [
      (y, m, d) => `${pad(d)}.${pad(m)}.${y}`,
      (y, m, d) => `${y}/${m}/${d}`,
      (y, m, d) => `${d} ${['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][m - 1]} ${y}`,
      (y, m, d) => String(Date.UTC(y, m - 1, d) / 1000),
      (y, m, d) => `${y}${pad(m)}${pad(d)}`,
    ];
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1980-01-01'), max: new Date('2060-01-01'), noInvalidDate: true }),
        fc.constantFrom(...forms),
        (date, form) => {
          const [y, m, d] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
          expect(readOtherTime(form(y, m, d), undefined)).toMatchObject({ as: 'time', text: `${y}-${pad(m)}-${pad(d)}T00:00:00Z` });
          const either = readOtherTime(`${m}/${d}/${y}`, 'MDY');
          expect(either).toMatchObject({ text: `${y}-${pad(m)}-${pad(d)}T00:00:00Z` });
          expect(readOtherTime(`${m}/${d}/${y}`, undefined)?.as).toBe(d > 12 || d === m ? 'time' : 'either');
        },
      ),
    );
  });

  it('read any text or none of it, without an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d/.: -]{1,24}$/)), (text) => {
        const read = readOtherTime(text, undefined);
        expect(read === undefined || read.text === '' || read.as === 'either' || !Number.isNaN(Date.parse(read.text))).toBe(true);
      }),
    );
  });
});

describe('titles and totals', () => {
  it.each([
    ['Total: 57'],
    ['Summe', '3'],
    ['(57 rows)'],
    ['Report generated on 2026-08-17'],
    ['-----'],
    ['Total users', '57'],
    ['Seite 1 von 2'],
  ])('%s %s is a footer', (...row) => {
    expect(kindOfOther([...row, ''])).toMatch(/^(NOTE|PAGE|RULER)$/);
  });

  it.each([['jane@exam'], ['total', 'admin', 'x'], ['Totalenergies', 'reader'], ['reporter', 'x']])('%s %s is a row', (...row) => {
    expect(kindOfOther(row)).toBe(undefined);
  });

  it('are set aside before and after a table, and never a row of it', async () => {
    // One title with a separator: several that look alike are a table to whoever reads them, and the rows are few here.
    const title = fc
      .array(fc.constantFrom('Access report', 'Report of 17 August', 'Client;Sample', ''), { maxLength: 5 })
      .filter((lines) => lines.filter((line) => line.includes(';')).length <= 1);
    const footer = fc.array(fc.constantFrom('Total: 3', 'Summe;3', 'Report generated on 2026-08-17', 'Confidential'), { maxLength: 3 });
    const row = fc.tuple(fc.constantFrom('ada', 'total', 'bob'), fc.constantFrom('admin', 'Summe'), fc.constantFrom('active', 'locked'));
    await fc.assert(
      fc.asyncProperty(title, fc.array(row, { minLength: 2, maxLength: 6 }), footer, fc.boolean(), async (before, rows, after, isCut) => {
        const table = [['Login', 'Role', 'Status'], ...rows].map((cells) => cells.join(';'));
        const text = [...before, ...table, ...(isCut ? ['carl;adm'] : []), ...after].join('\n');
        const file = await readFile({ body: bodyOf(text), encoding: '' }, grantRows, { defaults: { resource: 'App' } });
        await file.spool.close();
        expect(file.rowCount).toBe(rows.length + (isCut ? 1 : 0));
        expect(file.errors.list().count).toBe(isCut ? 1 : 0);
        expect(file.howRead.skipped).toHaveLength(before.filter((line) => line !== '').length + after.length);
      }),
      { numRuns: 60 },
    );
  });
});
