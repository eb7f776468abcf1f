/** The life of a review, cell by cell: what may change, who may delete, and who may see and manage, in each state. */
import { ReviewTombstoneSchema } from '../../../gen/countersign/v1/review_pb.js';
import {
  AccessReviewSchema,
  type AccessReviewStateJson,
  AccessReviewViewSchema,
} from '../../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { shape } from '../../../wire/reply.ts';
import type { JsonObject } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actorOf, useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import type { Context } from '../../../context.ts';
import { createUser } from '../../../foundation/directory/index.ts';
import type { Stage } from '../record/changeable.ts';
import { groupOfMember, type MemberGroup } from '../record/members.ts';
import { createReview } from './create.ts';
import { deleteReview } from './delete.ts';
import { setOwners } from '../record/owners.ts';
import { requireReview } from '../record/permit.ts';
import { setEntitlements, setResourceTypes } from '../scope/setup.ts';
import { findReview, type ReviewRow, updateReview } from '../record/store.ts';
import { readTombstone, readTombstones } from '../lists/tombstones.ts';
import { changeReview } from './update.ts';
import { shapeReview, shapeReviewView, shapeTombstone, noPath } from './view.ts';

const stages: readonly Stage[] = ['DRAFT', 'PREPARING', 'REVIEW', 'PENDING', 'STARTING', 'OPEN', 'CLOSING', 'CLOSED'];

