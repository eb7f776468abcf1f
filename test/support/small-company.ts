/** A small company for tests of scopes: a handful of people, accounts and entitlements of one app P, over HTTP, known by short names. */
import { expect } from 'vitest';
import { type Loose, request, tokenOf } from './api.ts';
import { useTestServer, type TestServer } from './server.ts';

const day = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * day).toISOString();

const people = [
  'email,display_name,employment_status,department,job_title,manager_email,cc',
  'ann@corp.test,Ann,ACTIVE,Fin,Acct,max@corp.test,7',
  'bob@corp.test,Bob,ACTIVE,Fin,Acct,max@corp.test,',
  'cyn@corp.test,Cyn,TERMINATED,Eng,Dev,ida@corp.test,7',
  'max@corp.test,Max,ACTIVE,,,,',
  'ida@corp.test,Ida,ACTIVE,,,,',
].join('\n');

/** Account, address, type; then resource, entitlement, granted, used, by way of, until. */
const accounts = {
  a1: ['ann@corp.test', 'USER'],
  a2: ['bob@corp.test', 'USER'],
  a3: ['cyn@corp.test', 'USER'],
  s1: ['', 'SERVICE_ACCOUNT'],
  x1: ['x1@other.test', 'USER'],
} as const;
const places = { pay: 'Pay', sub: 'Ledger', rep: 'Repo', grp: 'Staff' } as const;
/** An account, what it holds, and how. */
export type Held = readonly [keyof typeof accounts, keyof typeof places, { used?: number; via?: string; until?: string; granted?: number }];
/** Access held. */
export const held: readonly Held[] = [
  ['a1', 'pay', { used: 10 }],
  ['a1', 'sub', { until: '2099-01-01T00:00:00Z' }],
  ['a1', 'grp', {}],
  ['a1', 'rep', { via: 'role/Staff/grp' }],
  ['a2', 'pay', { granted: 30 }],
  ['a3', 'sub', { used: 200 }],
  ['s1', 'rep', {}],
];

/** A file of grants. */
export function grantsCsv(rows: readonly Held[]): string {
  const header =
    'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at,granted_via,expires_at';
  const lines = rows.map(([account, entitlement, { used, via, until, granted }]) =>
    [
      account,
      accounts[account][0],
      accounts[account][1],
      'ENABLED',
      'role',
      places[entitlement],
      entitlement,
      ago(granted ?? 400),
      used === undefined ? '' : ago(used),
      via ?? '',
      until ?? '',
    ].join(','),
  );
  return [header, ...lines].join('\n');
}

/** The company, and what tests of it do. */
export interface Company {
  readonly server: TestServer;
  readonly appId: string;
  /** Ids of people, of accounts and entitlements, and of resources, by their names. */
  readonly users: Readonly<Record<string, string>>;
  readonly ids: Readonly<Record<string, string>>;
  readonly resources: Record<string, string>;
  /** A risk level that pay has, and a framework that nothing has. */
  readonly high: string;
  readonly framework: string;
  /** The answer of a call of the administrator; a failure of the test where it is not 200. */
  call(method: string, path: string, body?: unknown): Promise<Loose>;
  importCsv(path: string, csv: string): Promise<void>;
  /** Says as a source does that a resource lies below another; below none for ''. */
  putBelow(name: string, above: string): Promise<unknown>;
  /** A draft of this document, with these lists beside it. */
  draft(document: object, lists?: object): Promise<string>;
  preview(id: string): Promise<Loose>;
  /** Does this to the review, and waits until it is in this state. */
  act(id: string, action: string, state: string): Promise<void>;
  selections(id: string): Promise<Loose>;
  /** Selections as "account entitlement", sorted. */
  itemsOf(list: readonly Loose[]): string[];
}

