/**
 * A company with a review in which an item ends in every way there is, for tests that hold the figures of reviews against each other: decided by a person,
 * by their delegate, by somebody it was passed to, amended, certified until a day alone, in two steps, by a policy, carried over, gone, cancelled, without
 * anybody who is asked, and left to the close.
 */
import { expect } from 'vitest';
import { type Loose, request } from './api.ts';
import type { TestPerson, TestServer } from './server.ts';
import { until } from './until.ts';
import { adminOf, sendFile } from './world.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement';
const line = (account: string, email: string): string => `${account},${email},USER,ENABLED,role,Desk,use`;

/** The app of manager approvals: the accounts by what becomes of their items. */
export const ledger = [
  ...['certified', 'until', 'denied', 'amended', 'delegate', 'passed', 'again', 'cancelled', 'skipped', 'gone', 'left1', 'left2', 'left3'],
] as const;

/** The company, once for a tenant; reviews are run in it one after the other. */
export interface FiguresStory {
  readonly server: TestServer;
  readonly boss: TestPerson;
  readonly deputy: TestPerson;
  readonly second: TestPerson;
  readonly appIds: Readonly<Record<string, string>>;
  /** Opens a review of all apps: one that asks only about changes since another, where that is named. */
  open(name: string, duplicateFrom?: string): Promise<string>;
  /** Has everything happen in it but the close; what is not open any more is left as it is. */
  act(reviewId: string): Promise<void>;
  close(reviewId: string, decision: 'SKIP' | 'REVOKED' | 'NO_ACTION'): Promise<void>;
}

