/** Most owners anything can have, who can be one, and that two changes at once both hold. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { isAppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { changeOwners, exactly, maxOwners, oneFewer, oneMore, without } from './change-owners.ts';
import { createApp } from '../apps/create-app.ts';
import { noSuchUser, ownedApp } from './ownables.ts';
import { findApp } from '../record/store-apps.ts';

let two: TwoTenants;
let admin: Context;
let appId: string;
const crowd = Array.from({ length: 1001 }, (_, number) => `crowd${String(number).padStart(4, '0')}`);
const owners = async (): Promise<readonly string[]> => (await findApp(admin, appId))?.ownerIds ?? [];
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  );
const countEvents = async (): Promise<number> => {
  const sql = `SELECT count(*) AS count FROM events WHERE tenant_id = $1 AND kind = 'app.owners_changed' AND target_id = $2`;
  return (await admin.db.one<{ count: number }>(sql, [admin.tenantId, appId])).count;
};

beforeAll(async () => {
  two = await useTwoTenants();
  admin = two.ours.admin;
  await admin.db.run(
    `INSERT INTO users (tenant_id, id, email, email_key, created_at, updated_at)
     SELECT $1, n.id, n.id || '@x.example', n.id || '@x.example', $2, $2 FROM unnest($3::text[]) AS n (id)`,
    [admin.tenantId, admin.now, crowd],
  );
});
beforeEach(async () => {
  appId = (await createApp(admin, { displayName: `App ${Math.random()}` }, [])).id;
});
afterAll(() => two.close());

describe('owners', () => {
  it('are as many as can be shown with each app, and not one more', async () => {
    await changeOwners(admin, ownedApp(appId), exactly(crowd.slice(0, maxOwners)));
    expect(await owners()).toHaveLength(maxOwners);
    expect(await codeOf(changeOwners(admin, ownedApp(appId), exactly(crowd)))).toBe('INVALID_ARGUMENT');
    expect(await codeOf(changeOwners(admin, ownedApp(appId), oneMore(crowd.at(-1) ?? '', noSuchUser)))).toBe('INVALID_ARGUMENT');
    // Whoever is one already, and the same person named twice, are no more than one.
    await changeOwners(admin, ownedApp(appId), oneMore(crowd[0] ?? '', noSuchUser));
    await changeOwners(admin, ownedApp(appId), exactly([...crowd.slice(0, maxOwners), crowd[0] ?? '']));
    expect(await owners()).toHaveLength(maxOwners);
    await changeOwners(admin, ownedApp(appId), oneFewer(crowd[0] ?? '', noSuchUser));
    await changeOwners(admin, ownedApp(appId), oneMore(crowd.at(-1) ?? '', noSuchUser));
    expect(await owners()).toHaveLength(maxOwners);
  });

  it('are people of this tenant who are not deleted', async () => {
    const stranger = two.theirs.adminId;
    expect(await codeOf(changeOwners(admin, ownedApp(appId), oneMore(stranger, noSuchUser)))).toBe('NOT_FOUND');
    expect(await codeOf(changeOwners(admin, ownedApp(appId), oneFewer(stranger, noSuchUser)))).toBe('NOT_FOUND');
    expect(await codeOf(changeOwners(admin, ownedApp(appId), exactly([stranger])))).toBe('INVALID_ARGUMENT');
    await changeOwners(admin, ownedApp(appId), exactly([crowd[5] ?? '']));
    await admin.db.run(`UPDATE users SET status = 'DELETED' WHERE tenant_id = $1 AND id = $2`, [admin.tenantId, crowd[5]]);
    expect(await codeOf(changeOwners(admin, ownedApp(appId), oneMore(crowd[5] ?? '', noSuchUser)))).toBe('NOT_FOUND');
    // Taking somebody away who is gone is what one wants then.
    expect(await codeOf(changeOwners(admin, ownedApp(appId), oneFewer(crowd[5] ?? '', noSuchUser)))).toBe('done');
    expect(await owners()).toEqual([]);
  });

  it('are not changed by another tenant', async () => {
    expect(await codeOf(changeOwners(two.theirs.admin, ownedApp(appId), exactly([])))).toBe('NOT_FOUND');
  });

  it('change with one event, and none where nothing changes', async () => {
    await changeOwners(admin, ownedApp(appId), exactly(['crowd0001', 'crowd0002']));
    await changeOwners(admin, ownedApp(appId), exactly(['crowd0001', 'crowd0002', 'crowd0001']));
    await changeOwners(admin, ownedApp(appId), without(['crowd0003']));
    await changeOwners(admin, ownedApp(appId), without([]));
    expect(await countEvents()).toBe(1);
    await changeOwners(admin, ownedApp(appId), exactly(['crowd0002', 'crowd0001', 'crowd0001']));
    expect([await owners(), await countEvents()]).toEqual([['crowd0002', 'crowd0001'], 2]);
    await changeOwners(admin, ownedApp(appId), without(['crowd0001', 'crowd0003']));
    expect([await owners(), await countEvents()]).toEqual([['crowd0002'], 3]);
  });

  it('added at the same time are all there', async () => {
    const ids = crowd.slice(10, 18);
    await Promise.all(ids.map((id) => changeOwners(admin, ownedApp(appId), oneMore(id, noSuchUser))));
    expect([(await owners()).toSorted(), await countEvents()]).toEqual([ids, ids.length]);
  });
});
