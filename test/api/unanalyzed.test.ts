/**
 * What a page costs on tables that nothing ever analyzed, as in a small company just after its first imports: buffers in proportion to the page,
 * not to the tables.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { buffersOf } from '../support/plans.ts';
import { type ServedTenant, startTestServer, type TestServer } from '../support/server.ts';
import { explainStatements, keepUnanalyzed, watchStatementPlans } from '../support/statement-plans.ts';
import { sendFile } from '../support/world.ts';

const few = 500;
const many = 4 * few;
/** Buffers by which a page may differ between the two: an index is a level deeper, a row lies elsewhere. */
const slack = 60;

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const emailOf = (person: number): string => `person${person}@company.test`;

/** Ten people a manager. */
function peopleCsv(count: number): string {
  const rows = upTo(count).map(
    (n) => `${emailOf(n)},Person ${n},ACTIVE,Department ${n % 7},Specialist ${n % 40},${n === 0 ? '' : emailOf(Math.floor((n - 1) / 10))}`,
  );
  return ['email,display_name,employment_status,department,job_title,manager_email', ...rows].join('\n');
}

/** An account a person, each with one grant that everybody has, and two of entitlements that five accounts have. */
function grantsCsv(count: number): string {
  const rows = upTo(count).flatMap((n) => {
    const account = `acct-${n},${emailOf(n)},${n % 50 === 49 ? 'SERVICE_ACCOUNT' : 'USER'},ENABLED`;
    const place = Math.floor(n / 5);
    return [`${account},group,Everybody,member`, `${account},role,Place ${place},read`, `${account},role,Place ${place ^ 1},write`];
  });
  return ['account,email,account_type,account_status,resource_type,resource,entitlement', ...rows].join('\n');
}

/** Ids of things that are there at both sizes. */
type Examples = Readonly<Record<'app' | 'manager' | 'account' | 'everybody' | 'type' | 'resource', string>>;

interface Asked {
  readonly path: string;
  readonly body?: object;
}

const page = 'page_size=20';
const pageSize = 20;

/** Lists and searches, each as the request of its first page. */
const pages: Readonly<Record<string, (of: Examples) => Asked>> = {
  people: () => ({ path: `users?${page}` }),
  'people by words': () => ({ path: 'search/users', body: { query: 'person 4', pageSize } }),
  'people by manager': ({ manager }) => ({ path: 'search/users', body: { managerIds: [manager], pageSize } }),
  'people by department': () => ({ path: 'search/users', body: { departments: ['Department 3'], pageSize } }),
  'people of a directory': () => ({ path: 'search/users', body: { origins: ['USER_ORIGIN_DIRECTORY'], pageSize } }),
  'accounts of an app': ({ app }) => ({ path: `apps/${app}/app_users?${page}` }),
  'accounts of the tenant': () => ({ path: 'search/app_users', body: { pageSize } }),
  resources: ({ app, type }) => ({ path: `apps/${app}/resource_types/${type}/resources?${page}` }),
  'entitlements of an app': ({ app }) => ({ path: `apps/${app}/entitlements?${page}` }),
  'entitlements of a resource': ({ app, type, resource }) => ({
    path: `apps/${app}/entitlements/resource_types/${type}/resources/${resource}?${page}`,
  }),
  'entitlements of an account': ({ app, account }) => ({ path: `apps/${app}/entitlements/users/${account}?${page}` }),
  'entitlements by words': () => ({ path: 'search/entitlements', body: { query: 'read', pageSize } }),
  'holders of an entitlement': ({ app, everybody }) => ({ path: `apps/${app}/entitlements/${everybody}/users?${page}` }),
  'grants of an entitlement': ({ app, everybody }) => ({ path: `apps/${app}/entitlements/${everybody}/grants?${page}` }),
  'grants of an account': ({ app, account }) => ({ path: `apps/${app}/grants?account_id=${account}&${page}` }),
  'grants of an app, ended ones too': ({ app }) => ({ path: `apps/${app}/grants?include_ended=true&${page}` }),
  'grants of an app, as of a time': ({ app }) => ({ path: `apps/${app}/grants?as_of=2030-01-01T00:00:00Z&${page}` }),
  'the log': () => ({ path: 'systemlog/events', body: { pageSize } }),
};

describe('on tables that were never analyzed', () => {
  let test: TestDatabase;
  let server: TestServer;
  const measured = new Map<string, { rows: number; buffers: number }[]>();

  const send = async (path: string, body?: object): Promise<Loose> => {
    const answer = await request(server, server.admin, body === undefined ? 'GET' : 'POST', `/api/v1/${path}`, body);
    expect([path, answer.status, answer.status === 200 || answer.body]).toEqual([path, 200, true]);
    return answer.body;
  };

  async function grow(tenant: ServedTenant, count: number): Promise<Examples> {
    await sendFile(tenant, tenant.admin, '/api/v1/imports/people', peopleCsv(count));
    const { body } = await sendFile(tenant, tenant.admin, '/api/v1/imports/grants?app=Company', grantsCsv(count));
    const app = body.import.appId;
    const [row] = await test.admin(
      `SELECT a.app_id AS app, a.id AS account, u.manager_id AS manager, 
         e.resource_type_id AS type, e.resource_id AS resource, b.id AS everybody
       FROM accounts a JOIN users u ON u.id = a.user_id JOIN grants g ON g.account_id = a.id JOIN entitlements e ON e.id = g.entitlement_id
       JOIN entitlements b ON b.external_id = 'member'
       WHERE a.external_id = 'acct-77' AND e.external_id = 'read'`,
    );
    return { ...row, app } as Examples;
  }

  async function measure(of: Examples): Promise<void> {
    for (const [name, ask] of Object.entries(pages)) {
      const { path, body } = ask(of);
      // The first time, a connection reads the catalog of the database as well.
      await send(path, body);
      const watch = watchStatementPlans();
      try {
        const { list } = await send(path, body);
        const buffers = buffersOf(watch.statements.map(({ plan }) => plan));
        measured.set(name, [...(measured.get(name) ?? []), { rows: list.length, buffers }]);
      } finally {
        watch.end();
      }
    }
  }

  beforeAll(async () => {
    test = await openTestDatabase();
    await keepUnanalyzed(test);
    await explainStatements(test);
    server = await startTestServer({ test });
    const first = await grow(server, few);
    await measure(first);
    await measure(await grow(server, many));
  }, 240_000);
  afterAll(async () => {
    await server.stop();
    await test.close();
  });

  it.each(Object.keys(pages))('%s: a page costs as much of many as of few', (name) => {
    const [ofFew, ofMany] = measured.get(name) ?? [];
    expect(ofFew?.rows).toBeGreaterThan(0);
    expect(ofMany?.rows).toBeGreaterThan(0);
    expect(ofFew?.buffers).toBeGreaterThan(0);
    expect(ofMany?.buffers).toBeLessThan((ofFew?.buffers ?? 0) + slack);
  });
});