export async function makeFiguresStory(server: TestServer): Promise<FiguresStory> {
  const admin = adminOf(server);
  const domain = 'figures.example';
  const people = ['boss', 'deputy', 'second', 'self', 'left'].map((name) => `${name}@${domain}`);
  await sendFile(
    server,
    server.admin,
    '/api/v1/imports/people',
    [
      'email,display_name,manager_email,department',
      ...people.map((email, n) => `${email},${email.split('@')[0]},${n === 0 ? '' : people[0]},${n % 2 === 0 ? 'Sales' : ''}`),
    ]
      .concat(ledger.map((name, n) => `${name}@${domain},${name},boss@${domain},${n % 3 === 0 ? 'Sales' : 'Works'}`))
      .join('\n'),
  );
  const users: Loose[] = (await admin('POST', '/api/v1/search/users', { query: domain, pageSize: 100 })).list;
  const idOf = (name: string): string => users.find(({ user }: Loose) => user.email === `${name}@${domain}`)?.user.id;
  const [boss, deputy, second] = [
    await server.ownClient(idOf('boss')),
    await server.ownClient(idOf('deputy')),
    await server.ownClient(idOf('second')),
  ];

  const policy = async (displayName: string, steps: readonly object[]): Promise<string> =>
    (await admin('POST', '/api/v1/policies', { displayName, policyType: 'POLICY_TYPE_CERTIFY', policySteps: { certify: { steps } } }))
      .policy.id;
  const manager = { approval: { manager: {}, allowDelegation: true, allowReassignment: true } };
  const policies: Readonly<Record<string, string>> = {
    Ledger: await policy('Managers', [manager]),
    Mail: await policy('Accepts', [{ accept: { acceptMessage: 'Nobody is asked about mail.' } }]),
    Bank: await policy('Rejects', [{ reject: { rejectMessage: 'Nobody keeps this.' } }]),
    Vault: await policy('Two steps', [manager, { approval: { users: { userIds: [second.id] } } }]),
    Gate: await policy('A person, then the policy', [manager, { accept: { acceptMessage: 'Enough.' } }]),
    Nobody: await policy('Managers alone', [{ approval: { manager: {} } }]),
  };
  const grantsOf: Readonly<Record<string, readonly string[]>> = {
    Ledger: ledger.map((name) => line(name, `${name}@${domain}`)),
    Mail: ['m1', 'm2'].map((name) => line(name, `left1@${domain}`)),
    Bank: [line('b1', `left1@${domain}`)],
    Vault: ['both', 'first', 'neither'].map((name) => line(name, `left2@${domain}`)),
    Gate: [line('g1', `left3@${domain}`)],
    Nobody: [line('unowned', '')],
  };
  const put = (app: string, lines: readonly string[]) =>
    sendFile(server, server.admin, `/api/v1/imports/grants?app=${app}&allow_removals=true`, [header, ...lines].join('\n'));
  const appIds: Record<string, string> = {};
  for (const app of Object.keys(grantsOf)) {
    const { body } = await put(app, grantsOf[app] ?? []);
    appIds[app] = body.import.appId;
    await admin('POST', `/api/v1/apps/${appIds[app]}`, { app: { certifyPolicyId: policies[app] }, updateMask: 'certifyPolicyId' });
  }
  await admin('POST', `/api/v1/users/${boss.id}/set-delegation-by-admin`, { delegatedUserId: deputy.id });

  const untilState = async (id: string, state: string) =>
    until(async () => {
      const { accessReview } = (await admin('GET', `/api/v1/access_review/${id}`)).accessReview;
      expect(accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`);
    });
  return {
    server,
    boss,
    deputy,
    second,
    appIds,
    async open(displayName, duplicateFrom) {
      for (const app of Object.keys(grantsOf)) {
        await put(app, grantsOf[app] ?? []);
      }
      const { id } = (
        await admin('POST', '/api/v1/access_review', { displayName, ...(duplicateFrom === undefined ? {} : { duplicateFrom }) })
      ).accessReview.accessReview;
      if (duplicateFrom === undefined) {
        await admin('POST', `/api/v1/access_review/${id}`, {
          accessReview: {
            usePolicyOverride: true,
            multiApp: { appEntitlements: Object.fromEntries(Object.values(appIds).map((appId) => [appId, { appId }])) },
          },
        });
      } else {
        await admin('PUT', `/api/v1/access_review/${id}/scope_lists`, { changesOnly: true });
      }
      await admin('POST', `/api/v1/access_review/${id}/action/prepare`, {});
      await untilState(id, 'REVIEW');
      await admin('POST', `/api/v1/access_review/${id}/action/start`, {});
      await untilState(id, 'OPEN');
      return id;
    },
    async act(id) {
      const list: Loose[] = (await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100 })).list;
      const find = (account: string): Loose => list.find(({ task }) => task.data.account === account)?.task;
      const taskOf = (account: string): string => find(account).id;
      // What was carried over, or ended by a policy, is not decided.
      const isOpen = (account: string): boolean => find(account).state === 'TASK_STATE_OPEN';
      const good = async (person: TestPerson, path: string, body: object): Promise<void> => {
        const answer = await request(server, person, 'POST', `/api/v1/${path}`, body);
        expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200);
      };
      const submit = (
        person: TestPerson,
        decisions: Readonly<Record<string, 'CERTIFY' | 'DENY'>>,
        more: { readonly certifyUntil?: string; readonly amend?: boolean } = {},
      ): Promise<void> =>
        good(person, `access_review/${id}/submissions`, {
          decisions: Object.entries(decisions)
            .filter(([account]) => more.amend === true || isOpen(account))
            .map(([account, decision]) => ({
              taskId: taskOf(account),
              decision: `REVIEW_DECISION_${decision}`,
              comment: 'Seen.',
              ...more,
            })),
        });
      await submit(boss, {
        ...{ certified: 'CERTIFY', denied: 'DENY', amended: 'CERTIFY', again: 'CERTIFY' },
        ...{ both: 'CERTIFY', first: 'CERTIFY', g1: 'CERTIFY' },
      });
      await submit(boss, { until: 'CERTIFY' }, { certifyUntil: new Date(Date.now() + 30 * 86_400_000).toISOString() });
      await submit(boss, { amended: 'DENY' }, { amend: true });
      await submit(deputy, { delegate: 'CERTIFY' });
      await good(boss, `tasks/${taskOf('passed')}/action/reassign`, { newStepUserIds: [second.id], comment: 'You know.' });
      await submit(second, { passed: 'DENY', both: 'CERTIFY' });
      await good(server.admin, `tasks/${taskOf('again')}/action/restart`, { comment: 'Look again.' });
      await submit(boss, { again: 'DENY' });
      await good(server.admin, `tasks/${taskOf('cancelled')}/action/close`, { comment: 'Not asked any more.' });
      await good(server.admin, `tasks/${taskOf('skipped')}/action/skip-step`, { comment: 'Nobody knows.' });
      await put('Ledger', [...(grantsOf['Ledger'] ?? []).filter((one) => !one.startsWith('gone,')), line('late', `left1@${domain}`)]);
      await until(async () => {
        const { taskView } = await admin('GET', `/api/v1/tasks/${taskOf('gone')}`);
        expect(taskView.task.state).toBe('TASK_STATE_CLOSED');
      });
    },
    async close(id, decision) {
      await admin('POST', `/api/v1/access_review/${id}/action/close`, { decision: `CLOSE_DECISION_${decision}` });
      await untilState(id, 'CLOSED');
    },
  };
}
