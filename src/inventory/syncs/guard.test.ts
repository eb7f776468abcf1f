/** The guard against removals: how much a file may take from its source, for any share, and what it says where that is too much. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { bodyOf, grantsHeader, makeTenant, openFixture, refusalOf, type TestTenant } from '../../../test/support/inventory.ts';
import { importGrants } from './import-grants.ts';
import { findOver, guardRemovals } from './record/guard.ts';

const unread = { format: 'CSV', sha256: '', rowCount: 0, readAs: '' } as const;

/** True if a file is refused that takes so many of so many. */
function isRefused(removed: number, total: number, share: number, isAllowed = false): boolean {
  try {
    guardRemovals(findOver({ check: 'SHARE', verb: 'end', removed, total, noun: 'grants', share }), { isAllowed }, unread);
    return false;
  } catch {
    return true;
  }
}

describe('the guard', () => {
  it.each<[removed: number, total: number, share: number, isRefused: boolean]>([
    [0, 0, 0, false],
    [0, 10, 0, false],
    [1, 10, 0, true],
    [1, 1_000_000, 0, true],
    [1, 100, 1, false],
    [2, 100, 1, true],
    [1, 99, 1, true],
    [2, 10, 20, false],
    [3, 10, 20, true],
    [1, 4, 20, true],
    [1, 5, 20, false],
    [99, 100, 99, false],
    [100, 100, 99, true],
    [100, 100, 100, false],
    [1, 1, 100, false],
  ])('of a file that takes %i of %i, where %i %% may go: refused %s', (removed, total, share, expected) => {
    expect(isRefused(removed, total, share)).toBe(expected);
    expect(isRefused(removed, total, share, true)).toBe(false);
  });

  it('refuses exactly what is more than the share, in whole numbers', () => {
    const counts = fc
      .tuple(fc.nat(1_000_000_000), fc.nat(1_000_000_000))
      .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
    fc.assert(
      fc.property(counts, fc.integer({ min: 0, max: 100 }), ([removed, total], share) => {
        expect(isRefused(removed, total, share)).toBe(BigInt(removed) * 100n > BigInt(total) * BigInt(share));
      }),
    );
  });
});

