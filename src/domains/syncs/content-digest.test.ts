/** Files that say the same in other words, and files that nearly do: by their digest, and in what an import of them does. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { bodyOf, grantsHeader, makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';
import { createContentDigest } from './content-digest.ts';
import { importGrants } from './index.ts';

function digestOf(rows: readonly string[], columns: readonly string[] = ['account']): string {
  const digest = createContentDigest();
  rows.forEach((row, index) => {
    digest.add(`${index + 2}\t${row}`);
  });
  return digest.value(columns);
}

describe('the digest of rows', () => {
  it('is the same in every order, and another for every other set of rows', () => {
    const rows = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '東', '\t', ' ') }), { maxLength: 12 });
    fc.assert(
      fc.property(rows, rows, fc.infiniteStream(fc.nat(11)), (some, others, places) => {
        const shuffled = [...some].sort(() => (places.next().value % 2 === 0 ? 1 : -1));
        expect(digestOf(shuffled)).toBe(digestOf(some));
        const isSame = JSON.stringify([...some].sort()) === JSON.stringify([...others].sort());
        expect(digestOf(others) === digestOf(some)).toBe(isSame);
      }),
      { numRuns: 300 },
    );
  });

  it('counts how often a row stands there, and does not mind on which line', () => {
    expect(digestOf(['x', 'x'])).not.toBe(digestOf(['x']));
    expect(digestOf(['x', 'x', 'y', 'y'])).not.toBe(digestOf(['x', 'y']));
    expect(digestOf(['x', 'x', 'x', 'y'])).not.toBe(digestOf(['x', 'y', 'y', 'y']));
    expect(digestOf([])).not.toBe(digestOf(['']));
  });

  it('tells files apart by the columns that were read', () => {
    expect(digestOf(['x'], ['account', 'expires_at'])).not.toBe(digestOf(['x']));
  });

  it('depends on every byte of a row', () => {
    const row = 'acct\tann@x.example\tUSER\tENABLED';
    const seen = new Set([digestOf([row])]);
    for (let at = 0; at < row.length; at++) {
      seen.add(digestOf([`${row.slice(0, at)}#${row.slice(at + 1)}`]));
    }
    expect(seen.size).toBe(row.length + 1);
  });
});

describe('a file of grants that says the same as the one before', () => {
  let test: TestDatabase;
  let tenant: TestTenant;
  beforeAll(async () => {
    test = await openFixture();
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    tenant = makeTenant(test);
    await tenant.people(['ann@x.example,Ann,,,,ACTIVE', 'bob@x.example,Bob,,,,ACTIVE']);
  });

  const row = (account: string, entitlement: string, more = '', email = '') =>
    `${account},${email},USER,ENABLED,role,wiki,${entitlement},2024-01-01T00:00:00Z,${more}`;
  const file = [row('ann', 'read', '', 'ann@x.example'), row('ann', 'write', '', 'ann@x.example'), row('bob', 'read'), row('eve', 'read')];
  const send = (lines: readonly string[], { header = grantsHeader, source = '' } = {}) =>
    importGrants(
      tenant.context(),
      { app: 'Wiki', source, allowRemovals: true },
      { body: bodyOf(`${[header, ...lines].join('\n')}\n`), encoding: '' },
    );
  const nothing = { added: 0, changed: 0, removed: 0 };
  /** Whether the last sync took its digest over, rather than comparing with the database: then nothing was staged. */
  const digests = async () =>
    (
      await test.admin(`SELECT content_digest AS digest FROM syncs WHERE tenant_id = $1 AND kind = 'GRANTS' ORDER BY id`, [tenant.tenantId])
    ).map(({ digest }) => String(digest));
  /** Makes the grants of the app disagree with its last file without a revision: only a comparison with the database would notice. */
  const spoil = () => test.admin(`UPDATE grants SET last_used_at = now() WHERE tenant_id = $1 AND NOT is_derived`, [tenant.tenantId]);

  it('is known in another order and otherwise quoted, without looking at the grants', async () => {
    const first = await send(file);
    await spoil();
    const again = await send([...file].reverse().map((line) => line.replace(/^(\w+),/, '"$1",')));
    expect(again).toMatchObject({ ...nothing, unchanged: 4, rows: 4, revision: first.revision, previousId: first.id });
    expect(again.fileSha256).not.toBe(first.fileSha256);
    expect(again.counts.grants).toEqual({ ...nothing, total: 4 });
    expect((await send(file)).counts).toEqual(again.counts);
    expect(new Set(await digests()).size).toBe(1);
  });

  it('is compared where a word, a row more or a row twice makes it another', async () => {
    await send(file);
    expect(await send([...file.slice(1), row('ann', 'read', '2025-01-01T00:00:00Z', 'ann@x.example')])).toMatchObject({ changed: 1 });
    expect(await send([...file, row('eve', 'write')])).toMatchObject({ added: 1, changed: 1, unchanged: 3 });
    expect(await send([...file, row('eve', 'write'), row('eve', 'write')])).toMatchObject({ ...nothing, unchanged: 5, rows: 6 });
    expect(new Set(await digests()).size).toBe(4);
  });

  it('is compared again where the app has changed since, or the people have', async () => {
    await send(file);
    await send([row('zoe', 'read')], { source: 'other' });
    await spoil();
    expect(await send([...file].reverse())).toMatchObject({ changed: 4 });
    await tenant.people(['ann@x.example,Ann,,,,ACTIVE', 'bob@x.example,Bob,,,,ACTIVE', 'cid@x.example,Cid,,,,ACTIVE']);
    await spoil();
    expect(await send(file)).toMatchObject({ changed: 4 });
  });

  it('is compared where lines are reported by warnings, and they are the lines of this file', async () => {
    const unknown = row('zed', 'read', '', 'zed@x.example');
    expect((await send([...file, unknown])).warnings).toMatchObject([{ line: 6 }]);
    expect((await send([unknown, ...file])).warnings).toMatchObject([{ line: 2 }]);
  });

  it('is compared where the last of an account’s rows decides its profile', async () => {
    const header = `${grantsHeader},team`;
    const teams = [`${file[0]},Red`, `${file[1]},Blue`];
    const team = async () =>
      (await test.admin(`SELECT profile ->> 'team' AS team FROM accounts WHERE tenant_id = $1`, [tenant.tenantId])).map((one) => one.team);
    await send(teams, { header });
    expect(await team()).toEqual(['Blue']);
    expect(await digests()).toEqual(['']);
    await send([...teams].reverse(), { header });
    expect(await team()).toEqual(['Red']);
    const agreed = [`${file[0]},Red`, `${file[1]},Red`];
    await send(agreed, { header });
    await spoil();
    expect(await send([...agreed].reverse(), { header })).toMatchObject(nothing);
  });

  it('is refused for its wrong rows, whatever came before', async () => {
    await send(file);
    await expect(send([...file, row('', 'read')])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
