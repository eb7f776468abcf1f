/**
 * Field by field over HTTP: each field of the record of a review, changed alone, changes something that can be seen. One row for each field of
 * the message; a field without a row fails. What mails say because of a field is in mail.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessReviewSchema } from '../../src/gen/c1/api/accessreview/v1/accessreview_pb.js';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { sampled } from '../support/runs.ts';
import type { TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile, type World, worldGrants } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

let server: TestServer;
let world: World;
/** An open review that nobody else uses, and one that closed by its date. */
let openId: string;
let closedId: string;

const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await admin(method, path, body);
  expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 200, undefined]);
  return answer.body;
};
const at = (id: string): string => `/api/v1/access_review/${id}`;
const change = (id: string, accessReview: object) => ok('POST', at(id), { accessReview });
/** Changes what names a date so soon that a busy machine may get to it too late: then it is another. */
const changeSoon = (id: string, makeFields: () => object) => until(() => change(id, makeFields()));
const read = async (id: string): Promise<Loose> => (await ok('GET', at(id))).accessReview.accessReview;
const stateOf = async (id: string): Promise<string> => (await read(id)).state.replace('ACCESS_REVIEW_STATE_', '');
const becomes = (id: string, state: string): Promise<Loose> => world.until(id, state);
const soon = (ms: number): string => new Date(Date.now() + ms).toISOString();
/** Previews a draft over the app with this change, or returns the fields for which it is refused. */
async function previewOf(accessReview: object): Promise<Loose> {
  const id = await world.makeDraft();
  await change(id, accessReview);
  const answer = await admin('POST', `${at(id)}/preview`, {});
  return answer.status === 200 ? answer.body : violatedFields(answer);
}
const itemsOf = async (accessReview: object): Promise<unknown> => {
  const preview = await previewOf(accessReview);
  return preview.items ?? preview;
};
const startOpen = async (accessReview: object): Promise<string> => {
  const id = await world.makeDraft();
  await change(id, accessReview);
  await ok('POST', `${at(id)}/action/prepare`, {});
  await becomes(id, 'REVIEW');
  await ok('POST', `${at(id)}/action/start`, {});
  await becomes(id, 'OPEN');
  return id;
};
const reviewerSees = async (id: string): Promise<Loose> => (await world.call(world.assignee, 'GET', at(id))).body.accessReview.accessReview;
const tasksOf = async (id: string): Promise<Loose[]> =>
  (await ok('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100 })).list.map(({ task }: Loose) => task);

/** Changed alone while the review is open, its reviewers read it. */
const shown = (member: string, value: unknown) => async () => {
  expect((await reviewerSees(openId))[member]).not.toEqual(value);
  await change(openId, { [member]: value });
  expect((await reviewerSees(openId))[member]).toMatchObject(typeof value === 'object' ? (value as object) : expect.anything());
  expect({ value: (await reviewerSees(openId))[member] }).toMatchObject({ value });
};
/** Changed alone in a draft, it asks about something else, or is refused by name. */
const asks = (accessReview: object, expected: unknown) => async () => {
  expect(await itemsOf({})).toBe('76');
  expect(await itemsOf(accessReview)).toEqual(expected);
};
/** The server's own: there where its moment has come, and ignored where a client sends it. */
const owned = (member: string, expected: () => unknown) => async () => {
  expect({ value: (await read(closedId))[member] }).toEqual({ value: expected() });
  const answer = await admin('POST', at(openId), { accessReview: {}, updateMask: member });
  expect([answer.status, violatedFields(answer)]).toEqual([400, ['updateMask']]);
};
const time = () => expect.stringMatching(/Z$/);

const rows: Readonly<Record<string, () => Promise<void>>> = {
  id: owned('id', () => closedId),
  createdById: owned('createdById', () => server.admin.id),
  createdAt: owned('createdAt', time),
  updatedAt: owned('updatedAt', time),
  startedAt: owned('startedAt', time),
  closedAt: owned('closedAt', time),
  connectorSourcesFrozenAt: owned('connectorSourcesFrozenAt', time),
  legalHold: async () => {
    expect((await read(closedId)).legalHold).toBeUndefined();
    const { hold } = await ok('POST', '/api/v1/legal_holds', { accessReviewId: closedId, reason: 'Case 7' });
    await owned('legalHold', () => expect.objectContaining({ id: hold.id, reason: 'Case 7' }))();
  },
  emptiedAt: async () => {
    // The time of that, and what goes with it, is in retention.test.ts.
    expect((await read(closedId)).emptiedAt).toBeUndefined();
    await server.test.admin('UPDATE reviews SET emptied_at = now() WHERE tenant_id = $1 AND id = $2', [server.id, closedId]);
    await owned('emptiedAt', time)();
    await server.test.admin('UPDATE reviews SET emptied_at = NULL WHERE tenant_id = $1 AND id = $2', [server.id, closedId]);
  },
  campaignHealth: owned('campaignHealth', () => ({ checkedAt: time(), phantomLockedCount: 0 })),
  campaignInsights: owned('campaignInsights', () => ({
    markdown: expect.stringMatching(/^- \*\*76 items:\*\* .*76 revoked(?:.|\n)*Now 76 are open and 0 are proven/),
  })),
  state: async () => {
    const id = await world.makeDraft();
    await ok('POST', at(id), { accessReview: { state: 'ACCESS_REVIEW_STATE_PREPARING' }, updateMask: 'state' });
    await becomes(id, 'REVIEW');
  },
  displayName: shown('displayName', 'Another name'),
  description: shown('description', 'Another description'),
  reviewInstructions: shown('reviewInstructions', '## Read this'),
  completionDate: shown('completionDate', '2035-01-01T00:00:00Z'),
  defaultView: shown('defaultView', 'ACCESS_REVIEW_VIEW_TYPE_BY_APP'),
  columnConfig: async () => {
    await shown('columnConfig', { columns: ['ACCESS_REVIEW_TASK_COLUMN_RISK_LEVEL'], orderedColumns: [] })();
    const orderedColumns = Array.from({ length: 11 }, (_, n) => ({ appUserAttributeKey: `key ${n}` }));
    const columns = ['ACCESS_REVIEW_TASK_COLUMN_UNSPECIFIED'];
    const refused = await admin('POST', at(openId), { accessReview: { columnConfig: { orderedColumns, columns } } });
    expect([refused.status, violatedFields(refused)]).toEqual([
      400,
      ['accessReview.columnConfig.columns[0]', 'accessReview.columnConfig.orderedColumns'],
    ]);
  },
  reviewerAttributeConfig: async () => {
    await server
      .system()
      .db.run(`UPDATE review_accounts SET profile = '{"team": "Red", "site": "B"}' WHERE tenant_id = $1 AND review_id = $2`, [
        server.id,
        openId,
      ]);
    expect((await tasksOf(openId))[0].data).not.toHaveProperty('accountAttributes');
    await change(openId, { reviewerAttributeConfig: { bindings: [{ appId: world.appId, attributeKey: 'team' }] } });
    expect((await tasksOf(openId))[0].data.accountAttributes).toEqual({ team: 'Red' });
    // An attribute that stands as a column has its value too.
    await change(openId, { columnConfig: { orderedColumns: [{ appUserAttributeKey: 'site' }] } });
    expect((await tasksOf(openId))[0].data.accountAttributes).toEqual({ team: 'Red', site: 'B' });
    const refused = await admin('POST', at(openId), {
      accessReview: { reviewerAttributeConfig: { bindings: [{ appId: '', attributeKey: ' ' }] } },
    });
    expect(violatedFields(refused)).toEqual(
      ['appId', 'attributeKey'].map((name) => `accessReview.reviewerAttributeConfig.bindings[0].${name}`),
    );
  },
  signatureConfig: async () => {
    const id = await world.makeDraft();
    const refused = await admin('POST', at(id), { accessReview: { signatureConfig: { tspUrl: 'ftp://tsa.example' } } });
    expect([refused.status, violatedFields(refused)]).toEqual([400, ['accessReview.signatureConfig.tspUrl']]);
    const long = await admin('POST', at(id), { accessReview: { signatureConfig: { meaningOfSignature: 'm'.repeat(1_001) } } });
    expect([long.status, violatedFields(long)]).toEqual([400, ['accessReview.signatureConfig.meaningOfSignature']]);
    await change(id, { signatureConfig: { meaningOfSignature: 'm'.repeat(1_000) } });
    await change(id, { signatureConfig: { requireSignature: true, stepUpProviderId: 'nobody' } });
    await ok('POST', `${at(id)}/action/prepare`, {});
    await becomes(id, 'REVIEW');
    const start = await admin('POST', `${at(id)}/action/start`, {});
    expect([start.status, violatedFields(start)]).toEqual([
      400,
      ['meaningOfSignature', 'stepUpProviderId'].map((name) => `accessReview.signatureConfig.${name}`),
    ]);
  },
  accessReviewTemplateId: asks({ accessReviewTemplateId: 'nothing' }, ['accessReview.accessReviewTemplateId']),
  policyId: async () => {
    const reviewers = async (accessReview: object) => (await previewOf(accessReview)).reviewers[0].displayName;
    expect([await reviewers({}), await reviewers({ policyId: world.policyId })]).toEqual(['Person 01', 'Person 02']);
  },
  usePolicyOverride: async () => {
    await ok('POST', `/api/v1/apps/${world.appId}`, { app: { certifyPolicyId: world.policyId }, updateMask: 'certifyPolicyId' });
    const [plain, overridden] = [await previewOf({}), await previewOf({ usePolicyOverride: true })];
    await ok('POST', `/api/v1/apps/${world.appId}`, { app: { certifyPolicyId: '' }, updateMask: 'certifyPolicyId' });
    expect([plain.reviewers[0].displayName, overridden.reviewers[0].displayName]).toEqual(['Person 01', 'Person 02']);
  },
  scopeType: async () => {
    const made = await ok('POST', '/api/v1/access_review', { displayName: 'x', scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS' });
    const { id } = made.accessReview.accessReview;
    await change(id, { singleApp: { appId: world.appId } });
    expect((await admin('POST', `${at(id)}/preview`, {})).status).toBe(400);
  },
  singleApp: () => asks({ singleApp: { appId: world.otherAppId } }, ['accessReview'])(),
  multiApp: () => {
    const { appId, entitlementId } = world;
    return asks({ multiApp: { appEntitlements: { [appId]: { appId, entitlementIds: [entitlementId] } } } }, '42')();
  },
  bindings: asks({ bindings: {} }, expect.arrayContaining([expect.stringContaining('accessReview')])),
  scope: asks({ scope: { appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] } }, ['accessReview']),
  inclusionScope: async () => asks({ inclusionScope: { userIds: [(await read(openId)).createdById] } }, ['accessReview'])(),
  exclusionScope: asks({ exclusionScope: { appUserStatuses: ['APP_USER_STATUS_ENABLED'] } }, ['accessReview']),
  scopeV2: asks({ scopeV2: { appAccess: {} } }, '42'),
  scopingVersion: async () => {
    const id = await world.makeDraft();
    const before = Number((await read(id)).scopingVersion);
    await ok('POST', `${at(id)}/action/prepare`, {});
    await becomes(id, 'REVIEW');
    expect(Number((await read(id)).scopingVersion)).toBeGreaterThan(before);
  },
  expectedTicketCount: async () => expect((await read(openId)).expectedTicketCount).toBe(76),
  hasAccuracySupport: async () => {
    expect([(await read(await world.makeDraft())).hasAccuracySupport, (await read(openId)).hasAccuracySupport]).toEqual([false, true]);
  },
  accuracyIssueAction: async () => {
    const [{ connectorId }] = (await ok('GET', `${at(openId)}/accuracy`)).accuracy.sources;
    await ok('POST', `/api/v1/apps/${world.appId}/connectors/${connectorId}/pause`, {});
    const [waits, goesOn] = [await world.makeDraft(), await world.makeDraft()];
    await change(waits, { accuracyIssueAction: 'ACCURACY_ISSUE_ACTION_WAIT' });
    for (const id of [waits, goesOn]) {
      await changeSoon(id, () => ({ autoStartCampaign: true, scheduledStartDate: soon(1_500) }));
    }
    await becomes(goesOn, 'OPEN');
    await expect
      .poll(async () => (await ok('GET', `${at(waits)}/accuracy`)).accuracy, { timeout: 60_000 })
      .toMatchObject({
        heldSince: time(),
        sources: [{ connectorId, flags: ['ACCURACY_FLAG_PAUSED'] }],
      });
    expect(await stateOf(waits)).toBe('DRAFT');
    await ok('POST', `/api/v1/apps/${world.appId}/connectors/${connectorId}/resume`, {});
    await becomes(waits, 'OPEN');
  },
  autoStartCampaign: asks({ autoStartCampaign: true }, ['accessReview.scheduledStartDate']),
  scheduledStartDate: async () => {
    const id = await world.makeDraft();
    const refused = await admin('POST', at(id), { accessReview: { scheduledStartDate: soon(-1_000) } });
    expect([refused.status, violatedFields(refused)]).toEqual([400, ['accessReview.scheduledStartDate']]);
    await changeSoon(id, () => ({ autoStartCampaign: true, scheduledStartDate: soon(1_000) }));
    await becomes(id, 'OPEN');
  },
  autoCloseCampaign: asks({ autoCloseCampaign: true }, ['accessReview.completionDate']),
  autoCloseDecision: async () => {
    const ends = new Set((await tasksOf(closedId)).map((task) => task.type.certify.outcome));
    expect(ends).toEqual(new Set(['CERTIFY_OUTCOME_DECERTIFIED']));
  },
  autoGenerateReport: async () => {
    await expect.poll(async () => (await ok('GET', `${at(closedId)}/report`)).list.length, { timeout: 60_000 }).toBe(1);
  },
  autoResolve: async () => {
    const [resolves, stays] = [await startOpen({ autoResolve: true }), await startOpen({ autoResolve: false })];
    const fewer = worldGrants
      .split('\n')
      .filter((line) => !/^a00,.*,R00,e05,/.test(line))
      .join('\n');
    expect((await sendFile(server, server.admin, '/api/v1/imports/grants?app=World', fewer)).status).toBe(200);
    const goneOf = async (id: string) =>
      (await tasksOf(id)).filter(({ data }) => data.endReason === 'GRANT_GONE' || data.goneSince !== undefined);
    await expect.poll(async () => (await goneOf(resolves)).map(({ state }) => state), { timeout: 60_000 }).toEqual(['TASK_STATE_CLOSED']);
    expect(await goneOf(stays)).toMatchObject([
      {
        state: 'TASK_STATE_OPEN',
        data: { goneSince: time(), goneSinceSyncId: expect.any(String) },
        description: expect.stringContaining('no longer'),
      },
    ]);
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=World', worldGrants);
  },
  errorState: async () => {
    // Without an app: all that people hold, app access too, which is more than this server allows.
    const id = await world.makeDraft();
    await ok('POST', at(id), { accessReview: { scopeV2: { userCriteria: { userStatus: ['ENABLED'] } } }, updateMask: 'singleApp,scopeV2' });
    await ok('POST', `${at(id)}/action/prepare`, {});
    await becomes(id, 'DRAFT');
    expect((await read(id)).errorState).toBe('ACCESS_REVIEW_ERROR_STATE_SELECTION_QUOTA_EXCEED_ERROR');
    expect((await ok('GET', `${at(id)}/progress`)).progress.error).toContain('this installation allows 76');
    await change(id, { singleApp: { appId: world.appId } });
    expect((await read(id)).errorState).toBe('ACCESS_REVIEW_ERROR_STATE_UNSPECIFIED');
  },
  // What follows from these is seen in mails, and in alerts once there are monitors; here that they are kept.
  notificationConfig: async () => {
    await change(openId, { notificationConfig: { sendReminders: true } });
    expect((await read(openId)).notificationConfig).toEqual({ sendKickoff: false, sendReminders: true, sendClose: false });
  },
  exemptCertifiedAccessConflicts: async () => {
    const id = await world.makeDraft();
    await change(id, { exemptCertifiedAccessConflicts: true });
    expect((await read(id)).exemptCertifiedAccessConflicts).toBe(true);
  },
};

describe('each field of a review', () => {
  beforeAll(async () => {
    const made = await startWorld({ config: { maxReviewItems: 76 } });
    server = made.server;
    world = made.world;
    openId = await startOpen({});
    closedId = await startOpen({
      autoCloseCampaign: true,
      completionDate: '2035-01-01T00:00:00Z',
      autoCloseDecision: 'CLOSE_DECISION_REVOKED',
      autoGenerateReport: true,
    });
    await changeSoon(closedId, () => ({ completionDate: soon(500) }));
    await becomes(closedId, 'CLOSED');
  });
  afterAll(() => server.stop());

  it('has a row', () => {
    expect(Object.keys(rows).sort()).toEqual(AccessReviewSchema.fields.map((field) => field.jsonName).sort());
  });

  it.each(sampled(Object.entries(rows), 3))('%s', async (_name, row) => {
    await row();
  });
});
