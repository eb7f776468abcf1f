/** Accounts that end: by a date of the file that is over they are disabled, and the summary says so. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/support/database.ts';
import { bodyOf, makeTenant, openFixture, refusalOf, type TestTenant } from '../../../../test/support/inventory.ts';
import { canBeEndName, isOver } from './end-dates.ts';
import { importGrants } from '../import-grants.ts';
import { senseOfName } from './value-words.ts';

const now = new Date('2026-06-15T12:00:00Z');

describe('isOver', () => {
  it.each([
    ['2026-06-14', true],
    ['14.06.2026', true],
    ['2026-06-15', false],
    ['15 Jun 2026', false],
    ['2026-06-15T11:59:59Z', true],
    ['2026-06-15T13:59:00+02:00', true],
    ['2026-06-15T14:01:00+02:00', false],
    ['31.12.9999', false],
    ['00.00.0000', false],
    ['never', false],
    ['', false],
    ['134257824000000000', true],
    ['03/04/2026', true],
    ['03/08/2026', undefined],
    ['soon', undefined],
  ])('%j: %j', (text, over) => {
    expect(isOver(text, undefined, now)).toBe(over);
  });
  it('knows day and month apart where their order is known', () => {
    expect([isOver('03/08/2026', 'DMY', now), isOver('03/08/2026', 'MDY', now)]).toEqual([false, true]);
  });
  it('has no name that already says who can sign in', () => {
    expect(['validto', 'gltgb', 'userenddate', 'expires', 'enddate'].map(canBeEndName)).not.toContain(false);
    expect(['validto', 'gltgb', 'userenddate', 'expires', 'enddate'].map(senseOfName)).toEqual(Array(5).fill(undefined));
  });
});

describe('a file with the end of accounts', () => {
  let test: TestDatabase;
  let tenant: TestTenant;
  beforeAll(async () => {
    test = await openFixture();
    tenant = makeTenant(test);
  });
  afterAll(() => test.close());

  const send = (app: string, text: string, at = now, map: readonly string[] = []) =>
    importGrants(tenant.context(at), { app, allowRemovals: false, map }, { body: bodyOf(text), encoding: '' });
  const statuses = async (appId: string): Promise<Record<string, string>> => {
    const found = await tenant
      .context()
      .db.rows<{ account: string; status: string }>('SELECT external_id AS account, status FROM accounts WHERE app_id = $1', [appId]);
    return Object.fromEntries(found.map(({ account, status }) => [account, status]));
  };

  const file = [
    'User,Role,Status,USER_END_DATE',
    'ann,Seller,Active,2026-06-14',
    'bob,Seller,Active,2026-06-20',
    'eve,Seller,Active,',
    'tom,Seller,Inactive,',
  ].join('\n');

  it('disables those that are over, whatever their status, and says so; the same file does it again when its day has come', async () => {
    const first = await send('CRM', file);
    expect(await statuses(first.appId)).toEqual({ ann: 'DISABLED', bob: 'ENABLED', eve: 'ENABLED', tom: 'DISABLED' });
    expect(first.howRead?.values).toContainEqual({
      column: 'account_status',
      value: 'USER_END_DATE in the past',
      meaning: 'DISABLED',
      count: 1,
    });
    expect(first.howRead?.mapping).toMatchObject({ account_status: 'Status+USER_END_DATE' });
    expect(await send('CRM', file, new Date('2026-06-16T00:00:00Z'))).toMatchObject({ changed: 0, unchanged: 4 });
    const later = await send('CRM', file, new Date('2026-06-22T00:00:00Z'));
    expect(later).toMatchObject({ changed: 1, unchanged: 3 });
    expect(await statuses(first.appId)).toMatchObject({ ann: 'DISABLED', bob: 'DISABLED', eve: 'ENABLED' });
  });

  it('needs no other column for it', async () => {
    const done = await send('ERP', 'User,Role,Account expires\nann,Seller,14.06.2026\nbob,Seller,never\n');
    expect(await statuses(done.appId)).toEqual({ ann: 'DISABLED', bob: 'ENABLED' });
  });

  it('takes a column that may be of grants only where it is mapped', async () => {
    const text = 'User,Role,Status,Gültig bis\nann,Seller,aktiv,14.06.2026\nbob,Seller,aktiv,\n';
    expect(await statuses((await send('One', text)).appId)).toEqual({ ann: 'ENABLED', bob: 'ENABLED' });
    const map = ['account=User', 'entitlement=Role', 'account_status=Status+Gültig bis'];
    expect(await statuses((await send('Two', text, now, map)).appId)).toEqual({ ann: 'DISABLED', bob: 'ENABLED' });
  });

  it('of SAP users: UFLAG and GLTGB', async () => {
    const text = 'BNAME;GLTGB;USTYP;CLASS;UFLAG\nann;14.06.2026;A;X;0\nbob;00.00.0000;A;X;0\neve;00.00.0000;A;X;64\n';
    expect(await statuses((await send('SAP', text)).appId)).toEqual({ ann: 'DISABLED', bob: 'ENABLED', eve: 'DISABLED' });
  });

  it('refuses an end that cannot be read', async () => {
    const refusal = await refusalOf(send('Odd', 'User,Role,Status,User end date\nann,Seller,Active,soon\n'));
    expect(refusal.message).toContain('"User end date" may say when an account ends, and "soon" in it is no time');
    const open = await refusalOf(send('Odd', 'User,Role,User end date\nann,Seller,03/08/2026\n'));
    expect(JSON.stringify(open)).toContain('dates=DMY');
    expect(await statuses((await send('Odd', 'User,Role,User end date\nann,Seller,03/08/2026\n', now, ['dates=MDY'])).appId)).toEqual({
      ann: 'DISABLED',
    });
  });
});
