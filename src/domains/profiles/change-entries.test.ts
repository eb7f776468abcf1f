/** What access profiles give, and whose holders see them: added, set, taken out; bounded; each change one event. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSourcedApp } from '../../../test/support/identity.ts';
import { openTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Scope } from '../../scope.ts';
import { addEntries, addEntry, dropEntries, dropEntry, maxEntries, setEntries } from './change-entries.ts';
import { changeProfile, createProfile, deleteProfile } from './change-profile.ts';
import { requireEntry } from './find-entry.ts';
import { listEntries, listEntriesOf, type Ref } from './store-entries.ts';

let test: TwoTenants;
let scope: Scope;
let refs: Ref[];
let profileId: string;

beforeAll(async () => {
  test = await openTwoTenants();
  scope = test.ours.admin;
  const { id: appId } = await addSourcedApp(scope, 'Wiki');
  await scope.db.run(
    `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, created_at, updated_at)
     SELECT $1, $2, 'e' || lpad(n::text, 5, '0'), 'e' || n, 'E ' || n, $3, $3 FROM generate_series(0, 1009) AS n`,
    [scope.tenantId, appId, scope.now],
  );
  refs = Array.from({ length: 1010 }, (_, n) => ({ appId, id: `e${String(n).padStart(5, '0')}` }));
});
afterAll(() => test.close());
beforeEach(async () => {
  profileId = (await createProfile(scope, { displayName: 'Starter' })).id;
});

const given = (part: 'REQUESTABLE' | 'VISIBLE' = 'REQUESTABLE') => listEntries(scope, profileId, part, { appId: '', id: '' }, 2000);
const events = async (): Promise<{ kind: string; data: Record<string, unknown[]> }[]> =>
  scope.db.rows('SELECT kind, data FROM events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id', [scope.tenantId, profileId]);
const some = (from: number, to: number): Ref[] => refs.slice(from, to);

describe('what a profile gives', () => {
  it('is added once, set whole, and taken out, with what changed in each event', async () => {
    await addEntries(scope, profileId, 'REQUESTABLE', [...some(0, 3), ...some(0, 1)], 'x');
    await addEntries(scope, profileId, 'REQUESTABLE', some(1, 2), 'x');
    expect(await given()).toEqual(some(0, 3));
    await setEntries(scope, profileId, 'REQUESTABLE', some(2, 5), 'x');
    expect(await given()).toEqual(some(2, 5));
    await setEntries(scope, profileId, 'REQUESTABLE', [...some(2, 5)].reverse(), 'x');
    await dropEntries(scope, profileId, 'REQUESTABLE', some(0, 4));
    expect(await given()).toEqual(some(4, 5));
    const kinds = (await events()).slice(1);
    expect(kinds.map(({ kind }) => kind)).toEqual(Array(3).fill('access_profile.entitlements_changed'));
    expect(kinds[0]?.data).toEqual({ added: some(0, 3), removed: [] });
    expect(kinds[1]?.data.added).toEqual(some(3, 5));
    expect(kinds[1]?.data.removed?.toSorted()).toEqual(some(0, 2).toSorted());
    expect(kinds[2]?.data).toMatchObject({ added: [] });
  });

  it('is one by one, and what it does not give cannot be taken out', async () => {
    const [one, two] = [refs[0], refs[1]] as [Ref, Ref];
    await addEntry(scope, profileId, one);
    await addEntry(scope, profileId, one);
    await requireEntry(scope, profileId, one);
    await expect(requireEntry(scope, profileId, two)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(dropEntry(scope, profileId, two)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(addEntry(scope, profileId, { appId: one.appId, id: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(addEntry(scope, profileId, { appId: 'none', id: one.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await dropEntry(scope, profileId, one);
    expect(await given()).toEqual([]);
  });

  it('is apart from whose holders see it', async () => {
    await addEntries(scope, profileId, 'VISIBLE', some(0, 2), 'x');
    expect([await given(), await given('VISIBLE')]).toEqual([[], some(0, 2)]);
    await dropEntries(scope, profileId, 'REQUESTABLE', some(0, 2));
    expect(await given('VISIBLE')).toEqual(some(0, 2));
    expect((await events()).map(({ kind }) => kind)).toEqual(['access_profile.created', 'access_profile.visibility_changed']);
  });

  it('is bounded, and nothing of what is too much is added', async () => {
    await addEntries(scope, profileId, 'REQUESTABLE', some(0, maxEntries.REQUESTABLE - 1), 'x');
    await expect(addEntries(scope, profileId, 'REQUESTABLE', some(998, 1002), 'x')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      violations: [{ field: 'appEntitlements', description: expect.stringContaining('at most 1000 of them; this would make 1002') }],
    });
    await addEntries(scope, profileId, 'REQUESTABLE', some(990, 1000), 'x');
    expect(await given()).toEqual(some(0, 1000));
    await expect(addEntry(scope, profileId, refs[1000] as Ref)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(addEntries(scope, profileId, 'VISIBLE', some(0, maxEntries.VISIBLE + 1), 'x')).rejects.toMatchObject({
      violations: [{ field: 'accessEntitlements' }],
    });
    await setEntries(scope, profileId, 'REQUESTABLE', some(5, 1005), 'x');
    expect(await given()).toEqual(some(5, 1005));
  });

  it('of two who add at once is what both added, and the bound holds for them together', async () => {
    await Promise.all([0, 1, 2, 3].map((n) => addEntries(scope, profileId, 'REQUESTABLE', some(n, n + 2), 'x')));
    expect(await given()).toEqual(some(0, 5));
    await setEntries(scope, profileId, 'REQUESTABLE', some(0, 999), 'x');
    const done = await Promise.allSettled([999, 1000, 1001].map((n) => addEntry(scope, profileId, refs[n] as Ref)));
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  it('is listed for several profiles at once, each to its limit', async () => {
    const other = (await createProfile(scope, { displayName: 'Other' })).id;
    await addEntries(scope, profileId, 'REQUESTABLE', some(0, 5), 'x');
    await addEntries(scope, other, 'REQUESTABLE', some(3, 4), 'x');
    const lists = await listEntriesOf(scope, [profileId, other, 'none'], 'REQUESTABLE', 2);
    expect(Object.fromEntries(lists)).toEqual({ [profileId]: some(0, 2), [other]: some(3, 4) });
  });

  it('ends with the profile, and another tenant has none of it', async () => {
    const theirs = test.theirs.admin;
    for (const work of [
      () => addEntries(theirs, profileId, 'REQUESTABLE', [], 'x'),
      () => dropEntries(theirs, profileId, 'REQUESTABLE', []),
      () => changeProfile(theirs, profileId, { description: 'x' }, undefined),
      () => deleteProfile(theirs, profileId),
    ]) {
      await expect(work()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    const own = (await createProfile(theirs, { displayName: 'Theirs' })).id;
    await expect(addEntries(theirs, own, 'REQUESTABLE', some(0, 1), 'appEntitlements')).rejects.toMatchObject({
      violations: [{ field: 'appEntitlements[0]' }],
    });
    await deleteProfile(scope, profileId);
    await expect(addEntries(scope, profileId, 'REQUESTABLE', some(0, 1), 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(deleteProfile(scope, profileId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('what a profile says', () => {
  const update = (sent: object, mask?: string[]) => changeProfile(scope, profileId, sent as never, mask);

  it('is changed by mask, to its default where it is named and not sent', async () => {
    await update({ description: 'All of it', requestBundle: true, annotations: { team: 'a', kept: 'b' } });
    expect(await update({ description: 'ignored' }, ['requestBundle'])).toMatchObject({
      document: { description: 'All of it', requestBundle: false, annotations: { team: 'a', kept: 'b' } },
    });
    expect((await update({ annotations: { team: 'c' } }, ['annotations'])).document.annotations).toEqual({ team: 'c' });
    expect(await update({ displayName: 'New', published: true }, ['*'])).toMatchObject({
      displayName: 'New',
      published: true,
      document: { description: '', annotations: {} },
    });
    await expect(update({}, ['displayName'])).rejects.toMatchObject({ violations: [{ field: 'catalog.displayName' }] });
  });

  it('cannot be changed where the server says it, and is no event where it stays the same', async () => {
    for (const path of [
      'id',
      'createdByUserId',
      'accessEntitlements',
      'createdAt',
      'updatedAt',
      'deletedAt',
      'nothing',
      'annotations.team',
    ]) {
      await expect(update({}, [path])).rejects.toMatchObject({ violations: [{ field: 'updateMask' }] });
    }
    await update({ displayName: ' Starter ', createdByUserId: 'me', accessEntitlements: [{ id: 'x' }] });
    expect((await events()).map(({ kind }) => kind)).toEqual(['access_profile.created']);
  });
});
