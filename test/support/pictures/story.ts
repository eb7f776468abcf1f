/**
 * The sample company half a year on, as the pictures of docs/console.md show it: a review that ended, with its removals and its evidence, and one
 * that runs over what changed since; besides drafts, a template, policies, credentials, and ways to sign in.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeSampleGrants } from '../../../src/samples/access.ts';
import { type Loose, request, tokenOf } from '../api.ts';
import type { TestPerson } from '../server.ts';
import { type SampleCompany, startSampleCompany } from '../sample-company.ts';

const day = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();
const ledger = 'Sample Ledger';

/** Subject of the pictures. */
export interface PictureStory extends SampleCompany {
  /** Reviewer in the pictures: the head of finance. */
  readonly headId: string;
  readonly appId: string;
  readonly draftId: string;
  readonly preparedId: string;
  /** The review that runs, and the one before. */
  readonly runningId: string;
  readonly closedId: string;
  readonly policyId: string;
  readonly templateId: string;
  readonly monitorId: string;
  /** Somebody of finance whose rights the head decides about. */
  readonly personId: string;
}

type Ask = (method: string, path: string, body?: unknown) => Promise<Loose>;

/** Starts it, and does what happened in the half year; call `stop` in afterAll. */
export async function tellPictureStory(): Promise<PictureStory> {
  // Mails can be asked for, and go nowhere.
  const transport = { type: 'folder', folder: await mkdtemp(join(tmpdir(), 'pictures-')) } as const;
  const company = await startSampleCompany({ config: { mail: { transport, from: 'reviews@example.com', perMinute: 1000 } } });
  const ask: Ask = (method, path, body) => answerOf(company, company.admin, method, path, body);
  const { db } = company.system();
  const [app] = await db.rows<{ id: string }>('SELECT id FROM apps WHERE tenant_id = $1 AND display_name = $2', [company.id, ledger]);
  const appId = app?.id ?? '';
  const people = await db.rows<{ id: string; name: string }>('SELECT id, display_name AS name FROM users WHERE tenant_id = $1', [
    company.id,
  ]);
  const idOf = (name: string): string => people.find((one) => one.name === name)?.id ?? '';
  const headId = await findHead(company, appId);

  const closedId = await runReview(ask, 'Who may use the ledger?', { singleApp: { appId } }, 12);
  await decideAll(company, closedId);
  await ask('POST', `/api/v1/access_review/${closedId}/action/close`, {});
  await stateOf(ask, closedId, 'CLOSED');
  await followRemovals(company, ask, closedId);

  const apps = await db.rows<{ id: string }>('SELECT id FROM apps WHERE tenant_id = $1 ORDER BY display_name', [company.id]);
  const runningId = await runReview(
    ask,
    'Quarterly access review',
    { multiApp: { appEntitlements: Object.fromEntries(apps.map(({ id }) => [id, { appId: id, entitlementIds: [] }])) } },
    10,
  );
  await decideSome(company, runningId, headId);
  const preparedId = await draftReview(ask, 'Unused access to the ledger', { singleApp: { appId } }, 24);
  await ask('POST', `/api/v1/access_review/${preparedId}/action/prepare`, {});
  await stateOf(ask, preparedId, 'REVIEW');
  const draftId = await draftReview(ask, 'Movers: new job, old access', { singleApp: { appId } }, 30);
  const { list: policies = [] } = await ask('GET', '/api/v1/policies');
  const { list: monitors = [] } = await ask('GET', '/api/v1/accessconflict');
  const made = await ask('POST', '/api/v1/access_review_template', { displayName: 'Every quarter', description: 'All apps, by managers.' });
  await addCredentials(ask);
  await addProviders(ask);
  return {
    ...company,
    headId,
    appId,
    draftId,
    preparedId,
    runningId,
    closedId,
    policyId: findId(policies[0] ?? {}),
    templateId: findId(made),
    monitorId: findId(monitors[0] ?? {}),
    personId: idOf('Jonas Sample'),
  };
}

