/** Rights to see, own and copy reviews; another tenant's ids are unknown. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actorOf, useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import type { RoleName, Context } from '../../../context.ts';
import { createUser } from '../../../foundation/directory/index.ts';
import { createReview } from '../life/create.ts';
import { deleteReview } from '../life/delete.ts';
import { readReviews } from '../lists/list.ts';
import { readOwners, setOwners } from './owners.ts';
import { requireReview } from './permit.ts';
import { readSetup, setEntitlements, setResourceTypes } from '../scope/setup.ts';
import { listSetupAppIds } from '../../snapshots/scope/store-setup.ts';
import { changeReview } from '../life/update.ts';

describe('people and reviews', () => {
  let test: TwoTenants;
  let owner: Context;
  /** The same person with the role that makes reviews and chooses their scope. */
  let maker: Context;
  let reader: Context;
  let campaigner: Context;
  let otherCampaigner: Context;
  let reviewId: string;
  const as = async (name: string, roles: RoleName[]): Promise<Context> => {
    const id = await createUser(test.ours.system, { email: `${name}@ours.example`, displayName: name, roles });
    return { ...test.ours.system, actor: actorOf(id, roles) };
  };
  beforeAll(async () => {
    test = await useTwoTenants();
    owner = await as('owner', []);
    maker = { ...owner, actor: actorOf(owner.actor.userId, ['CAMPAIGN_ADMINISTRATOR']) };
    reader = await as('reader', ['READ_ONLY_ADMINISTRATOR']);
    campaigner = await as('campaigner', ['CAMPAIGN_ADMINISTRATOR']);
    otherCampaigner = await as('other-campaigner', ['CAMPAIGN_ADMINISTRATOR']);
    reviewId = (await createReview(campaigner, { displayName: 'One' }, [owner.actor.userId], '')).id;
  });
  afterAll(() => test.close());

  it('shows a review to its owners, its creator where they run campaigns, and administrators', async () => {
    for (const context of [owner, reader, campaigner, test.ours.admin]) {
      expect((await requireReview(context, reviewId, 'read')).id).toBe(reviewId);
      expect((await readReviews(context, '', 100)).map(({ id }) => id)).toContain(reviewId);
    }
    for (const context of [otherCampaigner, test.ours.basic, test.theirs.admin]) {
      await expect(requireReview(context, reviewId, 'read')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect((await readReviews(context, '', 100)).map(({ id }) => id)).not.toContain(reviewId);
    }
  });

  it('lets only owners and Super Administrators manage it, and no credential that only reads', async () => {
    for (const context of [owner, test.ours.admin]) {
      expect((await requireReview(context, reviewId, 'manage')).id).toBe(reviewId);
    }
    const readOnlyOwner = { ...owner, actor: { ...owner.actor, roles: new Set<RoleName>(['READ_ONLY_ADMINISTRATOR']) } };
    for (const context of [reader, campaigner, readOnlyOwner]) {
      await expect(requireReview(context, reviewId, 'manage')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    }
    await expect(requireReview(otherCampaigner, reviewId, 'manage')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('knows nothing of another tenant, whatever is done with its ids', async () => {
    const { admin } = test.theirs;
    const attempts = [
      () => requireReview(admin, reviewId, 'read'),
      () => changeReview(admin, reviewId, { description: 'x' }, undefined),
      () => deleteReview(admin, reviewId, 'x'),
      () => readOwners(admin, reviewId, '', 10),
      () => setOwners(admin, reviewId, [test.theirs.adminId]),
      () => readSetup(admin, reviewId, ['', '']),
      () => setEntitlements(admin, reviewId, [], undefined),
      () => setResourceTypes(admin, reviewId, [], undefined),
      () => createReview(admin, { displayName: 'x' }, [], reviewId),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    }
    await expect(createReview(admin, { displayName: 'x' }, [owner.actor.userId], '')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      violations: [{ field: 'ownerIds[0]' }],
    });
    await expect(setOwners(owner, reviewId, [test.theirs.adminId])).rejects.toMatchObject({ violations: [{ field: 'userIds[0]' }] });
  });

  it('lists in the order of creation, in pages, each review once', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 5; number++) {
      ids.push((await createReview(otherCampaigner, { displayName: `No ${number}` }, [], '')).id);
    }
    const first = await readReviews(otherCampaigner, '', 3);
    const second = await readReviews(otherCampaigner, first.at(-1)?.id ?? '', 3);
    expect([...first, ...second].map(({ id }) => id)).toEqual(ids);
    await deleteReview(otherCampaigner, ids[0] ?? '', '');
    expect((await readReviews(otherCampaigner, '', 10)).map(({ id }) => id)).toEqual(ids.slice(1));
    expect((await readReviews(test.ours.admin, '', 100)).map(({ id }) => id)).not.toContain(ids[0]);
  });

  it('replaces owners: enabled people only, at least one, each once, by whoever manages it', async () => {
    const { id } = await createReview(campaigner, { displayName: 'Owned' }, [], '');
    expect((await readOwners(campaigner, id, '', 100)).map(({ userId }) => userId)).toEqual([campaigner.actor.userId]);
    await expect(setOwners(campaigner, id, [])).rejects.toMatchObject({ violations: [{ field: 'userIds' }] });
    const many = Array.from({ length: 101 }, (_, number) => `nobody-${number}`);
    await expect(setOwners(campaigner, id, many)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await test.admin(`UPDATE users SET status = 'DISABLED' WHERE id = $1`, [test.ours.basicId]);
    await expect(setOwners(campaigner, id, [owner.actor.userId, test.ours.basicId, 'nobody'])).rejects.toMatchObject({
      violations: [{ field: 'userIds[1]' }, { field: 'userIds[2]' }],
    });
    const owners = await setOwners(campaigner, id, [owner.actor.userId, owner.actor.userId]);
    expect(owners).toEqual([{ userId: owner.actor.userId, displayName: 'owner', email: 'owner@ours.example', employeeId: '' }]);
    await expect(setOwners(campaigner, id, [campaigner.actor.userId])).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    const events = await test.admin(`SELECT data FROM events WHERE target_id = $1 AND kind = 'review.owners_changed'`, [id]);
    expect(events).toEqual([{ data: { added: [owner.actor.userId], removed: [campaigner.actor.userId], ownerIds: [owner.actor.userId] } }]);
  });

  it('replaces the chosen entitlements whole, with the policy that would decide each', async () => {
    const { id } = await createReview(maker, { displayName: 'Chosen', policyId: 'reviews' }, [], '');
    await changeReview(maker, id, { usePolicyOverride: true }, undefined);
    const sql = `INSERT INTO apps (tenant_id, id, display_name, name_key, certify_policy_id, created_at, updated_at) VALUES ($1, $2, $2, $2, $3, now(), now())`;
    await test.ours.system.db.run(sql, [test.ours.tenant.id, 'app1', 'apps']);
    const entitlement = `INSERT INTO entitlements (tenant_id, app_id, id, resource_type_id, resource_id, external_id, display_name, certify_policy_id, created_at, updated_at)
      VALUES ($1, 'app1', $2, 'type', 'resource', $2, $2, $3, now(), now())`;
    await test.ours.system.db.run(entitlement, [test.ours.tenant.id, 'e1', 'entitlements']);
    await test.ours.system.db.run(entitlement, [test.ours.tenant.id, 'e2', '']);
    const chosen = [
      { appId: 'app1', entitlementId: 'e1' },
      { appId: 'app1', entitlementId: 'e2' },
      { appId: 'app1', entitlementId: 'e2' },
      { appId: 'unknown', entitlementId: 'e3' },
    ];
    const { list, review } = await setEntitlements(maker, id, chosen, { allUsers: {} });
    expect(list.map(({ appId, entitlementId, policyId, resourceId }) => [appId, entitlementId, policyId, resourceId])).toEqual([
      ['app1', 'e1', 'entitlements', 'resource'],
      ['app1', 'e2', 'apps', 'resource'],
      ['unknown', 'e3', 'reviews', ''],
    ]);
    expect(review.scopingVersion).toBe(1);
    expect(review.document.scopeV2).toMatchObject({ allUsers: {} });
    await changeReview(maker, id, { usePolicyOverride: false }, undefined);
    expect((await readSetup(maker, id, ['', ''])).list.map(({ policyId }) => policyId)).toEqual(['reviews', 'reviews', 'reviews']);
    expect((await readSetup(maker, id, ['app1', 'e1'], 1)).list.map(({ entitlementId }) => entitlementId)).toEqual(['e2']);

    expect((await setEntitlements(maker, id, [...chosen].reverse(), undefined)).review.scopingVersion).toBe(1);
    expect((await setEntitlements(maker, id, [], undefined)).list).toEqual([]);
    expect((await requireReview(maker, id, 'read')).scopingVersion).toBe(2);
    await setResourceTypes(maker, id, [{ appId: 'app2', resourceTypeId: 't' }], undefined);
    expect(await listSetupAppIds(maker, id)).toEqual(['app2']);
    const events = await test.admin(
      `SELECT data ->> 'what' AS what FROM events WHERE target_id = $1 AND kind = 'review.scope_changed' ORDER BY id`,
      [id],
    );
    expect(events.map(({ what }) => what)).toEqual(['entitlements', 'entitlements', 'resourceTypes']);
  });

  it('takes 10,000 entitlements at once and refuses one more, and empty ids by their place', async () => {
    const { id } = await createReview(maker, { displayName: 'Large' }, [], '');
    const many = (count: number) => Array.from({ length: count }, (_, number) => ({ appId: 'a', entitlementId: `e${number}` }));
    expect((await setEntitlements(maker, id, many(10_000), undefined)).list).toHaveLength(10_000);
    await expect(setEntitlements(maker, id, many(10_001), undefined)).rejects.toMatchObject({ violations: [{ field: 'entitlements' }] });
    await expect(setEntitlements(maker, id, [{ appId: '', entitlementId: '' }], undefined)).rejects.toMatchObject({
      violations: [{ field: 'entitlements[0].appId' }, { field: 'entitlements[0].appEntitlementId' }],
    });
    await expect(setResourceTypes(maker, id, [{ appId: 'a', resourceTypeId: '' }], undefined)).rejects.toMatchObject({
      violations: [{ field: 'resourceTypeSelections[0].resourceTypeId' }],
    });
    await expect(setEntitlements(maker, id, [], { grantsByCriteria: { daysSinceAdded: 'x' } })).rejects.toMatchObject({
      violations: [{ field: 'scopeV2.grantsByCriteria.daysSinceAdded' }],
    });
  });

  it('copies configuration and chosen entitlements, not dates, owners or what was computed', async () => {
    const source = await createReview(
      maker,
      { displayName: 'Source', completionDate: '2026-06-01T00:00:00Z', scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS' },
      [],
      '',
    );
    await changeReview(
      maker,
      source.id,
      {
        reviewInstructions: 'look',
        scope: { appUserTypes: ['APP_USER_TYPE_USER'] },
        scopingVersion: '7',
        scheduledStartDate: '2026-05-01T00:00:00Z',
      },
      undefined,
    );
    await setEntitlements(maker, source.id, [{ appId: 'a', entitlementId: 'e' }], undefined);
    await setResourceTypes(maker, source.id, [{ appId: 'b', resourceTypeId: 't' }], undefined);
    await expect(createReview(campaigner, {}, [], source.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });

    const copy = await createReview(test.ours.admin, { description: 'given' }, [], source.id);
    expect(copy.document).toMatchObject({
      displayName: 'Source (copy)',
      description: 'given',
      reviewInstructions: 'look',
      scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS',
      scope: { appUserTypes: ['APP_USER_TYPE_USER'] },
      scopingVersion: '0',
      policyId: source.document.policyId,
    });
    expect(copy.document).not.toHaveProperty('completionDate');
    expect(copy.document).not.toHaveProperty('scheduledStartDate');
    expect(copy).toMatchObject({ state: 'DRAFT', ownerIds: [test.ours.adminId] });
    expect((await readSetup(test.ours.admin, copy.id, ['', ''])).list).toHaveLength(1);
    expect(await listSetupAppIds(test.ours.admin, copy.id)).toEqual(['a', 'b']);
    await deleteReview(maker, source.id, '');
    await expect(createReview(test.ours.admin, {}, [], source.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('says what is wrong with a create request, all at once', async () => {
    await expect(createReview(campaigner, {}, ['nobody'], '')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      violations: [{ field: 'displayName' }, { field: 'ownerIds[0]' }],
    });
    const before = await test.admin('SELECT count(*) AS n FROM reviews');
    await expect(createReview(campaigner, { displayName: 'x'.repeat(1_001) }, [], '')).rejects.toMatchObject({
      violations: [{ field: 'displayName' }],
    });
    expect(await test.admin('SELECT count(*) AS n FROM reviews')).toEqual(before);
  });
});