/** One member of each group, and another value for it. */
const changes: Readonly<Record<Exclude<MemberGroup, 'computed'>, JsonObject>> = {
  texts: { description: 'other' },
  presentation: { defaultView: 'ACCESS_REVIEW_VIEW_TYPE_BY_USER' },
  completion: { completionDate: '2027-01-01T00:00:00Z' },
  start: { scheduledStartDate: '2027-01-01T00:00:00Z' },
  notifications: { notificationConfig: { sendReminders: true } },
  closing: { autoCloseDecision: 'CLOSE_DECISION_REVOKED' },
  signature: { signatureConfig: { requireSignature: true } },
  rules: { policyId: 'other' },
  scope: { scopeV2: { allUsers: {} } },
  kind: { scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS' },
};

/** Written out manually from the table of the life of a review: where each group may change. */
const allowed: Readonly<Record<Exclude<MemberGroup, 'computed'>, readonly Stage[]>> = {
  texts: ['DRAFT', 'PREPARING', 'REVIEW', 'PENDING', 'STARTING', 'OPEN'],
  presentation: ['DRAFT', 'PREPARING', 'REVIEW', 'PENDING', 'STARTING', 'OPEN'],
  completion: ['DRAFT', 'PREPARING', 'REVIEW', 'PENDING', 'STARTING', 'OPEN'],
  start: ['DRAFT', 'PREPARING', 'REVIEW', 'PENDING'],
  notifications: ['DRAFT', 'PREPARING', 'REVIEW', 'PENDING', 'OPEN'],
  closing: ['DRAFT', 'PREPARING', 'REVIEW', 'PENDING', 'OPEN'],
  signature: ['DRAFT', 'PREPARING', 'REVIEW', 'PENDING'],
  rules: ['DRAFT'],
  scope: ['DRAFT'],
  kind: [],
};

describe('a review in its state', () => {
  let test: TwoTenants;
  let owner: Context;
  /** The same person with the role that chooses scopes: an owner without it only narrows (narrow-scope.test.ts). */
  let chooser: Context;
  let otherOwner: Context;
  let reader: Context;
  let campaigner: Context;

  const as = async (name: string, roles: Parameters<typeof actorOf>[1]): Promise<Context> => {
    const id = await createUser(test.ours.system, { email: `${name}@ours.example`, displayName: name, roles: roles ?? [] });
    return { ...test.ours.system, actor: actorOf(id, roles) };
  };
  beforeAll(async () => {
    test = await useTwoTenants();
    owner = await as('owner', []);
    chooser = { ...owner, actor: actorOf(owner.actor.userId, ['CAMPAIGN_ADMINISTRATOR']) };
    otherOwner = await as('other-owner', []);
    reader = await as('reader', ['READ_ONLY_ADMINISTRATOR']);
    campaigner = await as('campaigner', ['CAMPAIGN_ADMINISTRATOR']);
  });
  afterAll(() => test.close());

  const make = async (stage: Stage = 'DRAFT'): Promise<string> => {
    const { id } = await createReview(campaigner, { displayName: 'Quarterly' }, [owner.actor.userId], '');
    const state = stage === 'CLOSING' ? 'OPEN' : stage;
    await updateReview(test.ours.system, id, {
      state,
      closing: stage === 'CLOSING',
      ...(stage === 'DELETED' ? { deleteReason: 'mistake' } : {}),
    });
    return id;
  };
  const read = async (id: string): Promise<JsonObject> =>
    shape(AccessReviewSchema, shapeReview(await requireReview(test.ours.admin, id, 'read'))) as JsonObject;

  const cells = stages.flatMap((stage) => (Object.keys(changes) as (keyof typeof changes)[]).map((group) => [stage, group] as const));
  it.each(cells)('%s: %s change or do not', async (stage, group) => {
    const id = await make(stage);
    const before = await read(id);
    const change = changes[group];
    const [member = ''] = Object.keys(change);
    for (const mask of [undefined, [member]]) {
      if (allowed[group].includes(stage)) {
        await changeReview(chooser, id, change, mask);
        expect(await read(id)).toMatchObject(change);
      } else {
        const state = stage === 'CLOSING' ? 'OPEN' : stage;
        const refused = { code: 'FAILED_PRECONDITION', status: 400, violations: [{ field: `accessReview.${member}` }] };
        const error = await changeReview(chooser, id, change, mask).catch((caught: unknown) => caught);
        expect(error).toMatchObject(refused);
        expect((error as Error).message).toContain(group === 'kind' ? 'creation' : `ACCESS_REVIEW_STATE_${state}`);
        expect(await read(id)).toEqual(before);
      }
    }
  });

  it.each(stages)('%s: everything sent unchanged is allowed, with and without a mask', async (stage) => {
    const id = await make(stage);
    const before = await read(id);
    await changeReview(owner, id, before, undefined);
    await changeReview(owner, id, before, ['*']);
    await changeReview(owner, id, { description: '' }, ['description', 'scope', 'policyId'].slice(0, 1));
    expect(await read(id)).toEqual(before);
  });

  it.each(stages.filter((stage) => stage !== 'DRAFT'))(
    '%s: what the server computes is ignored without a mask and refused in one',
    async (stage) => {
      const id = await make(stage);
      const sent = { expectedTicketCount: 9, scopingVersion: '9', hasAccuracySupport: true, accessReviewTemplateId: 'x' };
      await changeReview(owner, id, sent, undefined);
      expect(await read(id)).toMatchObject({
        expectedTicketCount: 0,
        scopingVersion: '0',
        hasAccuracySupport: false,
        accessReviewTemplateId: '',
      });
      for (const member of Object.keys(sent)) {
        await expect(changeReview(owner, id, sent, [member])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', status: 400 });
      }
    },
  );

  it.each(stages)('%s: the chosen entitlements and resource types change or do not', async (stage) => {
    const id = await make();
    await setEntitlements(chooser, id, [{ appId: 'a', entitlementId: 'e' }], undefined);
    await updateReview(test.ours.system, id, { state: stage === 'CLOSING' ? 'OPEN' : stage, closing: stage === 'CLOSING' });
    const attempts = [
      () => setEntitlements(chooser, id, [{ appId: 'a', entitlementId: 'other' }], undefined),
      () => setEntitlements(chooser, id, [{ appId: 'a', entitlementId: 'other' }], { allUsers: {} }),
      () => setResourceTypes(chooser, id, [{ appId: 'a', resourceTypeId: 't' }], undefined),
    ];
    for (const attempt of attempts) {
      if (stage === 'DRAFT') {
        await attempt();
      } else {
        await expect(attempt()).rejects.toMatchObject({
          code: 'FAILED_PRECONDITION',
          message: expect.stringContaining('ACCESS_REVIEW_STATE_'),
        });
      }
    }
    if (stage !== 'DRAFT') {
      expect((await setEntitlements(chooser, id, [{ appId: 'a', entitlementId: 'e' }], undefined)).list).toHaveLength(1);
    }
  });

  it.each(stages)('%s: the owners change or do not', async (stage) => {
    const id = await make(stage);
    const change = setOwners(owner, id, [owner.actor.userId, otherOwner.actor.userId]);
    if (stage === 'CLOSING' || stage === 'CLOSED') {
      await expect(change).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
      expect(await setOwners(owner, id, [owner.actor.userId])).toHaveLength(1);
    } else {
      expect(await change).toHaveLength(2);
    }
  });

  /** Outcome of a delete by each caller: d deleted, p may not, s refused for its state, n does not know of it. */
  const deletes: Readonly<Record<Stage, Record<'admin' | 'owner' | 'reader' | 'campaigner' | 'basic', string>>> = {
    DRAFT: { admin: 'd', owner: 'd', reader: 'p', campaigner: 'p', basic: 'n' },
    PREPARING: { admin: 's', owner: 's', reader: 'p', campaigner: 'p', basic: 'n' },
    REVIEW: { admin: 'd', owner: 'd', reader: 'p', campaigner: 'p', basic: 'n' },
    PENDING: { admin: 'd', owner: 'd', reader: 'p', campaigner: 'p', basic: 'n' },
    STARTING: { admin: 's', owner: 's', reader: 'p', campaigner: 'p', basic: 'n' },
    OPEN: { admin: 'd', owner: 'p', reader: 'p', campaigner: 'p', basic: 'n' },
    CLOSING: { admin: 's', owner: 's', reader: 'p', campaigner: 'p', basic: 'n' },
    CLOSED: { admin: 's', owner: 's', reader: 'p', campaigner: 'p', basic: 'n' },
    DELETED: { admin: 'n', owner: 'n', reader: 'n', campaigner: 'n', basic: 'n' },
  };
  const codes: Record<string, string> = { p: 'PERMISSION_DENIED', s: 'FAILED_PRECONDITION', n: 'NOT_FOUND' };
  const deleteCells = Object.entries(deletes).flatMap(([stage, row]) =>
    Object.entries(row).map(([who, what]) => [stage as Stage, who, what] as const),
  );
  it.each(deleteCells)('%s: delete by %s is %s', async (stage, who, what) => {
    const context = { admin: test.ours.admin, owner, reader, campaigner, basic: test.ours.basic }[who] as Context;
    const id = await make(stage);
    const stored = async () => (await findReview(test.ours.admin, id)) as ReviewRow;
    const permitted = shape(AccessReviewViewSchema, shapeReviewView(context.actor, await stored(), undefined, noPath)).objectPermissions
      ?.delete;
    expect(permitted).toBe(what === 'd');
    if (what !== 'd') {
      await expect(deleteReview(context, id, 'because')).rejects.toMatchObject({ code: codes[what] });
    }
    if (what === 'd') {
      const reason = who === 'admin' ? ' it was a mistake ' : '';
      await expect(readTombstone(reader, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await deleteReview(context, id, reason);
      for (const other of [test.ours.admin, owner, reader, campaigner, test.ours.basic]) {
        await expect(requireReview(other, id, 'read')).rejects.toMatchObject({ code: 'NOT_FOUND' });
        await expect(createReview(campaigner, { displayName: 'Copy' }, [], id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
      await expect(deleteReview(context, id, 'again')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(changeReview(context, id, { description: 'x' }, undefined)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await test.admin(`SELECT data FROM events WHERE target_id = $1 AND kind = 'review.deleted'`, [id])).toHaveLength(1);
      for (const allowed of [test.ours.admin, reader]) {
        expect(shape(ReviewTombstoneSchema, shapeTombstone(allowed.actor, await readTombstone(allowed, id)))).toMatchObject({
          accessReview: { accessReview: { id, displayName: 'Quarterly', state: 'ACCESS_REVIEW_STATE_DELETED' } },
          deletedById: context.actor.userId,
          deletedAt: context.now.toISOString().replace('.000', ''),
          reason: reason === '' ? 'no reason given' : 'it was a mistake',
        });
        expect((await readTombstones(allowed, '', 1000)).map((row) => row.id)).toContain(id);
      }
      for (const other of [owner, campaigner, test.ours.basic, test.theirs.admin]) {
        await expect(readTombstone(other, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
      await expect(readTombstones(owner, '', 10)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    } else {
      expect((await stored()).state).toBe(stage === 'CLOSING' ? 'OPEN' : stage);
    }
  });

  it('asks for a transition where state is named in the mask, and says what it is where it cannot be had', async () => {
    const id = await make();
    const ask = (state: AccessReviewStateJson) => changeReview(owner, id, { state, description: 'beside' }, ['state']);
    expect((await ask('ACCESS_REVIEW_STATE_DRAFT')).document.description).toBe('');
    await expect(ask('ACCESS_REVIEW_STATE_CLOSED')).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('DRAFT'),
    });
    await expect(ask('ACCESS_REVIEW_STATE_DELETED')).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    await expect(changeReview(owner, id, {}, ['state'])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(
      changeReview(owner, id, { state: 'ACCESS_REVIEW_STATE_CLOSED', description: 'x' }, ['state', 'description']),
    ).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
    });
    expect((await requireReview(owner, id, 'read')).document.description).toBe('');
    expect(groupOfMember).not.toHaveProperty('state');
  });

  it('waits for its start date once that is set on a staged review, and no longer once it is gone', async () => {
    const id = await make('REVIEW');
    const stateOf = async () => (await requireReview(owner, id, 'read')).state;
    await changeReview(owner, id, { scheduledStartDate: '2027-01-01T00:00:00Z' }, undefined);
    expect(await stateOf()).toBe('REVIEW');
    await changeReview(owner, id, { autoStartCampaign: true }, undefined);
    expect(await stateOf()).toBe('PENDING');
    const nextOf = async () => (await test.admin('SELECT next_at FROM reviews WHERE id = $1', [id]))[0]?.next_at;
    expect(await nextOf()).toEqual(new Date('2027-01-01T00:00:00Z'));
    await changeReview(owner, id, { scheduledStartDate: '2027-02-01T00:00:00Z' }, undefined);
    expect(await stateOf()).toBe('PENDING');
    expect(await nextOf()).toEqual(new Date('2027-02-01T00:00:00Z'));
    await changeReview(owner, id, {}, ['scheduledStartDate']);
    expect(await stateOf()).toBe('REVIEW');
    expect(await nextOf()).toBeNull();
    const events = await test.admin(`SELECT kind FROM events WHERE target_id = $1 AND kind LIKE '%scheduled' ORDER BY id`, [id]);
    expect(events.map(({ kind }) => kind)).toEqual(['review.scheduled', 'review.unscheduled']);
  });
});
