/** Entries of profiles, and whose holders see them: added, set, taken out; bounded; each change one event. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSourcedApp } from '../../../test/support/identity.ts';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Context } from '../../context.ts';
import { addEntries, addEntry, dropEntries, dropEntry, maxEntries, setEntries } from './change-entries.ts';
import { changeProfile, createProfile, deleteProfile } from './change-profile.ts';
import { requireEntry } from './find-entry.ts';
import { listEntries, listEntriesOf, type Ref } from './store-entries.ts';

let test: TwoTenants;
let context: Context;
let refs: Ref[];
let profileId: string;

beforeAll(async () => {
  test = await useTwoTenants();
  context = test.ours.admin;
  const { id: appId } = await addSourcedApp(context, 'Wiki');
  await context.db.run(
    `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, created_at, updated_at)
     SELECT $1, $2, 'e' || lpad(n::text, 5, '0'), 'e' || n, 'E ' || n, $3, $3 FROM generate_series(0, 1009) AS n`,
    [context.tenantId, appId, context.now],
  );
  refs = Array.from({ length: 1010 }, (_, n) => ({ appId, id: `e${String(n).padStart(5, '0')}` }));
});
afterAll(() => test.close());
beforeEach(async () => {
  profileId = (await createProfile(context, { displayName: 'Starter' })).id;
});

const given = async (part: 'REQUESTABLE' | 'VISIBLE' = 'REQUESTABLE'): Promise<Ref[]> =>
  (await listEntries(context, profileId, part, undefined, 2000)).map(({ appId: app, id }) => ({ appId: app, id }));
const inOrder = (list: readonly Ref[]): Ref[] => list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
const events = async (): Promise<{ kind: string; data: Record<string, unknown[]> }[]> =>
  context.db.rows('SELECT kind, data FROM events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id', [context.tenantId, profileId]);
const some = (from: number, to: number): Ref[] => refs.slice(from, to);

describe('what a profile gives', () => {
  it('is added once, set whole, and taken out, with what changed in each event', async () => {
    await addEntries(context, profileId, 'REQUESTABLE', [...some(0, 3), ...some(0, 1)], 'x');
    await addEntries(context, profileId, 'REQUESTABLE', some(1, 2), 'x');
    expect(await given()).toEqual(some(0, 3));
    await setEntries(context, profileId, 'REQUESTABLE', some(2, 5), 'x');
    expect(await given()).toEqual(some(2, 5));
    await setEntries(context, profileId, 'REQUESTABLE', [...some(2, 5)].reverse(), 'x');
    expect(await given()).toEqual(some(2, 5).reverse());
    await dropEntries(context, profileId, 'REQUESTABLE', some(0, 4));
    expect(await given()).toEqual(some(4, 5));
    const kinds = (await events()).slice(1);
    expect(kinds.map(({ kind }) => kind)).toEqual(Array(4).fill('access_profile.entitlements_changed'));
    expect(kinds[0]?.data).toEqual({ added: some(0, 3), removed: [] });
    expect(kinds[1]?.data.added).toEqual(some(3, 5));
    expect(kinds[1]?.data.removed?.toSorted()).toEqual(some(0, 2).toSorted());
    expect(kinds[2]?.data).toEqual({ added: [], removed: [], order: some(2, 5).reverse() });
    expect(kinds[3]?.data).toMatchObject({ added: [] });
  });

  it('is one by one, and what it does not give cannot be taken out', async () => {
    const [one, two] = [refs[0], refs[1]] as [Ref, Ref];
    await addEntry(context, profileId, one);
    await addEntry(context, profileId, one);
    await requireEntry(context, profileId, one);
    await expect(requireEntry(context, profileId, two)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(dropEntry(context, profileId, two)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(addEntry(context, profileId, { appId: one.appId, id: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(addEntry(context, profileId, { appId: 'none', id: one.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await dropEntry(context, profileId, one);
    expect(await given()).toEqual([]);
  });

  it('is apart from whose holders see it', async () => {
    await addEntries(context, profileId, 'VISIBLE', some(0, 2), 'x');
    expect([await given(), await given('VISIBLE')]).toEqual([[], some(0, 2)]);
    await dropEntries(context, profileId, 'REQUESTABLE', some(0, 2));
    expect(await given('VISIBLE')).toEqual(some(0, 2));
    expect((await events()).map(({ kind }) => kind)).toEqual(['access_profile.created', 'access_profile.visibility_changed']);
  });

  it('is bounded, and nothing of what is too much is added', async () => {
    await addEntries(context, profileId, 'REQUESTABLE', some(0, maxEntries.REQUESTABLE - 1), 'x');
    await expect(addEntries(context, profileId, 'REQUESTABLE', some(998, 1002), 'x')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      violations: [
        { field: 'appEntitlements', description: expect.stringContaining('at most 1000 of them; this request would make 1002') },
      ],
    });
    await addEntries(context, profileId, 'REQUESTABLE', some(990, 1000), 'x');
    expect(await given()).toEqual(some(0, 1000));
    await expect(addEntry(context, profileId, refs[1000] as Ref)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(addEntries(context, profileId, 'VISIBLE', some(0, maxEntries.VISIBLE + 1), 'x')).rejects.toMatchObject({
      violations: [{ field: 'accessEntitlements' }],
    });
    await setEntries(context, profileId, 'REQUESTABLE', some(5, 1005), 'x');
    expect(await given()).toEqual(some(5, 1005));
  });

  it('of two who add at once is what both added, and the bound holds for them together', async () => {
    await Promise.all([0, 1, 2, 3].map((n) => addEntries(context, profileId, 'REQUESTABLE', some(n, n + 2), 'x')));
    expect(inOrder(await given())).toEqual(some(0, 5));
    await setEntries(context, profileId, 'REQUESTABLE', some(0, 999), 'x');
    const done = await Promise.allSettled([999, 1000, 1001].map((n) => addEntry(context, profileId, refs[n] as Ref)));
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  it('is listed for several profiles at once, each to its limit', async () => {
    const other = (await createProfile(context, { displayName: 'Other' })).id;
    await addEntries(context, profileId, 'REQUESTABLE', some(0, 5), 'x');
    await addEntries(context, other, 'REQUESTABLE', some(3, 4), 'x');
    const lists = await listEntriesOf(context, [profileId, other, 'none'], 'REQUESTABLE', 2);
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
    await deleteProfile(context, profileId);
    await expect(addEntries(context, profileId, 'REQUESTABLE', some(0, 1), 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(deleteProfile(context, profileId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('what a profile says', () => {
  const update = (sent: object, mask?: string[]) => changeProfile(context, profileId, sent as never, mask);

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