/** The first id in an answer. */
function findId(answer: Loose): string {
  return /"id":"([^"]+)"/.exec(JSON.stringify(answer))?.[1] ?? '';
}

async function answerOf(company: SampleCompany, person: TestPerson, method: string, path: string, body?: unknown): Promise<Loose> {
  const answer = await request(company, person, method, path, body);
  if (answer.status !== 200) {
    throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  }
  return answer.body;
}

/** Finds the manager of most who have the app. */
async function findHead(company: SampleCompany, appId: string): Promise<string> {
  const [most] = await company.system().db.rows<{ id: string }>(
    `SELECT m.user_id AS id FROM tasks t JOIN task_assignment_members m ON m.tenant_id = t.tenant_id AND m.assignment_id = t.assignment_id
     WHERE t.tenant_id = $1 AND t.review_id = $2 AND t.app_id = $3 AND m.user_id <> $4 GROUP BY m.user_id ORDER BY count(*) DESC, m.user_id LIMIT 1`,
    [company.id, company.review.id, appId, company.userId],
  );
  return most?.id ?? '';
}

async function stateOf(ask: Ask, id: string, state: string): Promise<void> {
  while ((await ask('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview.state !== `ACCESS_REVIEW_STATE_${state}`) {
    await delay(50);
  }
}

async function draftReview(ask: Ask, displayName: string, scope: object, days: number): Promise<string> {
  const made = await ask('POST', '/api/v1/access_review', { displayName });
  const id: string = made.accessReview.accessReview.id;
  await ask('POST', `/api/v1/access_review/${id}`, {
    accessReview: {
      displayName,
      ...scope,
      completionDate: inDays(days),
      reviewInstructions: 'Does this person still need it for their work? Certify what is needed, and deny what is not.',
    },
  });
  return id;
}

async function runReview(ask: Ask, displayName: string, scope: object, days: number): Promise<string> {
  const id = await draftReview(ask, displayName, scope, days);
  await ask('POST', `/api/v1/access_review/${id}/action/prepare`, {});
  await stateOf(ask, id, 'REVIEW');
  await ask('POST', `/api/v1/access_review/${id}/action/start`, {});
  await stateOf(ask, id, 'OPEN');
  return id;
}

interface Asked {
  readonly taskId: string;
  readonly userId: string;
}

/** The open tasks of a review with one of those they ask. */
function listAsked(company: SampleCompany, reviewId: string): Promise<Asked[]> {
  return company.system().db.rows<Asked>(
    `SELECT t.id AS "taskId", min(m.user_id) AS "userId" FROM tasks t
     JOIN task_assignment_members m ON m.tenant_id = t.tenant_id AND m.assignment_id = t.assignment_id
     WHERE t.tenant_id = $1 AND t.review_id = $2 AND t.state = 'OPEN' GROUP BY t.id ORDER BY t.id`,
    [company.id, reviewId],
  );
}

/** Submits decisions as those who are asked; each so manieth is a denial. */
async function submit(company: SampleCompany, reviewId: string, asked: readonly Asked[], denied: number): Promise<void> {
  for (const userId of new Set(asked.map((one) => one.userId))) {
    const person = userId === company.userId ? company.admin : await company.ownClient(userId);
    const theirs = asked.filter((one) => one.userId === userId);
    await answerOf(company, person, 'POST', `/api/v1/access_review/${reviewId}/submissions`, {
      decisions: theirs.map(({ taskId }, index) =>
        index % denied === denied - 2
          ? { taskId, decision: 'REVIEW_DECISION_DENY', comment: 'Payroll is done by the clerks.' }
          : { taskId, decision: 'REVIEW_DECISION_CERTIFY', comment: 'Needed for the month-end close.' },
      ),
    });
  }
}

async function decideAll(company: SampleCompany, reviewId: string): Promise<void> {
  await submit(company, reviewId, await listAsked(company, reviewId), 7);
}

/** Each reviewer but one and the head of finance has decided some. */
async function decideSome(company: SampleCompany, reviewId: string, headId: string): Promise<void> {
  const asked = (await listAsked(company, reviewId)).filter(({ userId }) => userId !== headId);
  const reviewers = [...new Set(asked.map(({ userId }) => userId))].slice(1);
  const shares = [0.4, 1, 0.7, 0.15, 0.9, 0.5];
  const decided = reviewers.flatMap((userId, index) => {
    const theirs = asked.filter((one) => one.userId === userId);
    return theirs.slice(0, Math.ceil(theirs.length * (shares[index % shares.length] ?? 1)));
  });
  await submit(company, reviewId, decided, 9);
}

/** Some removals are said to be done; then the app is imported again, without some of what was denied, and with some that is new. */
async function followRemovals(company: SampleCompany, ask: Ask, reviewId: string): Promise<void> {
  const { db } = company.system();
  const read = () =>
    db.rows<{ id: string; account: string; entitlement: string; resource: string; state: string }>(
      `SELECT v.id, a.external_id AS account, e.external_id AS entitlement, r.display_name AS resource, v.state FROM revocations v
       JOIN accounts a ON a.tenant_id = $1 AND a.id = v.account_id
       JOIN entitlements e ON e.tenant_id = $1 AND e.id = v.entitlement_id
       LEFT JOIN resources r ON r.tenant_id = $1 AND r.id = e.resource_id
       WHERE v.tenant_id = $1 AND v.review_id = $2 ORDER BY v.id`,
      [company.id, reviewId],
    );
  let removals = await read();
  while (removals.length === 0 || removals.some(({ state }) => state === 'HELD' || state === 'REQUESTED')) {
    await delay(50);
    removals = await read();
  }
  for (const { id } of removals.slice(0, 4)) {
    await ask('POST', `/api/v1/revocations/${id}/action/claim`, { comment: 'Ticket IT-2077' });
  }
  const gone = removals.slice(1, 4);
  const { csv } = writeSampleGrants(new Date()).findLast(({ app }) => app === ledger) ?? { csv: '' };
  const [header = '', ...lines] = csv.trim().split('\n');
  const left = lines.filter((line) => {
    const [account, , , , , resource, entitlement] = line.split(',');
    return !gone.some((one) => one.account === account && one.entitlement === entitlement && one.resource === resource);
  });
  const sample = lines.find((line) => line.startsWith('elif')) ?? lines[0] ?? '';
  const [account, email] = sample.split(',');
  const added = [`${account},${email},USER,ENABLED,ledger,Audit,Read,${inDays(-3)},${inDays(-1)},`];
  const headers = { authorization: `Bearer ${await tokenOf(company, company.admin)}`, 'content-type': 'text/csv' };
  const body = [header, ...left, ...added].join('\n');
  await company.fetch(`/api/v1/imports/grants?app=${encodeURIComponent(ledger)}`, { method: 'POST', headers, body });
}

async function addCredentials(ask: Ask): Promise<void> {
  for (const [displayName, more] of [
    ['Terraform, production', { expires: '2592000s', allowSourceCidr: ['192.0.2.0/24'] }],
    ['Nightly import', { allowSourceCidr: ['198.51.100.7/32'] }],
    ['Auditor export', { expires: '7776000s' }],
  ] as const) {
    await ask('POST', '/api/v1/iam/personal_clients', { displayName, ...more });
  }
}

async function addProviders(ask: Ask): Promise<void> {
  for (const displayName of ['Sample Sign-on', 'Sample Contractors']) {
    const issuerId = `https://${displayName.toLowerCase().replace(' ', '-')}.example.com`;
    await ask('POST', '/api/v1/auth-configs', {
      displayName,
      oidc: { issuerId, oidcClientId: 'countersign', oidcClientSecret: 'a secret of theirs' },
    });
  }
}
