/** Templates: every field, what is refused, the reviews made of them, and who may see and manage them. */
import { AccessReviewSchema } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { shape } from '../../wire/reply.ts';
import type { JsonObject } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleOf } from '../../../test/support/sample-message.ts';
import { actorOf, useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Context } from '../../context.ts';
import { AppError, type FieldViolation } from '../../errors.ts';
import { AccessReviewTemplateSchema } from '../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import { createUser } from '../../foundation/directory/index.ts';
import { ensureBuiltinPolicy } from '../policies/index.ts';
import { shapeReview } from '../reviews/life/index.ts';
import { listScopeEntries } from '../snapshots/index.ts';
import { createTemplate } from './create.ts';
import { deleteTemplate } from './delete.ts';
import { readTemplates } from './record/list.ts';
import { createReviewFromTemplate } from './series/make-review.ts';
import { readOwners, setOwners } from './record/owners.ts';
import { requireTemplate } from './record/permit.ts';
import { readScopeLists, readSetup, setEntitlements, setResourceTypes, setScopeLists } from './record/setup.ts';
import { changeTemplate } from './update.ts';
import { shapeTemplate } from './record/view.ts';

/** Every member with a value that may stand there. */
function validSample(): JsonObject {
  return {
    ...sampleOf(AccessReviewTemplateSchema, {
      expression: 'true',
      tspUrl: 'https://tsa.example/stamp',
      daysSinceAdded: '90',
      daysSinceLastUsed: '90',
      daysSinceReviewed: '90',
    }),
    accessReviewDuration: '1209600s',
    annotations: { 'countersign/time_zone': 'Europe/Berlin', team: 'Finance' },
    recurrenceRule: { frequency: 'FREQUENCY_MONTHLY', interval: 1, startDate: '2026-03-31T08:00:00Z', occurrences: 4 },
  };
}

async function violationsOf(work: Promise<unknown>): Promise<readonly FieldViolation[]> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(AppError);
  return (error as AppError).violations ?? [];
}

