/**
 * A company in which everything that somebody can name has a name that tries everything: markup, a turned direction that does not end, letters as
 * wide as two without a place to break, emoji that are joined, and characters that are not seen. Every screen has rows of it. Each name stands
 * between ‹ and ›, so that a test knows a name from the words around it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Loose, request } from './api.ts';
import { useTestServer, type TestPerson, type TestServer } from './server.ts';
import { sendFile } from './world.ts';

const wide = 'Ｗ'.repeat(90);

/** The name of something. */
export const nameOf = (what: string): string =>
  `‹${what} <img src=x onerror="document.title='hacked'"><b>\u202Eecilla \u{1F469}\u200D\u{1F4BB}\u200B ${wide}›`;

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const day = 86_400_000;

/** The company and the ids of what is in it. */
export interface HostileCompany {
  readonly server: TestServer;
  /** Somebody who is asked in the running review. */
  readonly reviewerId: string;
  readonly appId: string;
  readonly openId: string;
  readonly closedId: string;
  /** An item of the closed review. */
  readonly closedTaskId: string;
  readonly draftId: string;
  /** Prepared, not started. */
  readonly stagedId: string;
  readonly policyId: string;
  readonly templateId: string;
  readonly monitorId: string;
  readonly sourceId: string;
}

/** The API refuses a name that turns the direction; files and the other texts bring it all the same. */
const withPermittedNames = (body: object | undefined): object | undefined =>
  body === undefined
    ? undefined
    : JSON.parse(JSON.stringify(body), (key, value) => (key === 'displayName' ? String(value).replaceAll('\u202E', '') : value));

