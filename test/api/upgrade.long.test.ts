/**
 * Installations of releases before, brought up to date by the start of a server: what they held is there, and what was under way goes on, to its
 * end. What single migrations make of single rows is tested in src/db.
 */
import { describe, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import type { TestDatabase } from '../support/database.ts';
import { fetchAsHost } from '../support/fetch-as-host.ts';
import { isLong } from '../support/runs.ts';
import { type ServedTenant, startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { type Company, grantsCsv, type Held, held, startCompany } from '../support/small-company.ts';
import { until } from '../support/until.ts';
import { fillFrom, openDatabaseBefore } from '../support/upgrade.ts';

/** The company's work under way as its service is stopped. */
interface Before {
  readonly company: Company;
  readonly boss: TestPerson;
  readonly openId: string;
  readonly draftId: string;
  readonly templateId: string;
  readonly monitorId: string;
  /** Replies about it. */
  readonly reads: Readonly<Record<string, Loose>>;
}

type Ask = (method: string, path: string, body?: unknown, person?: TestPerson) => Promise<Loose>;

const askOf =
  (tenant: ServedTenant, admin: TestPerson): Ask =>
  async (method, path, body, person = admin) => {
    const answer = await request(tenant, person, method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body;
  };

const tasksOf = async (ask: Ask, reviewId: string, more: object = {}): Promise<Loose[]> =>
  (await ask('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], pageSize: 100, ...more })).list.map(({ task }: Loose) => task);

/** By account and entitlement, what names each of these tasks. */
const nameIn = (company: Company, task: Loose): string => {
  const { appUserId, appEntitlementId } = task.type.certify;
  const nameOf = (id: string) => Object.entries(company.ids).find(([, one]) => one === id)?.[0] ?? '';
  return `${nameOf(appUserId)} ${nameOf(appEntitlementId)}`;
};

/** Reads what no release changes: who is here, what they hold, what is asked, and what was answered. */
async function readAll(ask: Ask, { appId }: Company, openId: string, draftId: string): Promise<Record<string, Loose>> {
  const core = ({ id, displayName, state, createdAt, policyId, singleApp }: Loose) => ({
    id,
    displayName,
    state,
    createdAt,
    policyId,
    singleApp,
  });
  const reviews = await Promise.all([openId, draftId].map((id) => ask('GET', `/api/v1/access_review/${id}`)));
  const tasks = await tasksOf(ask, openId);
  const users = await ask('POST', '/api/v1/search/users', { pageSize: 100 });
  const entitlements = await ask('GET', `/api/v1/apps/${appId}/entitlements?page_size=100`);
  return {
    reviews: reviews.map((body) => core(body.accessReview.accessReview)),
    policies: (await ask('GET', '/api/v1/policies?page_size=100')).list.map(({ id, displayName, policySteps }: Loose) => [
      id,
      displayName,
      policySteps,
    ]),
    tasks: tasks.map(({ id, state, numericId, stepApproverIds, type }) => ({
      id,
      state,
      numericId,
      stepApproverIds,
      outcome: type.certify.outcome,
    })),
    users: users.list.map(({ user }: Loose) => [user.id, user.email, user.status, user.displayName]),
    entitlements: entitlements.list.map(({ appEntitlement }: Loose) => [
      appEntitlement.id,
      appEntitlement.displayName,
      appEntitlement.grantCount,
    ]),
    progress: (await ask('GET', `/api/v1/access_review/${openId}/progress`)).progress.done,
  };
}

/** A company with a review under way, and a draft, a template, a monitor and denied access besides; it is stopped at the end. */
async function makeBefore(): Promise<Before> {
  const company = await startCompany(startTestServer());
  const { server, appId, users, ids } = company;
  const ask = askOf(server, server.admin);
  const boss = await server.issueClient(users['max'] ?? '');
  const steps = [{ approval: { manager: {} } }, { approval: { users: { userIds: [users['ida']] } } }];
  const made = await ask('POST', '/api/v1/policies', {
    displayName: 'Manager, then Ida',
    policyType: 'POLICY_TYPE_CERTIFY',
    policySteps: { certify: { steps } },
  });
  const fields = { singleApp: { appId }, policyId: made.policy.id, autoResolve: true };
  const [openId, draftId] = [await company.draft(fields), await company.draft(fields)];
  await company.act(openId, 'prepare', 'REVIEW');
  await company.act(openId, 'start', 'OPEN');
  const tasks = await tasksOf(ask, openId);
  const taskOf = (name: string): string => tasks.find((task) => nameIn(company, task) === name)?.id;
  await ask('POST', `/api/v1/tasks/${taskOf('a1 pay')}/action/approve`, {}, boss);
  await ask('POST', `/api/v1/tasks/${taskOf('a1 grp')}/action/deny`, { comment: 'No longer on the staff' }, boss);
  const template = await ask('POST', '/api/v1/access_review_template', { displayName: 'Every year' });
  const templateId = template.accessReviewTemplate.id;
  await ask('POST', `/api/v1/access_review_template/${templateId}/scope_and_entitlements`, {
    entitlements: [{ appId, appEntitlementId: ids['pay'] }],
  });
  const { id: monitorId } = await ask('POST', '/api/v1/accessconflict', { displayName: 'Pay and book' });
  for (const [name, entitlementGroup] of [
    ['pay', 'ENTITLEMENT_GROUP_A'],
    ['sub', 'ENTITLEMENT_GROUP_B'],
  ]) {
    await ask('POST', '/api/v1/appentitlementmonitorbinding', {
      monitorId,
      appId,
      appEntitlementId: ids[name as string],
      entitlementGroup,
    });
  }
  await ask('POST', `/api/v1/accessconflict/${monitorId}/action/enable`, {});
  await until(async () => expect((await ask('GET', `/api/v1/conflict_alerts?monitor_id=${monitorId}`)).list).toHaveLength(1));
  const reads = await readAll(ask, company, openId, draftId);
  await server.app.stop();
  return { company, boss, openId, draftId, templateId, monitorId, reads };
}

/** Starts a server on a database of that release, which was filled with all of this, and follows it to its end. */
async function goOn(before: Before, test: TestDatabase, has: { templates: boolean; conflicts: boolean }): Promise<void> {
  const { company, openId, draftId } = before;
  const server: TestServer = await startTestServer({ test });
  try {
    const { host } = company.server;
    const tenant: ServedTenant = {
      ...company.server,
      fetch: (path, init) => fetchAsHost(host)(`http://127.0.0.1:${server.app.port}${path}`, init),
    };
    // Tokens are kept by person: these begin anew.
    const [admin, boss] = [{ ...company.server.admin }, { ...before.boss }];
    const ask = askOf(tenant, admin);
    const becomes = (id: string, state: string) =>
      until(async () =>
        expect((await ask('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`),
      );
    const importHeld = async (rows: readonly Held[]): Promise<void> => {
      const token = (await (
        await tenant.fetch('/auth/v1/token', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            client_id: admin.credential.clientId,
            client_secret: admin.credential.clientSecret,
          }).toString(),
        })
      ).json()) as { access_token: string };
      const sent = await tenant.fetch('/api/v1/imports/grants?app=P&allow_removals=true', {
        method: 'POST',
        headers: { authorization: `Bearer ${token.access_token}`, 'content-type': 'text/csv' },
        body: grantsCsv(rows),
      });
      expect(sent.status).toBe(200);
    };
    expect(await readAll(ask, company, openId, draftId)).toEqual(before.reads);

    // The review under way: the second step of what was approved, the first of another, and access that goes.
    const find = async (name: string): Promise<Loose> => (await tasksOf(ask, openId)).find((task) => nameIn(company, task) === name);
    await ask('POST', `/api/v1/tasks/${(await find('a1 pay')).id}/action/approve`, { comment: 'Still needed' });
    expect((await find('a1 pay')).type.certify.outcome).toBe('CERTIFY_OUTCOME_CERTIFIED');
    await ask('POST', `/api/v1/tasks/${(await find('a2 pay')).id}/action/deny`, { comment: 'Left accounting' }, boss);
    await ask('POST', `/api/v1/tasks/${(await find('a3 sub')).id}/action/comment`, { comment: 'Whose is it?' });
    await importHeld(held.filter(([account, name]) => account !== 'a1' || name !== 'rep'));
    await until(async () => expect((await find('a1 rep')).data.endReason).toBe('GRANT_GONE'));
    await ask('POST', `/api/v1/access_review/${openId}/action/close`, {});
    await becomes(openId, 'CLOSED');
    const reports = `/api/v1/access_review/${openId}/report`;
    await ask('POST', reports, { format: 'ACCESS_REVIEW_REPORT_FORMAT_CSV' });
    const report = await until(async () => {
      const { list } = await ask('GET', reports);
      expect(list[0]?.downloadUrl).toMatch(/^http/);
      return list[0];
    });
    const url = new URL(report.downloadUrl);
    const text = await (await tenant.fetch(`${url.pathname}${url.search}`)).text();
    expect(text.trim().split('\n')).toHaveLength(1 + held.length);
    expect(text).toContain('Left accounting');

    // What was denied is removed, and that is seen by the next file: before and after the new release alike.
    const state = async () => (await test.admin('SELECT state FROM revocations ORDER BY state')).map((row) => row['state']);
    // One from before, one from after.
    const both = (one: string) => [one, one];
    await until(async () => expect(await state()).toEqual(both('IN_PROGRESS')));
    await importHeld(held.filter(([account, name]) => account !== 'a2' && name !== 'grp' && (account !== 'a1' || name !== 'rep')));
    await until(async () => expect(await state()).toEqual(both('VERIFIED')));

    // A draft of then is prepared and started now.
    await ask('POST', `/api/v1/access_review/${draftId}/action/prepare`, {});
    await becomes(draftId, 'REVIEW');
    await ask('POST', `/api/v1/access_review/${draftId}/action/start`, {});
    await becomes(draftId, 'OPEN');
    expect((await tasksOf(ask, draftId)).length).toBeGreaterThan(2);
    if (has.templates) {
      const made = await ask('POST', `/api/v1/access_review_template/${before.templateId}/action/create_review`, {});
      const { id } = made.accessReview.accessReview;
      await ask('POST', `/api/v1/access_review/${id}/action/prepare`, {});
      await becomes(id, 'REVIEW');
      expect((await ask('GET', `/api/v1/access_review/${id}/selections`)).list).toHaveLength(1);
    }
    if (has.conflicts) {
      // Ann holds both still; then no longer.
      const alerts = async () =>
        (await ask('GET', `/api/v1/conflict_alerts?monitor_id=${before.monitorId}`)).list.map((one: Loose) => one.state);
      expect(await alerts()).toEqual(['CONFLICT_ALERT_STATE_ACTIVE']);
      await importHeld(held.filter(([, name]) => name === 'pay'));
      await until(async () => expect(await alerts()).toEqual(['CONFLICT_ALERT_STATE_RESOLVED']));
    }
  } finally {
    await server.app.stop();
  }
}

/** The first migration that each lacks, whether it is for the long suite alone, and what it had. */
const releases = [
  ['before mails and the scopes of today', '_mail.sql', false, { templates: false, conflicts: false }],
  ['before links and pending decisions', '_links_and_parents.sql', true, { templates: true, conflicts: false }],
  ['before insights and removals', '_insights.sql', true, { templates: true, conflicts: false }],
  ['before links as items and independence', '_links_as_items.sql', true, { templates: true, conflicts: true }],
  ['before triggers', '_triggers.sql', true, { templates: true, conflicts: true }],
] as const;

describe('an installation of a release before', () => {
  it.each(releases.filter(([, , isForLong]) => isLong || !isForLong))('%s goes on', async (_name, ending, _isForLong, has) => {
    const before = await makeBefore();
    const test = await openDatabaseBefore(ending);
    try {
      await fillFrom(before.company.server.test, test);
      await goOn(before, test, has);
    } finally {
      await test.close();
      await before.company.server.stop();
    }
  });
});