async function call(server: TestServer, method: string, path: string, body?: unknown): Promise<Loose> {
  const answer = await request(server, server.admin, method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}

async function importCsv(server: TestServer, path: string, csv: string): Promise<void> {
  const token = await tokenOf(server, server.admin);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
  const response = await server.fetch(path, { method: 'POST', headers, body: csv });
  expect([path, response.status, await response.json()]).toEqual([path, 200, expect.anything()]);
}

/** Ids by name, of a statement that gives both. */
async function idsBy(server: TestServer, statement: string): Promise<Record<string, string>> {
  const { db, tenantId } = server.system();
  const rows = await db.rows<{ id: string; name: string }>(statement, [tenantId]);
  return Object.fromEntries(rows.map(({ id, name }) => [name, id]));
}

/** Makes the company on a server, a shared one where none is given; the caller stops it. */
export async function startCompany(starting: Promise<TestServer> = useTestServer()): Promise<Company> {
  const server = await starting;
  const { db, tenantId } = server.system();
  const ask = (method: string, path: string, body?: unknown) => call(server, method, path, body);
  await importCsv(server, '/api/v1/imports/people', people);
  await importCsv(server, '/api/v1/imports/grants?app=P', grantsCsv([...held, ['x1', 'rep', {}]]));
  const { id: appId } = await db.one<{ id: string }>('SELECT a.id FROM apps a WHERE a.tenant_id = $1', [tenantId]);
  // An account that holds nothing but its app access, of somebody who is not here: its grant never was.
  await db.run(
    `UPDATE grants g SET removed_revision = g.added_revision FROM accounts a
     WHERE g.tenant_id = $1 AND a.tenant_id = $1 AND a.id = g.account_id AND a.external_id = 'x1' AND NOT g.is_derived`,
    [tenantId],
  );
  const users = await idsBy(server, `SELECT u.id, split_part(u.email, '@', 1) AS name FROM users u WHERE u.tenant_id = $1`);
  const ids = await idsBy(
    server,
    `SELECT a.id, a.external_id AS name FROM accounts a WHERE a.tenant_id = $1
     UNION ALL SELECT e.id, CASE WHEN e.is_app_access THEN 'app' ELSE e.external_id END FROM entitlements e WHERE e.tenant_id = $1`,
  );
  const resources = await idsBy(server, 'SELECT r.id, r.display_name AS name FROM resources r WHERE r.tenant_id = $1');
  const names = Object.fromEntries([...Object.entries(ids), ...Object.entries(resources)].map(([name, id]) => [id, name]));
  const value = async (type: string, name: string): Promise<string> =>
    (await ask('POST', `/api/v1/attributes/${type}`, { value: name })).value.id;
  const company: Company = {
    server,
    appId,
    users,
    ids,
    resources,
    high: await value('risk_levels', 'Very high'),
    framework: await value('compliance_frameworks', 'F'),
    call: ask,
    importCsv: (path, csv) => importCsv(server, path, csv),
    putBelow: (name, above) =>
      db.run('UPDATE resources SET source_parent_id = $3 WHERE tenant_id = $1 AND id = $2', [
        tenantId,
        resources[name],
        resources[above] ?? '',
      ]),
    async draft(document, lists) {
      const { scopeType, ...rest } = document as { scopeType?: string };
      const made = await ask('POST', '/api/v1/access_review', { displayName: 'Scope', ...(scopeType === undefined ? {} : { scopeType }) });
      const { id } = made.accessReview.accessReview;
      if (Object.keys(rest).length > 0) {
        await ask('POST', `/api/v1/access_review/${id}`, { accessReview: rest });
      }
      if (lists !== undefined) {
        await ask('PUT', `/api/v1/access_review/${id}/scope_lists`, lists);
      }
      return id;
    },
    preview: (id) => ask('POST', `/api/v1/access_review/${id}/preview`, {}),
    async act(id, action, state) {
      await ask('POST', `/api/v1/access_review/${id}/action/${action}`, {});
      await expect
        .poll(async () => (await ask('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview.state, { timeout: 60_000 })
        .toBe(`ACCESS_REVIEW_STATE_${state}`);
    },
    selections: (id) => ask('GET', `/api/v1/access_review/${id}/selections?page_size=100`),
    itemsOf: (list) =>
      list
        .map(({ selection }) => `${names[selection.appUserId || selection.principalResourceId]} ${names[selection.appEntitlementId]}`)
        .sort(),
  };
  await ask('POST', `/api/v1/apps/${appId}/entitlements/${ids.pay}`, { entitlement: { riskLevelValueId: company.high } });
  await company.putBelow('Pay', 'Ledger');
  return company;
}