/** Makes it; stop `server` in afterAll. */
export async function startHostileCompany(): Promise<HostileCompany> {
  const server = await useTestServer();
  await server.test.admin('UPDATE tenants SET display_name = $2 WHERE tenant_id = $1', [server.id, nameOf('tenant')]);
  const call = async (verb: string, path: string, body?: object, person: TestPerson = server.admin): Promise<Loose> => {
    const answer = await request(server, person, verb, `/api/v1/${path}`, withPermittedNames(body));
    if (answer.status !== 200) {
      throw new Error(`${verb} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  };
  const appId = await importInventory(server, call);
  const people = (await call('POST', 'search/users', { query: '@evil.test' })).list.map(({ user }: Loose) => user);
  const reviewer = people.find(({ email }: Loose) => email === 'boss@evil.test');
  const policyId = (
    await call('POST', 'policies', {
      displayName: nameOf('policy'),
      description: nameOf('words of the policy'),
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: { certify: { steps: [{ approval: { users: { userIds: [reviewer.id] }, allowReassignment: true } }] } },
    })
  ).policy.id;
  const monitorId = await watchConflicts(call, appId);

  const draft = async (what: string): Promise<string> => {
    const id = (await call('POST', 'access_review', { displayName: nameOf(what), policyId })).accessReview.accessReview.id;
    const completionDate = new Date(Date.now() + 10 * day).toISOString();
    const fields = {
      displayName: nameOf(what),
      singleApp: { appId },
      policyId,
      completionDate,
      reviewInstructions: nameOf('instructions'),
    };
    await call('POST', `access_review/${id}`, { accessReview: { ...fields, description: nameOf('words of the review') } });
    return id;
  };
  const act = async (id: string, action: string, state: string): Promise<void> => {
    await call('POST', `access_review/${id}/action/${action}`, {});
    while ((await call('GET', `access_review/${id}`)).accessReview.accessReview.state !== `ACCESS_REVIEW_STATE_${state}`) {
      await delay(50);
    }
  };
  const boss = await server.issueClient(reviewer.id);
  const decide = async (id: string): Promise<void> => {
    const { list } = await call('POST', 'search/tasks', { accessReviewIds: [id], pageSize: 100 });
    const [first, second] = list.map(({ task }: Loose) => task.id);
    await call('POST', `tasks/${first}/action/deny`, { comment: nameOf('reason') }, boss);
    await call('POST', `tasks/${second}/action/approve`, { comment: nameOf('note') }, boss);
  };
  const [closedId, openId, stagedId, draftId] = [await draft('closed'), await draft('open'), await draft('staged'), await draft('draft')];
  for (const id of [closedId, openId]) {
    await act(id, 'prepare', 'REVIEW');
    await act(id, 'start', 'OPEN');
    await decide(id);
    await (id === closedId ? act(id, 'close', 'CLOSED') : undefined);
  }
  await act(stagedId, 'prepare', 'REVIEW');
  await call('POST', `access_review/${closedId}/report`, {});
  const closedTask = (await call('GET', `access_review/${closedId}/selections`)).list[0].selection;
  const template = await call('POST', 'access_review_template', { displayName: nameOf('template') });
  await call('POST', 'auth-configs', {
    displayName: nameOf('provider'),
    oidc: { issuerId: 'https://id.example.com', oidcClientId: nameOf('client'), oidcClientSecret: 'secret' },
  });
  await call('POST', 'iam/personal_clients', { displayName: nameOf('credential'), expires: '2592000s' });
  await call('POST', 'service_principals', { displayName: nameOf('principal') });
  const { list: sources } = await call('GET', 'sources');
  return {
    server,
    reviewerId: reviewer.id,
    appId,
    openId,
    closedId,
    closedTaskId: closedTask.taskId,
    draftId,
    stagedId,
    policyId,
    monitorId,
    templateId: template.accessReviewTemplate.id,
    sourceId: sources.find((one: Loose) => one.appId === appId).id,
  };
}

type Call = (verb: string, path: string, body?: object) => Promise<Loose>;

async function importInventory(server: TestServer, call: Call): Promise<string> {
  const send = async (path: string, rows: readonly string[]): Promise<void> => {
    const { status, body } = await sendFile(server, server.admin, path, rows.join('\n'));
    if (status !== 200) {
      throw new Error(`${path}: ${JSON.stringify(body)}`);
    }
  };
  const source = encodeURIComponent(nameOf('source'));
  const person = (login: string, manager: string, status = 'ACTIVE'): string =>
    [`${login}@evil.test`, cell(nameOf(login)), manager, cell(nameOf('department')), cell(nameOf('job')), status].join(',');
  await send(`/api/v1/imports/people?source=${source}`, [
    'email,display_name,manager_email,department,job_title,employment_status',
    person('boss', ''),
    person('ann', 'boss@evil.test'),
    person('bob', 'boss@evil.test'),
    person('gone', 'ann@evil.test', 'TERMINATED'),
  ]);
  // Somebody else under the address of somebody who left: it is asked who that is.
  await send(`/api/v1/imports/people?source=${encodeURIComponent(nameOf('other source'))}`, [
    'email,display_name',
    `gone@evil.test,${cell(nameOf('somebody'))}`,
  ]);
  const grant = (login: string, right: string, type = 'USER', used = ''): string =>
    [
      cell(nameOf(`account ${login}`)),
      type === 'USER' ? `${login}@evil.test` : '',
      type,
      'ENABLED',
      cell(nameOf('kind')),
      cell(nameOf('resource')),
      cell(nameOf(right)),
      '2024-03-01T00:00:00Z',
      used,
    ].join(',');
  const rows = ['ann', 'bob', 'gone'].flatMap((login) => [
    grant(login, 'prepare', 'USER', '2026-10-01T00:00:00Z'),
    grant(login, 'release'),
  ]);
  await send(`/api/v1/imports/grants?app=${encodeURIComponent(nameOf('app'))}&source=${source}`, [
    'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at',
    ...rows,
    grant('robot', 'prepare', 'SERVICE_ACCOUNT'),
  ]);
  const appId = (await call('GET', 'apps')).list[0].id;
  const boss = (await call('POST', 'search/users', { query: 'boss@evil.test' })).list[0].user.id;
  await call('PUT', `apps/${appId}/owners`, { userIds: [boss] });
  return appId;
}

/** Watches that nobody holds both rights, and waits until somebody who does was found. */
async function watchConflicts(call: Call, appId: string): Promise<string> {
  const { list } = await call('GET', `apps/${appId}/entitlements`);
  const { id } = await call('POST', 'accessconflict', { displayName: nameOf('monitor'), description: nameOf('words of the monitor') });
  for (const [what, entitlementGroup] of [
    ['prepare', 'ENTITLEMENT_GROUP_A'],
    ['release', 'ENTITLEMENT_GROUP_B'],
  ] as const) {
    const right = list.find(({ appEntitlement }: Loose) => appEntitlement.displayName.includes(`‹${what} `));
    await call('POST', 'appentitlementmonitorbinding', {
      monitorId: id,
      appId,
      appEntitlementId: right.appEntitlement.id,
      entitlementGroup,
    });
  }
  await call('POST', `accessconflict/${id}/action/enable`, {});
  while ((await call('GET', `conflict_alerts?monitor_id=${id}`)).list.length === 0) {
    await delay(50);
  }
  return id;
}
