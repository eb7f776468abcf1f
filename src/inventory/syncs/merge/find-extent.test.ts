/** Files that say the same in other words, and files that nearly do: what an import of them compares, and what it leaves alone. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/support/database.ts';
import { bodyOf, grantsHeader, makeTenant, openFixture, type TestTenant } from '../../../../test/support/inventory.ts';
import { importGrants } from '../import-grants.ts';

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
  });

  it('is compared where a word, a row more or a row twice makes it another', async () => {
    await send(file);
    expect(await send([...file.slice(1), row('ann', 'read', '2025-01-01T00:00:00Z', 'ann@x.example')])).toMatchObject({ changed: 1 });
    expect(await send([...file, row('eve', 'write')])).toMatchObject({ added: 1, changed: 1, unchanged: 3 });
    expect(await send([...file, row('eve', 'write'), row('eve', 'write')])).toMatchObject({ ...nothing, unchanged: 5, rows: 6 });
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
