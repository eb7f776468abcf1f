/** Accounts with several names in one file: imported, and said with both lines. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { bodyOf, makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';
import { importGrants } from './import-grants.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openFixture();
  tenant = makeTenant(test);
});
afterAll(() => test.close());

const send = (app: string, text: string) =>
  importGrants(tenant.context(), { app, allowRemovals: false }, { body: bodyOf(text), encoding: '' });

it('are warnings, one an account, of names that differ by more than case', async () => {
  const { warnings, warningCount } = await send(
    'Till',
    [
      'account,display_name,entitlement',
      'a1,,Pay',
      'a1,Tom Teller,Read',
      'a1,Mia Manager,Post',
      'a1,Mia Manager,Audit',
      'a2,Abe Auditor,Pay',
      'a2,ABE AUDITOR,Read',
      'a3,Bea Boss,Pay',
      'a3,Tom Teller,Read',
    ].join('\n'),
  );
  const named = (warnings ?? []).filter(({ column }) => column === 'display_name');
  expect(named.map(({ line, reason }) => [line, reason])).toEqual([
    [
      4,
      'account "a1" is "Mia Manager" here and "Tom Teller" on line 3: check that it is one account, and that no other program shortened its id',
    ],
    [
      9,
      'account "a3" is "Tom Teller" here and "Bea Boss" on line 8: check that it is one account, and that no other program shortened its id',
    ],
  ]);
  expect(warningCount).toBe(2);
});

it('are none where each has one', async () => {
  const { warningCount } = await send('Safe', 'account,display_name,entitlement\na1,Tom Teller,Pay\na1,Tom Teller,Read\na2,,Pay\n');
  expect(warningCount).toBe(0);
});

it('of a file that was encoded twice are read as they are, with a warning', async () => {
  const { warnings, howRead } = await send(
    'Mail',
    'account,display_name,entitlement\na1,Ann,Pay\na2,M\u00c3\u00bcller,Pay\na3,Gr\u00c3\u00b6\u00c3\u0178e,Pay\n',
  );
  expect(howRead?.encoding).toBe('UTF-8');
  expect(warnings).toEqual([
    {
      line: 3,
      column: '',
      reason:
        '"M\u00c3\u00bcller" looks as if UTF-8 had been read as Windows-1252 where the file was made: check the names, and export it again as UTF-8',
    },
  ]);
});