describe('the guard of a source', () => {
  let test: TestDatabase;
  let tenant: TestTenant;
  beforeAll(async () => {
    test = await openFixture();
  });
  afterAll(() => test.close());
  beforeEach(() => {
    tenant = makeTenant(test);
  });

  const rows = (count: number, account = 'a') =>
    Array.from({ length: count }, (_, at) => `${account}${at % 3},,USER,ENABLED,role,wiki,${account}${at},,`);
  const people = (count: number, status = 'ACTIVE') => Array.from({ length: count }, (_, at) => `p${at}@x.example,P,,,,${status}`);
  const setShare = (share: number) => test.admin('UPDATE sources SET removal_share = $2 WHERE tenant_id = $1', [tenant.tenantId, share]);
  const from = (source: string, lines: readonly string[], allowRemovals = false) =>
    importGrants(
      tenant.context(),
      { app: 'Wiki', source, allowRemovals },
      { body: bodyOf(`${[grantsHeader, ...lines].join('\n')}\n`), encoding: '' },
    );

  it('counts grants, not accounts: an account with its only grant is one of them', async () => {
    await tenant.grants([...rows(8), ...rows(2, 'b')]);
    // Two of five accounts go, with two of ten grants.
    expect(await tenant.grants(rows(8))).toMatchObject({ removed: 2, counts: { accounts: { removed: 2 } } });
    const told = await refusalOf(tenant.grants(rows(6)));
    expect(told).toMatchObject({ code: 'FAILED_PRECONDITION', violations: ['allowRemovals: would end 2 of 8'] });
    expect(told.message).toBe(
      'Nothing was imported: the file would end 2 of the 8 grants of the app "Wiki" (25 %), which is more than 20 %. If that is right, send it again with allow_removals=true.',
    );
  });

  it('does not count what is added instead, what was removed before, or what was given twice', async () => {
    await tenant.grants(rows(10));
    expect((await refusalOf(tenant.grants([...rows(7), ...rows(50, 'new')]))).message).toContain('end 3 of the 10 grants');
    await tenant.grants(rows(8));
    expect((await refusalOf(tenant.grants(rows(6)))).message).toContain('end 2 of the 8 grants');
    expect(await tenant.grants([...rows(7), ...rows(7)])).toMatchObject({ removed: 1, rows: 14 });
  });

  it('with the share 0 lets nothing go, with 100 everything but an empty file', async () => {
    await tenant.grants(rows(10));
    await setShare(0);
    expect((await refusalOf(tenant.grants(rows(9)))).message).toContain(
      '1 of the 10 grants of the app "Wiki" (10 %), which is more than 0 %',
    );
    expect(await tenant.grants([...rows(10), ...rows(1, 'b')])).toMatchObject({ added: 1 });
    await setShare(100);
    expect(await tenant.grants(rows(1, 'other'))).toMatchObject({ removed: 11, added: 1 });
    expect((await refusalOf(tenant.grants([]))).message).toContain('a header and no rows');
  });

  it('takes any first file, and any first file of another source', async () => {
    await setShare(0);
    expect(await from('one', rows(3))).toMatchObject({ added: 3, removed: 0 });
    expect(await from('two', rows(1, 'b'))).toMatchObject({ added: 1, removed: 0 });
    // What the other source gives is no loss here, and not counted.
    const told = await refusalOf(from('one', rows(2)));
    expect(told.message).toContain('end 1 of the 3 grants of the app "Wiki" that come from the source "one" (33.3 %)');
    expect(await from('one', rows(2), true)).toMatchObject({ removed: 1 });
    // It was allowed for that file alone.
    expect((await refusalOf(from('one', rows(1)))).code).toBe('FAILED_PRECONDITION');
  });

  it('of people counts those of the source who are enabled or named, and who would not be enabled any more', async () => {
    await tenant.people(people(10));
    expect((await refusalOf(tenant.people(people(7)))).message).toContain('would disable 3 of the 10 people of the source "people" (30 %)');
    expect((await refusalOf(tenant.people([...people(7), ...people(10, 'TERMINATED').slice(7)]))).message).toContain('disable 3 of the 10');
    expect(await tenant.people([...people(8), 'p8@x.example,P,,,,TERMINATED'])).toMatchObject({ removed: 1, changed: 1 });
    // Of eight who are left, and one who is named, though she went before.
    expect((await refusalOf(tenant.people([...people(6), 'p8@x.example,P,,,,TERMINATED']))).message).toContain('disable 2 of the 9');
    await setShare(0);
    expect((await refusalOf(tenant.people(people(7)))).violations).toEqual(['allowRemovals: would disable 1 of 8']);
    expect(await tenant.people(people(7), { allowRemovals: true })).toMatchObject({ removed: 1 });
    expect(await tenant.people(['new@x.example,N,,,,ACTIVE'], { source: 'other' })).toMatchObject({ added: 1, removed: 0 });
  });

  it('leaves the refused sync on record with its counts in words', async () => {
    await tenant.grants(rows(10));
    const told = await refusalOf(tenant.grants(rows(1)));
    expect(
      await test.admin(`SELECT error, rejected::int, rows::int, removed::int FROM syncs WHERE tenant_id = $1 AND state = 'FAILED'`, [
        tenant.tenantId,
      ]),
    ).toEqual([{ error: told.message, rejected: 0, rows: 1, removed: 0 }]);
  });

  const held = (account: string, type: string, entitlement: string, status = 'ENABLED') =>
    `${account},,USER,${status},${type},wiki,${entitlement},,`;
  const many = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at));
  const messageOf = async (lines: readonly string[]) => (await refusalOf(tenant.grants(lines))).message;

  it('stops 79 of 100 grants and lets 80 pass, once more once that was allowed', async () => {
    const hundred = many(100, (at) => held(`a${at % 5}`, 'role', `e${at}`));
    await tenant.grants(hundred);
    expect(await messageOf(hundred.slice(0, 79))).toContain(
      'would end 21 of the 100 grants of the app "Wiki" (21 %), which is more than 20 %',
    );
    expect(await tenant.grants(hundred.slice(0, 80))).toMatchObject({ removed: 20 });
  });

  it('stops an entitlement that is still listed and loses its 12 holders, not one of 9', async () => {
    const others = many(100, (at) => held(`a${at % 20}`, 'role', `e${at}`));
    const holders = (count: number, name: string) => many(count, (at) => held(`a${at}`, 'role', name));
    const listed = (name: string) => `,,,,role,wiki,${name},,`;
    await tenant.grants([...others, ...holders(12, 'big'), ...holders(9, 'small'), listed('big'), listed('small')]);
    expect(await messageOf([...others, ...holders(9, 'small'), listed('big'), listed('small')])).toContain(
      'would leave the entitlement "wiki big" without any of its 12 holders',
    );
    expect(await tenant.grants([...others, ...holders(12, 'big'), listed('small'), listed('big')])).toMatchObject({ removed: 9 });
    // One that is no longer listed is gone, with its holders.
    expect(await tenant.grants([...others, listed('small')])).toMatchObject({ removed: 12 });
  });

  it('stops ten accounts or more that end or are disabled, and a resource type that loses much', async () => {
    const grants = many(60, (at) => held(`a${at % 30}`, 'role', `e${at}`));
    await tenant.grants([...grants, ...many(12, (at) => held(`a${at % 30}`, 'group', `g${at}`))]);
    const groups = many(12, (at) => held(`a${at % 30}`, 'group', `g${at}`));
    const disabled = [...grants, ...groups].map((line) => line.replace(/^(a\d),,USER,ENABLED/, '$1,,USER,DISABLED'));
    expect(await messageOf(disabled)).toContain('would end or disable 10 of the 30 accounts of the app "Wiki" (33.3 %)');
    expect(await messageOf(grants)).toContain('would end 12 of the 12 grants of the resource type "group" of the app "Wiki" (100 %)');
    expect(await tenant.grants(grants, { allowRemovals: true })).toMatchObject({ removed: 12 });
  });

  it('says that the key of accounts changed, and stops what brings no account', async () => {
    await tenant.grants(many(20, (at) => held(`a${at}`, 'role', 'e')));
    expect(await messageOf(many(20, (at) => held(`b${at}`, 'role', 'e')))).toContain(
      'would end 20 of the 20 accounts of the app "Wiki" and add 20 others: the key of accounts seems to have changed',
    );
    expect(await messageOf([',,,,role,wiki,e,,'])).toContain('would bring no account at all');
  });

  it('hands what tripped to whoever holds the rows, and records nothing', async () => {
    await tenant.grants(rows(10));
    const held: unknown[] = [];
    class Held extends Error {}
    const sent = importGrants(
      tenant.context(),
      { app: 'Wiki', allowRemovals: false },
      { body: bodyOf(`${[grantsHeader, ...rows(1)].join('\n')}\n`), encoding: '' },
      {
        isRehearsal: false,
        guard: (isAllowed) => ({
          isAllowed,
          stop: (trip) => {
            held.push(trip);
            throw new Held();
          },
        }),
        end: () => Promise.resolve(),
      },
    );
    await expect(sent).rejects.toBeInstanceOf(Held);
    expect(held).toMatchObject([{ check: 'SHARE', removed: 9, total: 10, sentence: expect.stringMatching(/^end 9 of the 10 grants/) }]);
    expect(await test.admin('SELECT state FROM syncs WHERE tenant_id = $1', [tenant.tenantId])).toEqual([{ state: 'DONE' }]);
  });
});
