/** Every field of a review is stored and comes back, one by one, all together and through every path of a mask. */
import { shape } from '../../../wire/reply.ts';
import type { JsonObject } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessReviewSchema } from '../../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { jsonAt, listMaskPaths, sampleField, sampleOf, valueAt, writableFields } from '../../../../test/support/sample-message.ts';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { groupOfMember } from './members.ts';
import { createReview } from '../life/create.ts';
import { requireReview } from './permit.ts';
import { changeReview } from '../life/update.ts';
import { shapeReview } from '../life/view.ts';

const samples = {
  expression: 'true',
  tspUrl: 'https://tsa.example/stamp',
  daysSinceAdded: '7776000s',
  daysSinceLastUsed: '90',
  daysSinceReviewed: '30',
};
const oneofMembers = ['singleApp', 'multiApp', 'bindings'];

describe('the fields of a review', () => {
  let test: TwoTenants;
  const make = async (sent: JsonObject = {}): Promise<string> =>
    (await createReview(test.ours.admin, { displayName: 'Quarterly', ...sent }, [], '')).id;
  const read = async (id: string): Promise<JsonObject> =>
    shape(AccessReviewSchema, shapeReview(await requireReview(test.ours.admin, id, 'read'))) as JsonObject;

  beforeAll(async () => {
    test = await useTwoTenants();
  });
  afterAll(() => test.close());

  it('are all in a group of changeable members', () => {
    expect(Object.keys(groupOfMember).sort()).toEqual(
      writableFields(AccessReviewSchema)
        .map((field) => field.jsonName)
        .sort(),
    );
  });

  it.each(
    writableFields(AccessReviewSchema)
      .filter((field) => field.jsonName !== 'scopeType')
      .map((field) => [field.jsonName, field] as const),
  )('stores and answers %s alone, without a mask and with one', async (name, field) => {
    const value = sampleField(field, samples);
    for (const mask of [undefined, [name]]) {
      const id = await make();
      await changeReview(test.ours.admin, id, { [name]: value }, mask);
      expect((await read(id))[name]).toMatchObject(typeof value === 'object' ? (value as object) : expect.anything());
      expect({ value: (await read(id))[name] }).toMatchObject({ value });
    }
  });

  it('stores and answers all of them together, each member of setup_metadata in turn', async () => {
    for (const member of oneofMembers) {
      const all: JsonObject = {};
      for (const field of writableFields(AccessReviewSchema)) {
        if (field.jsonName !== 'scopeType' && (!oneofMembers.includes(field.jsonName) || field.jsonName === member)) {
          all[field.jsonName] = sampleField(field, samples);
        }
      }
      const id = await make();
      await changeReview(test.ours.admin, id, all, undefined);
      expect(await read(id)).toMatchObject(all);
      await changeReview(test.ours.admin, id, { ...all, description: '' }, ['*']);
      expect(await read(id)).toMatchObject({ ...all, description: '' });
    }
  });

  it.each(listMaskPaths(AccessReviewSchema).map(({ path, field }) => [path, field] as const))(
    'sets %s through the mask and sets it back to its default',
    async (path, field) => {
      const value = sampleField(field, samples);
      const id = await make();
      if (path === 'scopeType') {
        await expect(changeReview(test.ours.admin, id, jsonAt(path, value), [path])).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
        return;
      }
      await changeReview(
        test.ours.admin,
        id,
        { ...jsonAt(path, value), reviewInstructions: path === 'reviewInstructions' ? String(value) : 'unmasked' },
        [path],
      );
      const after = await read(id);
      expect({ value: valueAt(after, path) }).toMatchObject({ value });
      expect(after.reviewInstructions).toBe(path === 'reviewInstructions' ? value : '');
      // A name and an expression are never empty.
      if (path === 'displayName' || path.endsWith('.expression')) {
        await expect(changeReview(test.ours.admin, id, {}, [path])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
        return;
      }
      await changeReview(test.ours.admin, id, {}, [path]);
      const cleared = valueAt(await read(id), path);
      expect([undefined, '', false, 0, '0', [], {}]).toSatisfy(
        (defaults: unknown[]) =>
          defaults.some((one) => JSON.stringify(one) === JSON.stringify(cleared)) || String(cleared) === field.enum?.values[0]?.name,
      );
    },
  );

  it('keeps what a create request may hold', async () => {
    const sent = {
      displayName: '  Named  ',
      description: 'why',
      completionDate: '2026-06-01T00:00:00.123456Z',
      notificationConfig: { sendClose: true, sendKickoff: true, sendReminders: true },
      policyId: 'some-policy',
      scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS',
      scopeV2: { allUsers: {}, selectedUsers: { userIds: ['u1'] } },
    };
    const review = await read(await make(sent));
    expect(review).toMatchObject({ ...sent, displayName: 'Named' });
    expect(review).toMatchObject({ state: 'ACCESS_REVIEW_STATE_DRAFT', createdById: test.ours.adminId, createdAt: '2026-03-01T12:00:00Z' });
  });

  it('gives a review without a policy the starting one, and lets it be cleared', async () => {
    const id = await make();
    expect((await read(id)).policyId).toMatch(/^[0-9A-Za-z]{27}$/);
    await changeReview(test.ours.admin, id, { policyId: '' }, undefined);
    expect((await read(id)).policyId).toBe('');
  });

  it('completes what was sent with defaults, all the way down, and leaves unset messages and times out', async () => {
    const id = await make();
    await changeReview(test.ours.admin, id, { notificationConfig: { sendClose: true }, scope: {} }, undefined);
    const review = await read(id);
    expect(review.notificationConfig).toEqual({ sendClose: true, sendKickoff: false, sendReminders: false });
    expect(review.scope).toEqual({ appUserStatuses: [], appUserTypes: [] });
    for (const member of ['signatureConfig', 'scopeV2', 'completionDate', 'startedAt', 'closedAt', 'singleApp', 'multiApp', 'bindings']) {
      expect(review).not.toHaveProperty(member);
    }
  });

  it('ignores echoes of server-owned members without a mask and refuses them in one', async () => {
    const id = await make();
    const owned: JsonObject = {
      id: 'other',
      state: 'ACCESS_REVIEW_STATE_CLOSED',
      createdById: 'other',
      createdAt: '2020-01-01T00:00:00Z',
      updatedAt: '2020-01-01T00:00:00Z',
      startedAt: '2020-01-01T00:00:00Z',
      closedAt: '2020-01-01T00:00:00Z',
      connectorSourcesFrozenAt: '2020-01-01T00:00:00Z',
      errorState: 'ACCESS_REVIEW_ERROR_STATE_SELECTION_QUOTA_EXCEED_ERROR',
      campaignHealth: { phantomLockedCount: 3 },
      campaignInsights: { markdown: 'x' },
    };
    const before = await read(id);
    await changeReview(test.ours.admin, id, owned, undefined);
    await changeReview(test.ours.admin, id, { ...owned, displayName: 'Quarterly', policyId: String(before.policyId ?? '') }, ['*']);
    expect(await read(id)).toEqual(before);
    for (const member of Object.keys(owned).filter((name) => name !== 'state')) {
      await expect(changeReview(test.ours.admin, id, owned, [member])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', status: 400 });
    }
  });

  it('clears the other members of setup_metadata, also through a mask', async () => {
    const id = await make();
    await changeReview(test.ours.admin, id, { singleApp: { appId: 'a' } }, undefined);
    await changeReview(test.ours.admin, id, { multiApp: {} }, undefined);
    expect(await read(id)).not.toHaveProperty('singleApp');
    await changeReview(test.ours.admin, id, { bindings: {} }, ['bindings']);
    expect(await read(id)).toMatchObject({ bindings: {} });
    expect(await read(id)).not.toHaveProperty('multiApp');
    await changeReview(test.ours.admin, id, { singleApp: { appId: 'b' } }, ['singleApp.appId']);
    expect(await read(id)).toMatchObject({ singleApp: { appId: 'b' } });
    expect(await read(id)).not.toHaveProperty('bindings');
    await expect(changeReview(test.ours.admin, id, {}, ['singleApp', 'multiApp.appEntitlements'])).rejects.toThrow(/singleApp.*multiApp/);
  });

  it('refuses an unknown path of a mask', async () => {
    const id = await make();
    await expect(changeReview(test.ours.admin, id, {}, ['nothing'])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(changeReview(test.ours.admin, id, {}, ['scopeV2.nothing'])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('takes an empty number of days for none, as clients send it back that read it', async () => {
    const id = await make();
    const scopeV2 = { grantsByCriteria: { daysSinceAdded: '', daysSinceLastUsed: '90', daysSinceReviewed: '' } };
    await changeReview(test.ours.admin, id, { scopeV2 }, undefined);
    expect(await read(id)).toMatchObject({ scopeV2: { grantsByCriteria: { daysSinceLastUsed: '90' } } });
  });

  it('says everything that is wrong at once', async () => {
    const id = await make();
    const wrong = {
      displayName: ' ',
      description: 'x'.repeat(100_001),
      reviewInstructions: 'x'.repeat(100_001),
      inclusionScope: { userIds: Array.from({ length: 10_001 }, () => 'u') },
      scopeV2: { grantsByCriteria: { daysSinceAdded: 'soon', daysSinceLastUsed: '90d', daysSinceReviewed: '-1' } },
    };
    const error = await changeReview(test.ours.admin, id, wrong, undefined).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', status: 400 });
    expect((error as { violations: { field: string }[] }).violations.map(({ field }) => field)).toEqual([
      'accessReview.displayName',
      'accessReview.description',
      'accessReview.reviewInstructions',
      'accessReview.scopeV2.grantsByCriteria.daysSinceAdded',
      'accessReview.scopeV2.grantsByCriteria.daysSinceLastUsed',
      'accessReview.scopeV2.grantsByCriteria.daysSinceReviewed',
      'accessReview.inclusionScope.userIds',
    ]);
    expect(await read(id)).toMatchObject({ displayName: 'Quarterly', description: '' });
  });

  it('holds twenty changes of different fields made at once, each with its event', async () => {
    const id = await make();
    const changes = Object.entries(sampleOf(AccessReviewSchema, samples))
      .filter(([name]) => name !== 'scopeType')
      .slice(0, 20);
    expect(changes).toHaveLength(20);
    await Promise.all(changes.map(([name, value]) => changeReview(test.ours.admin, id, { [name]: value ?? '' }, [name])));
    expect(await read(id)).toMatchObject(Object.fromEntries(changes));
    const events = await test.admin(`SELECT data FROM events WHERE target_id = $1 AND kind = 'review.updated'`, [id]);
    expect(events.flatMap(({ data }) => (data as { fields: string[] }).fields).sort()).toEqual(changes.map(([name]) => name).sort());
  });

  it('counts the scope up when it changes and writes nothing when nothing does', async () => {
    const id = await make();
    const version = async () => (await requireReview(test.ours.admin, id, 'read')).scopingVersion;
    await changeReview(test.ours.admin, id, { description: 'x' }, undefined);
    expect(await version()).toBe(0);
    await changeReview(test.ours.admin, id, { scope: { appUserStatuses: ['APP_USER_STATUS_ENABLED'] } }, undefined);
    await changeReview(test.ours.admin, id, { singleApp: { appId: 'a' } }, undefined);
    expect(await version()).toBe(2);
    const later = { ...test.ours.admin, now: new Date('2026-03-02T00:00:00Z') };
    await changeReview(later, id, { singleApp: { appId: 'a' }, description: 'x' }, undefined);
    expect(await version()).toBe(2);
    expect((await read(id)).updatedAt).toBe('2026-03-01T12:00:00Z');
    expect(await test.admin(`SELECT 1 FROM events WHERE target_id = $1 AND kind = 'review.updated'`, [id])).toHaveLength(3);
    await changeReview(later, id, { description: 'y' }, undefined);
    expect((await read(id)).updatedAt).toBe('2026-03-02T00:00:00Z');
  });
});
