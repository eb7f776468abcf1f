/** A review whose items ask one manager, and some of them a second person: for tests of the queue in a browser. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Loose, request, tokenOf } from './api.ts';
import type { TestServer } from './server.ts';

const day = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * day).toISOString();
const names = ['Jonas', 'Tara', 'Nadia', 'Dario', 'Idris', 'Thea', 'Yara', 'Olga', 'Yusuf', 'Ivan', 'Dmitri', 'Zoe'];
const rights = ['Release payments', 'Change salaries', 'Approve invoices', 'See salaries', 'Prepare payments', 'See invoices'];

/** Makes the ten seconds in which a submission can be taken back as long as a busy machine may need. For pages, before they load. */
export const longTenSeconds = `{
  const set = globalThis.setTimeout;
  globalThis.setTimeout = (run, ms, ...rest) => set(run, ms === 10000 ? 600000 : ms, ...rest);
}`;

/** A running review of `items` items. */
export interface QueueStory {
  readonly reviewId: string;
  /** The manager of everybody, whom all items ask. */
  readonly elif: string;
  /** Somebody who may be given a task. */
  readonly farid: string;
  /** Ids of people by the part of their address before the sign. */
  readonly users: Readonly<Record<string, string>>;
  call(method: string, path: string, body?: unknown): Promise<Loose>;
  /** Standing of the review's tasks. */
  counts(): Promise<Loose>;
}

/** Differences from story to story. */
export interface QueueStoryOptions {
  readonly items: number;
  /** Demands of the policy's step, as its document has them. */
  readonly rules?: object;
  /** Further people whom every item asks, by name: `farid`. */
  readonly besides?: readonly string[];
  readonly name?: string;
  /** Further members of the review, as a change of it has them. */
  readonly review?: object;
  /** Accounts that nobody owns: each has the first right as well. */
  readonly accounts?: readonly string[];
  /** The name of the person who may be given a task. */
  readonly nameOfFarid?: string;
}

async function importCsv(server: TestServer, path: string, lines: readonly string[]): Promise<void> {
  const headers = { authorization: `Bearer ${await tokenOf(server, server.admin)}`, 'content-type': 'text/csv' };
  const response = await server.fetch(path, { method: 'POST', headers, body: lines.join('\n') });
  expect([path, response.status, await response.json()]).toEqual([path, 200, expect.anything()]);
}

/** Imports people and grants, and runs a review of them that asks their manager. */
export async function tellQueueStory(
  server: TestServer,
  {
    items,
    rules = {},
    besides = [],
    name = 'Quarterly access review',
    review = {},
    accounts = [],
    nameOfFarid = 'Farid Sample',
  }: QueueStoryOptions,
): Promise<QueueStory> {
  const call = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await request(server, server.admin, method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body;
  };
  const count = Math.ceil(items / rights.length);
  const people = Array.from({ length: count }, (_, index) => {
    const first = names[index % names.length] ?? '';
    return {
      login: `${first.toLowerCase()}${index < names.length ? '' : index}`,
      name: `${first} Sample${index < names.length ? '' : ` ${index}`}`,
    };
  });
  await importCsv(server, '/api/v1/imports/people', [
    'email,display_name,employment_status,department,job_title,manager_email',
    'elif@corp.test,Elif Sample,ACTIVE,Finance,Head of Finance,',
    `farid@corp.test,${nameOfFarid},ACTIVE,Finance,Controller,elif@corp.test`,
    ...people.map(
      ({ login, name: full }, index) =>
        `${login}@corp.test,${full},ACTIVE,Finance,${index % 2 === 0 ? 'Accountant' : 'Payroll clerk'},elif@corp.test`,
    ),
  ]);
  const app = `Ledger of ${name}`;
  const rows = Array.from({ length: items }, (_, index) => {
    const { login } = people[Math.floor(index / rights.length)] ?? { login: '' };
    const right = rights[index % rights.length] ?? '';
    const used = index % 7 === 3 ? ago(214) : index % 11 === 5 ? '' : ago(index % 20);
    return `${login},${login}@corp.test,USER,ENABLED,module,${right.split(' ')[1]},${right},${ago(400 + index)},${used}`;
  });
  await importCsv(server, `/api/v1/imports/grants?app=${encodeURIComponent(app)}`, [
    'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at',
    ...rows,
    ...accounts.map((account) => `${account},,USER,ENABLED,module,payments,${rights[0]},${ago(30)},`),
  ]);
  const { db, tenantId } = server.system();
  const found = await db.rows<{ id: string; name: string }>(
    `SELECT u.id, split_part(u.email, '@', 1) AS name FROM users u WHERE u.tenant_id = $1 AND u.email LIKE '%@corp.test'`,
    [tenantId],
  );
  const users = Object.fromEntries(found.map((one) => [one.name, one.id]));
  const { id: appId } = await db.one<{ id: string }>('SELECT a.id FROM apps a WHERE a.tenant_id = $1 AND a.display_name = $2', [
    tenantId,
    app,
  ]);
  const asked = ['elif', ...besides].map((one) => users[one] ?? '');
  const { policy } = await call('POST', '/api/v1/policies', {
    displayName: `Asks for ${name}`,
    policyType: 'POLICY_TYPE_CERTIFY',
    policySteps: { certify: { steps: [{ approval: { users: { userIds: asked }, allowReassignment: true, ...rules } }] } },
  });
  const made = await call('POST', '/api/v1/access_review', { displayName: name, policyId: policy.id });
  const reviewId = made.accessReview.accessReview.id as string;
  await call('POST', `/api/v1/access_review/${reviewId}`, {
    accessReview: { singleApp: { appId }, completionDate: new Date(Date.now() + 10 * day).toISOString(), policyId: policy.id, ...review },
  });
  for (const [action, state] of [
    ['prepare', 'REVIEW'],
    ['start', 'OPEN'],
  ] as const) {
    await call('POST', `/api/v1/access_review/${reviewId}/action/${action}`, {});
    const until = Date.now() + 120_000;
    while ((await call('GET', `/api/v1/access_review/${reviewId}`)).accessReview.accessReview.state !== `ACCESS_REVIEW_STATE_${state}`) {
      expect(Date.now(), `${action} takes too long`).toBeLessThan(until);
      await delay(50);
    }
  }
  return {
    reviewId,
    elif: users['elif'] ?? '',
    farid: users['farid'] ?? '',
    users,
    call,
    counts: async () => (await call('GET', `/api/v1/access_review/${reviewId}/counts`)).counts,
  };
}