describe('templates', () => {
  let test: TwoTenants;
  let us: Context;
  const at = (moment: string): Context => ({ ...us, now: new Date(moment) });
  beforeAll(async () => {
    test = await useTwoTenants();
    us = test.ours.admin;
    await ensureBuiltinPolicy(test.ours.system);
  });
  afterAll(() => test.close());

  it('stores and answers every field, and computes the time of the next review', async () => {
    const sample = validSample();
    const row = await createTemplate(us, sample, []);
    const { nextScheduledCampaignAt: _computed, ...stored } = sample;
    expect(shape(AccessReviewTemplateSchema, shapeTemplate(row))).toMatchObject({
      ...stored,
      id: row.id,
      occurrences: 0,
      createdAt: '2026-03-01T12:00:00Z',
      updatedAt: '2026-03-01T12:00:00Z',
      nextScheduledCampaignAt: '2026-03-31T08:00:00Z',
    });
    expect(await requireTemplate(us, row.id, 'read')).toEqual(row);
  });

  it('comes back as it was sent when it is written back as it was read', async () => {
    const row = await createTemplate(us, validSample(), []);
    const answered = shape(AccessReviewTemplateSchema, shapeTemplate(row)) as JsonObject;
    const again = await changeTemplate(at('2026-03-02T00:00:00Z'), row.id, answered, undefined);
    expect(shape(AccessReviewTemplateSchema, shapeTemplate(again))).toEqual(answered);
  });

  it('names everything that is wrong at once', async () => {
    const wrong: JsonObject = {
      displayName: ' ',
      description: 'x'.repeat(100_001),
      accessReviewDuration: '-1s',
      annotations: { 'c1/owner': 'x', 'countersign/time_zone': 'Mars/Olympus' },
      isCampaignScheduleEnabled: true,
      recurrenceRule: { frequency: 'FREQUENCY_DAILY', interval: 1001, occurrences: 0 },
      scope: { grantsByCriteria: { daysSinceAdded: 'soon' } },
    };
    expect((await violationsOf(createTemplate(us, wrong, ['nobody']))).map(({ field }) => field)).toEqual([
      'displayName',
      'description',
      'scope.grantsByCriteria.daysSinceAdded',
      'annotations',
      'annotations',
      'accessReviewDuration',
      'recurrenceRule.interval',
      'recurrenceRule.occurrences',
      'recurrenceRule.startDate',
      'ownerIds[0]',
    ]);
    expect(await violationsOf(createTemplate(us, { displayName: 'T', isCampaignScheduleEnabled: true }, []))).toMatchObject([
      { field: 'recurrenceRule' },
    ]);
    const row = await createTemplate(us, { displayName: 'T' }, []);
    expect(
      await violationsOf(
        changeTemplate(us, row.id, { accessReviewDuration: '-1s', scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS' }, undefined),
      ),
    ).toMatchObject([{ field: 'accessReviewTemplate.scopeType' }, { field: 'accessReviewTemplate.accessReviewDuration' }]);
    expect(await violationsOf(changeTemplate(us, row.id, { occurrences: 4 }, ['occurrences']))).toMatchObject([{ field: 'updateMask' }]);
  });

  it('moves the start of the schedule to a time of the next review that a mask names, and ignores an echo of it', async () => {
    const row = await createTemplate(us, { ...validSample(), isCampaignScheduleEnabled: true }, []);
    const moved = await changeTemplate(us, row.id, { nextScheduledCampaignAt: '2026-04-15T10:00:00Z' }, ['nextScheduledCampaignAt']);
    expect(shape(AccessReviewTemplateSchema, shapeTemplate(moved))).toMatchObject({
      nextScheduledCampaignAt: '2026-04-15T10:00:00Z',
      recurrenceRule: { frequency: 'FREQUENCY_MONTHLY', startDate: '2026-04-15T10:00:00Z', occurrences: 4 },
    });
    const echoed = await changeTemplate(us, row.id, { nextScheduledCampaignAt: '2031-01-01T00:00:00Z', description: 'Again' }, undefined);
    expect(shape(AccessReviewTemplateSchema, shapeTemplate(echoed))).toMatchObject({
      nextScheduledCampaignAt: '2026-04-15T10:00:00Z',
      description: 'Again',
    });
    expect(await violationsOf(changeTemplate(us, row.id, {}, ['nextScheduledCampaignAt']))).toMatchObject([
      { field: 'accessReviewTemplate.nextScheduledCampaignAt' },
    ]);
  });

  it('takes the time of the next review in a mask with other members for an echo where it stands, is absent or has passed', async () => {
    const row = await createTemplate(us, { ...validSample(), isCampaignScheduleEnabled: true }, []);
    const read = shape(AccessReviewTemplateSchema, shapeTemplate(row));
    const mask = ['description', 'nextScheduledCampaignAt', 'recurrenceRule'];
    // The provider moves the start, and sends the time that it read before.
    const recurrenceRule = { ...(read.recurrenceRule as JsonObject), startDate: '2026-06-30T08:00:00Z' };
    const sent = { description: 'Later', nextScheduledCampaignAt: row.nextAt?.toISOString() ?? '', recurrenceRule };
    const moved = shape(AccessReviewTemplateSchema, shapeTemplate(await changeTemplate(us, row.id, sent, mask)));
    expect(moved).toMatchObject({ description: 'Later', recurrenceRule: { startDate: '2026-06-30T08:00:00Z' } });
    expect(Date.parse(String(moved.nextScheduledCampaignAt))).toBe(Date.parse('2026-06-30T08:00:00Z'));
    for (const nextScheduledCampaignAt of [undefined, '2020-01-01T00:00:00Z']) {
      const echo = { description: 'Later', recurrenceRule, ...(nextScheduledCampaignAt === undefined ? {} : { nextScheduledCampaignAt }) };
      expect(shape(AccessReviewTemplateSchema, shapeTemplate(await changeTemplate(us, row.id, echo, mask)))).toEqual(moved);
    }
    const off = await createTemplate(us, { displayName: 'No schedule' }, []);
    const changed = await changeTemplate(us, off.id, { description: 'Words' }, ['description', 'nextScheduledCampaignAt']);
    expect(shape(AccessReviewTemplateSchema, shapeTemplate(changed))).toMatchObject({ description: 'Words' });
    expect(await changeTemplate(us, off.id, {}, ['nextScheduledCampaignAt'])).toEqual(changed);
  });

  it('has no next review while its schedule is off, and none in the past when it is switched on late', async () => {
    const sample: JsonObject = { ...validSample(), recurrenceRule: { frequency: 'FREQUENCY_MONTHLY', startDate: '2025-01-31T08:00:00Z' } };
    const row = await createTemplate(us, { ...sample, isCampaignScheduleEnabled: false }, []);
    expect(shape(AccessReviewTemplateSchema, shapeTemplate(row)).nextScheduledCampaignAt).toBeUndefined();
    const on = await changeTemplate(us, row.id, { isCampaignScheduleEnabled: true }, undefined);
    // At 09:00 in Berlin, in summer too.
    expect(shape(AccessReviewTemplateSchema, shapeTemplate(on)).nextScheduledCampaignAt).toBe('2026-03-31T07:00:00Z');
    expect(on.nextNumber).toBe(14);
    const off = await changeTemplate(us, row.id, { isCampaignScheduleEnabled: false }, undefined);
    expect(shape(AccessReviewTemplateSchema, shapeTemplate(off)).nextScheduledCampaignAt).toBeUndefined();
  });

  it('gives a review all it says, its lists, its owners, its dates and its name', async () => {
    const sample: JsonObject = { ...validSample(), autoStartCampaign: true, displayName: 'Quarterly' };
    const row = await createTemplate(us, sample, [test.ours.basicId]);
    await setEntitlements(
      us,
      row.id,
      [
        { appId: 'app', entitlementId: 'one' },
        { appId: 'app', entitlementId: 'two' },
      ],
      undefined,
    );
    await setResourceTypes(us, row.id, [{ appId: 'app', resourceTypeId: 'role' }], undefined);
    expect((await readSetup(us, row.id, ['', ''])).list.map(({ entitlementId }) => entitlementId)).toEqual(['one', 'two']);
    const left = {
      list: 'EXCLUSION',
      kind: 'USER',
      appId: '',
      objectId: 'someone',
      entitlementId: '',
      accountId: '',
      roleResourceId: '',
    } as const;
    expect(await violationsOf(setScopeLists(us, row.id, [{ ...left, reason: ' ' }]))).toMatchObject([{ field: 'exclusions[0].reason' }]);
    const { entries, ...types } = await setScopeLists(us, row.id, [{ ...left, reason: 'On leave' }]);
    expect(types).toEqual({ resourceTypes: [{ appId: 'app', resourceTypeId: 'role' }] });
    expect(await readScopeLists(us, row.id)).toEqual({ entries, ...types });
    // 23:30 in UTC is the next day in Berlin.
    const review = await createReviewFromTemplate(at('2026-06-01T23:30:00Z'), row.id, '');
    expect(shape(AccessReviewSchema, shapeReview(review))).toMatchObject({
      displayName: 'Quarterly, 2026-06-02',
      accessReviewTemplateId: row.id,
      state: 'ACCESS_REVIEW_STATE_DRAFT',
      createdById: test.ours.adminId,
      scheduledStartDate: '2026-06-03T23:30:00Z',
      completionDate: '2026-06-17T23:30:00Z',
      policyId: sample.policyId,
      usePolicyOverride: true,
      autoCloseDecision: sample.autoCloseDecision,
      scopeV2: sample.scope,
      inclusionScope: sample.inclusionScope,
      notificationConfig: sample.notificationConfig,
      reviewerAttributeConfig: sample.reviewerAttributeConfig,
      columnConfig: sample.columnConfig,
      signatureConfig: sample.signatureConfig,
      reviewInstructions: sample.reviewInstructions,
      description: sample.description,
    });
    expect(review.ownerIds).toEqual([test.ours.basicId]);
    expect(await listScopeEntries(us, review.id)).toEqual(entries);
    const lists = await us.db.one(
      `SELECT (SELECT count(*) FROM review_setup_entitlements s WHERE s.tenant_id = $1 AND s.review_id = $2) AS entitlements,
         (SELECT count(*) FROM review_setup_resource_types s WHERE s.tenant_id = $1 AND s.review_id = $2) AS types,
         (SELECT r.template_id FROM reviews r WHERE r.tenant_id = $1 AND r.id = $2) AS template`,
      [us.tenantId, review.id],
    );
    expect(lists).toEqual({ entitlements: 2, types: 1, template: row.id });
    expect(shape(AccessReviewTemplateSchema, shapeTemplate(await requireTemplate(us, row.id, 'read'))).occurrences).toBe(1);
    const plain = await createTemplate(us, { displayName: 'x'.repeat(1000) }, []);
    expect(shape(AccessReviewSchema, shapeReview(await createReviewFromTemplate(us, plain.id, '')))).toMatchObject({
      displayName: `${'x'.repeat(900)}, 2026-03-01`,
    });
    const named = shape(AccessReviewSchema, shapeReview(await createReviewFromTemplate(us, plain.id, ' Extra ')));
    expect(named.displayName).toBe('Extra');
    expect(named).not.toHaveProperty('completionDate');
    expect(await violationsOf(createReviewFromTemplate(us, plain.id, 'x'.repeat(1001)))).toMatchObject([{ field: 'displayName' }]);
  });

  it('ends with its deletion, and its reviews stay', async () => {
    const row = await createTemplate(us, { ...validSample(), isCampaignScheduleEnabled: true }, []);
    const review = await createReviewFromTemplate(us, row.id, '');
    await deleteTemplate(us, row.id);
    for (const work of [
      () => requireTemplate(us, row.id, 'read'),
      () => deleteTemplate(us, row.id),
      () => changeTemplate(us, row.id, {}, undefined),
      () => createReviewFromTemplate(us, row.id, ''),
      () => setEntitlements(us, row.id, [], undefined),
    ]) {
      await expect(work()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await readTemplates(us, '', 100)).map(({ id }) => id)).not.toContain(row.id);
    const kept = await us.db.one('SELECT r.state, r.template_id AS "templateId" FROM reviews r WHERE r.tenant_id = $1 AND r.id = $2', [
      us.tenantId,
      review.id,
    ]);
    expect(kept).toEqual({ state: 'DRAFT', templateId: row.id });
  });

  it('is seen by those who see everything, its owners and the Campaign Administrator who made it', async () => {
    const { system, basicId } = test.ours;
    const campaignerId = await createUser(system, { email: 'cam@ours.example', displayName: 'Cam', roles: ['CAMPAIGN_ADMINISTRATOR'] });
    const as = (userId: string, roles: Parameters<typeof actorOf>[1] = []): Context => ({ ...us, actor: actorOf(userId, roles) });
    const campaigner = as(campaignerId, ['CAMPAIGN_ADMINISTRATOR']);
    const row = await createTemplate(campaigner, { displayName: 'Mine' }, [basicId]);
    const seen = async (context: Context) => (await readTemplates(context, '', 100)).some(({ id }) => id === row.id);
    expect(await Promise.all([us, campaigner, as(basicId), as('x', ['READ_ONLY_ADMINISTRATOR'])].map(seen))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(await Promise.all([as('other'), as('other', ['CAMPAIGN_ADMINISTRATOR']), test.theirs.admin].map(seen))).toEqual([
      false,
      false,
      false,
    ]);
    // Who made it sees it, and only its owners manage it.
    await expect(changeTemplate(campaigner, row.id, { description: 'x' }, undefined)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(requireTemplate(test.theirs.admin, row.id, 'read')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await setOwners(as(basicId), row.id, [campaignerId]);
    expect((await readOwners(campaigner, row.id, '', 10)).map(({ userId }) => userId)).toEqual([campaignerId]);
    await expect(requireTemplate(as(basicId), row.id, 'read')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await violationsOf(setOwners(campaigner, row.id, []))).toMatchObject([{ field: 'userIds' }]);
  });
});
