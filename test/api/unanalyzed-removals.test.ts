/**
 * What removals, claims, differences and what is asked of them cost on tables that nothing ever analyzed: pages in proportion to themselves, and counts
 * in proportion to what they count.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { buffersOf } from '../support/plans.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { explainStatements, keepUnanalyzed, watchStatementPlans } from '../support/statement-plans.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

const count = 1000;
const upTo = (end: number): number[] => Array.from({ length: end }, (_, index) => index);
const emailOf = (person: number): string => `person${person}@company.test`;

/** Ten people a manager. */
function peopleCsv(): string {
  const rows = upTo(count).map((n) => `${emailOf(n)},Person ${n},${n === 0 ? '' : emailOf(Math.floor((n - 1) / 10))}`);
  return ['email,display_name,manager_email', ...rows].join('\n');
}

/** An account a person, with one grant that everybody has and two of entitlements that two accounts have; one account lacks one. */
function grantsCsv(lacking = -1): string {
  const rows = upTo(count).flatMap((n) => {
    const account = `acct-${n},${emailOf(n)}`;
    const place = Math.floor(n / 2);
    const read = n === lacking ? [] : [`${account},role,Place ${place},read`];
    return [`${account},group,Everybody,member`, ...read, `${account},role,Place ${place ^ 1},write`];
  });
  return ['account,email,resource_type,resource,entitlement', ...rows].join('\n');
}

interface Examples {
  readonly app: string;
  readonly manager: string;
  readonly user: string;
  readonly entitlement: string;
  readonly sync: string;
  readonly changing: string;
}

interface Asked {
  readonly path: string;
  readonly body?: object;
  readonly isOwn?: true;
  /** Buffers that it takes at most: two to seven times what it does, and a fifth or less of what it took when tables were passed over for rows. */
  readonly most: number;
}

const page = 'page_size=20';

const pages: Readonly<Record<string, (of: Examples) => Asked>> = {
  claims: () => ({ path: `person_claims?${page}`, most: 1500 }),
  'removals of an app': ({ app }) => ({ path: `revocations?app_id=${app}&${page}`, most: 8000 }),
  'removals in a state': () => ({ path: `revocations?states=REVOCATION_STATE_REQUESTED&${page}`, most: 8000 }),
  'own removals': () => ({ path: `my/removals?${page}`, isOwn: true, most: 8000 }),
  'the difference of an import': ({ changing }) => ({ path: `imports/${changing}/diff?${page}`, most: 600 }),
  'the grants of an import': ({ sync }) => ({ path: `imports/${sync}/grants?${page}`, most: 1500 }),
  'the feed of an entitlement': ({ app, entitlement }) => ({
    path: 'grants/feed',
    body: { pageSize: 20, appEntitlementRefs: [{ appId: app, id: entitlement }] },
    most: 300,
  }),
  'the feed of a person': ({ user }) => ({ path: 'grants/feed', body: { pageSize: 20, userRefs: [{ id: user }] }, most: 300 }),
  'what requirements ask': () => ({ path: 'coverage/requirements', most: 30_000 }),
};

describe('on tables that were never analyzed', () => {
  let test: TestDatabase;
  let server: TestServer;
  let manager: TestPerson;
  let of: Examples;

  const send = async (path: string, body?: object, who: TestPerson = server.admin): Promise<Loose> => {
    const answer = await request(server, who, body === undefined ? 'GET' : 'POST', `/api/v1/${path}`, body);
    expect([path, answer.status, answer.status === 200 || answer.body]).toEqual([path, 200, true]);
    return answer.body;
  };

  /** A review of the app, of which every item is certified. */
  async function certifyAll(app: string): Promise<void> {
    const review = (await send('access_review', { displayName: 'All' })).accessReview.accessReview.id;
    await send(`access_review/${review}`, { accessReview: { singleApp: { appId: app } } });
    for (const [action, state] of [
      ['prepare', 'REVIEW'],
      ['start', 'OPEN'],
    ]) {
      await send(`access_review/${review}/action/${action}`, {});
      await until(async () => {
        const { accessReview } = await send(`access_review/${review}`);
        expect(accessReview.accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`);
      });
    }
    await test.admin(
      `UPDATE tasks SET state = 'CLOSED', outcome = 'CERTIFIED', end_reason = 'DECIDED', ended_at = now(), decided_by_id = $2 WHERE review_id = $1`,
      [review, of.user],
    );
  }

  beforeAll(async () => {
    test = await openTestDatabase();
    await keepUnanalyzed(test);
    await explainStatements(test);
    server = await startTestServer({ test });
    await sendFile(server, server.admin, '/api/v1/imports/people', peopleCsv());
    const first = await sendFile(server, server.admin, '/api/v1/imports/grants?app=Company', grantsCsv());
    const app = first.body.import.appId;
    const second = await sendFile(server, server.admin, '/api/v1/imports/grants?app=Company&allow_removals=true', grantsCsv(33));
    const [row] = await test.admin(
      `SELECT a.app_id AS app, a.user_id AS "user", u.manager_id AS manager, g.entitlement_id AS entitlement
       FROM accounts a JOIN users u ON u.id = a.user_id JOIN grants g ON g.account_id = a.id JOIN entitlements e ON e.id = g.entitlement_id
       WHERE a.external_id = 'acct-77' AND e.external_id = 'read'`,
    );
    of = { ...(row as unknown as Examples), sync: first.body.import.id, changing: second.body.import.id };
    manager = await server.issueClient(of.manager);
    await certifyAll(app);
    // A removal of everything that is read, 50 of them denied by the manager, and a claim on everybody.
    await test.admin(
      `INSERT INTO revocations (tenant_id, id, app_id, entitlement_id, account_id, user_id, state, state_at, created_at, updated_at, denied_by_id, source_no)
       SELECT g.tenant_id, 'removal ' || a.external_id, g.app_id, e.id, a.id, a.user_id, 'REQUESTED', now(), now(), now(),
         CASE WHEN row_number() OVER (ORDER BY a.id) <= 50 THEN $1 ELSE a.user_id END, 1
       FROM grants g JOIN entitlements e ON e.id = g.entitlement_id AND e.external_id = 'read' JOIN accounts a ON a.id = g.account_id`,
      [of.manager],
    );
    await test.admin(
      `INSERT INTO person_claims (tenant_id, id, source_id, user_id, kind, state, wanted, created_at)
       SELECT u.tenant_id, 'claim ' || u.id, s.id, u.id, 'CHANGE', 'WAITING', jsonb_build_object('managerId', u.manager_id), now()
       FROM users u JOIN sources s ON s.app_id = $1 WHERE u.manager_id IS NOT NULL`,
      [app],
    );
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    await test.close();
  });

  it.each(Object.keys(pages))('%s: no more than it shows or counts', async (name) => {
    const { path, body, isOwn, most } = pages[name]?.(of) ?? { path: '', most: 0 };
    const who = isOwn === true ? manager : server.admin;
    // The first time, a connection reads the catalog of the database as well.
    await send(path, body, who);
    const watch = watchStatementPlans();
    const answer = await send(path, body, who).finally(() => watch.end());
    expect((answer.list ?? answer.apps ?? Object.values(answer)).length).toBeGreaterThan(0);
    const buffers = buffersOf(watch.statements.map(({ plan }) => plan));
    expect(buffers).toBeGreaterThan(0);
    expect(buffers).toBeLessThan(most);
  });
});
