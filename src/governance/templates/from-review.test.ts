/** A template made of a review: everything that a template can hold, and a review of it that asks the same. */
import { AccessReviewSchema } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { shape } from '../../wire/reply.ts';
import type { JsonObject } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Context } from '../../context.ts';
import { ensureBuiltinPolicy } from '../policies/index.ts';
import { createReview } from '../reviews/life/create.ts';
import { shapeReview } from '../reviews/life/index.ts';
import { listScopeEntries, listSetupRows } from '../snapshots/index.ts';
import { setScopeLists } from '../reviews/scope/scope-lists.ts';
import { setEntitlements as chooseEntitlements, setResourceTypes as chooseResourceTypes } from '../reviews/scope/setup.ts';
import { changeReview } from '../reviews/life/update.ts';
import { createTemplateFromReview, describeTemplate, readDuration } from './from-review.ts';
import { createReviewFromTemplate } from './series/make-review.ts';
import { readScopeLists, readSetup } from './record/setup.ts';

/** Words of a review, and what a template is to hold of it. */
const said: JsonObject = {
  description: 'Once a quarter',
  reviewInstructions: 'Look twice.',
  autoResolve: true,
  autoCloseCampaign: true,
  autoCloseDecision: 'CLOSE_DECISION_REVOKED',
  autoGenerateReport: true,
  accuracyIssueAction: 'ACCURACY_ISSUE_ACTION_WAIT',
  usePolicyOverride: true,
  notificationConfig: { sendClose: true, sendKickoff: true, sendReminders: false },
  scopeV2: { userCriteria: { userStatus: ['ENABLED'] }, grantsByCriteria: { daysSinceAdded: '30' } },
  exclusionScope: { appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] },
  multiApp: { appEntitlements: { app: { appId: 'app', entitlementIds: [] }, other: { appId: 'other', entitlementIds: ['one'] } } },
};

describe('a template of a review', () => {
  let test: TwoTenants;
  let us: Context;
  beforeAll(async () => {
    test = await useTwoTenants();
    us = test.ours.admin;
    await ensureBuiltinPolicy(test.ours.system);
  });
  afterAll(() => test.close());

  it('holds its members, lists and owners, and makes a review that asks the same', async () => {
    const { id } = await createReview(us, { displayName: 'Quarterly' }, [test.ours.basicId], '');
    await changeReview(us, id, { ...said, completionDate: '2030-02-01T00:00:00Z', scheduledStartDate: '2030-01-01T00:00:00Z' }, undefined);
    await chooseEntitlements(us, id, [{ appId: 'app', entitlementId: 'chosen' }], undefined);
    await chooseResourceTypes(us, id, [{ appId: 'app', resourceTypeId: 'role' }], undefined);
    const exclusion = {
      list: 'EXCLUSION',
      kind: 'USER',
      appId: '',
      objectId: 'someone',
      entitlementId: '',
      accountId: '',
      roleResourceId: '',
    };
    const changesOnly = {
      list: 'CHANGES_ONLY',
      kind: '',
      appId: '',
      objectId: '',
      entitlementId: '',
      accountId: '',
      roleResourceId: '',
      reason: '',
    };
    await setScopeLists(us, id, [{ ...exclusion, reason: 'On leave' }, changesOnly] as never);

    const template = await createTemplateFromReview(us, id, ' Every quarter ');
    expect(template).toMatchObject({ ownerIds: [test.ours.basicId], createdById: us.actor.userId });
    const { scopeV2, ...shared } = said;
    expect(template.document).toMatchObject({ ...shared, scope: scopeV2, displayName: 'Every quarter', accessReviewDuration: '2678400s' });
    const lists = await readScopeLists(us, template.id);
    expect(lists.entries).toEqual(await listScopeEntries(us, id));
    expect(lists.resourceTypes).toEqual([{ appId: 'app', resourceTypeId: 'role' }]);
    expect((await readSetup(us, template.id, ['', ''])).list.map(({ entitlementId }) => entitlementId)).toEqual(['chosen']);

    const again = await createReviewFromTemplate(us, template.id, 'Again');
    expect(shape(AccessReviewSchema, shapeReview(again))).toMatchObject({
      ...said,
      displayName: 'Again',
      state: 'ACCESS_REVIEW_STATE_DRAFT',
    });
    expect(await listScopeEntries(us, again.id)).toEqual(lists.entries);
    expect(await listSetupRows(us, again.id)).toEqual(await listSetupRows(us, id));
  });

  it('keeps the name of the review where none is sent, and is of no review that the caller may not know of', async () => {
    const { id } = await createReview(us, { displayName: 'Plain' }, [], '');
    const template = await createTemplateFromReview(us, id, ' ');
    expect(template.document).toMatchObject({ displayName: 'Plain' });
    expect(template.document.multiApp).toBeUndefined();
    expect(template.document.accessReviewDuration).toBeUndefined();
    await expect(createTemplateFromReview(us, 'nothing', '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(createTemplateFromReview(test.theirs.admin, id, '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(createTemplateFromReview(us, id, 'x'.repeat(1001))).rejects.toMatchObject({ violations: [{ field: 'displayName' }] });
  });
});

describe('what a review says in members of its own', () => {
  const describeOf = (document: JsonObject, chosen: Parameters<typeof describeTemplate>[1] = []) =>
    describeTemplate({ document: { displayName: 'Review', ...document }, startedAt: null }, chosen, '');

  it('is said in those of templates', () => {
    expect(describeOf({ singleApp: { appId: 'app' } }).multiApp).toMatchObject({
      appEntitlements: { app: { appId: 'app', entitlementIds: [] } },
    });
    expect(
      describeOf({ scope: { appUserTypes: ['A', 'B'] }, inclusionScope: { appUserTypes: ['B'], userIds: ['ann'] } }).inclusionScope,
    ).toEqual({
      appUserTypes: ['B'],
      userIds: ['ann'],
    });
    const withPolicy = { appId: 'app', entitlementId: 'one', customPolicyId: 'strict' };
    expect(describeOf({}, [withPolicy]).multiApp).toMatchObject({
      appEntitlementDetails: { app: { entitlementDetails: { one: { appId: 'app', entitlementId: 'one', policyId: 'strict' } } } },
    });
  });

  it('is a duration where both of its ends are known', () => {
    const completionDate = '2030-01-03T00:00:00Z';
    expect(readDuration({ document: { completionDate }, startedAt: new Date('2030-01-01T00:00:00Z') })).toBe('172800s');
    expect(readDuration({ document: { completionDate, scheduledStartDate: '2030-01-02T00:00:00Z' }, startedAt: null })).toBe('86400s');
    expect(readDuration({ document: { completionDate }, startedAt: null })).toBeUndefined();
    expect(readDuration({ document: { completionDate }, startedAt: new Date('2031-01-01T00:00:00Z') })).toBeUndefined();
  });
});
