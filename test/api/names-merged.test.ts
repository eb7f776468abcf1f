/**
 * An app over HTTP that a release before stored under two spellings: after the job neither spelling adds or ends anything, and reviews of before say and ask
 * what they did.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { adminOf, sendFile } from '../support/world.ts';

let server: TestServer;
let admin: ReturnType<typeof adminOf>;
beforeAll(async () => {
  server = await useTestServer();
  admin = adminOf(server);
});
afterAll(() => server.stop());

const [nfc, nfd] = ['B\u00fcro', 'Bu\u0308ro'];
const header = 'account,email,resource_type,resource,entitlement';
const crowd = [0, 1, 2, 3].map((n) => `u${n},u${n}@corp.test,role,Hall,Gate`);

async function send(rows: readonly string[]): Promise<unknown> {
  const { status, body } = await sendFile(
    server,
    server.admin,
    '/api/v1/imports/grants?app=Desk&allow_removals=true',
    [header, ...crowd, ...rows].join('\n'),
  );
  expect([status, status === 200 || body]).toEqual([200, true]);
  const { added, removed, counts } = (body as { import: { added: string; removed: string; counts: Record<string, { added: string }> } })
    .import;
  return {
    added,
    removed,
    entitlements: counts['entitlements']?.added,
    resources: counts['resources']?.added,
    types: counts['resourceTypes']?.added,
  };
}

type Loose = Record<string, unknown>;
const post = (path: string, body: object = {}): Promise<Loose> => admin('POST', path, body) as Promise<Loose>;
const review = (id: string): string => `/api/v1/access_review/${id}`;

async function becomes(id: string, state: string): Promise<void> {
  await until(async () => {
    expect((await admin('GET', review(id))).accessReview.accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`);
  });
}

/** Makes a review of one entitlement and takes it through these steps. */
async function reviewOf(appId: string, entitlementId: string, steps: readonly (readonly [string, string])[]): Promise<string> {
  const { id } = (await admin('POST', '/api/v1/access_review', { displayName: 'Of before' })).accessReview.accessReview;
  await post(review(id), { accessReview: { multiApp: { appEntitlements: { [appId]: { appId, entitlementIds: [entitlementId] } } } } });
  for (const [action, state] of steps) {
    await post(`${review(id)}/action/${action}`, action === 'close' ? { decision: 'CLOSE_DECISION_SKIP' } : {});
    await becomes(id, state);
  }
  return id;
}

const chosenOf = (one: { multiApp: { appEntitlements: Record<string, { entitlementIds: string[] }> } }): string[] =>
  Object.values(one.multiApp.appEntitlements).flatMap(({ entitlementIds }) => entitlementIds);

it('are read as the same, and reviews of before go on', async () => {
  const first = ['u0,u0@corp.test,t1,r1,e1', 'u1,u1@corp.test,t1,r1,e1'];
  await send(first);
  await send([...first, 'u0,u0@corp.test,t2,r2,e2', 'u2,u2@corp.test,t2,r2,e2', 'u3,u3@corp.test,t2,r2,Wiki']);
  const rows = await server.test.admin(
    `SELECT id, app_id, external_id AS name FROM entitlements WHERE tenant_id = $1 AND external_id IN ('e1', 'e2') ORDER BY 3`,
    [server.id],
  );
  const [older, younger] = rows.map(({ id }) => String(id)) as [string, string];
  const appId = String(rows[0]?.['app_id']);
  const staged = [['prepare', 'REVIEW']] as const;
  const opened = [...staged, ['start', 'OPEN']] as const;
  const [draft, prepared, running, closed] = [
    await reviewOf(appId, younger, []),
    await reviewOf(appId, younger, staged),
    await reviewOf(appId, younger, opened),
    await reviewOf(appId, younger, [...opened, ['close', 'CLOSED']]),
  ];
  const before = await post(`${review(closed)}/action/replay`);
  expect(before).toMatchObject({ matches: true, items: '2' });
  for (const [table, letter] of [
    ['resource_types', 't'],
    ['resources', 'r'],
    ['entitlements', 'e'],
  ] as const) {
    await server.test.admin(
      `UPDATE ${table} SET external_id = n.name, display_name = n.name, twin = n.twin FROM (VALUES ($2, $4, 0), ($3, $5, $6::int)) AS n (was, name, twin)
       WHERE tenant_id = $1 AND external_id = n.was`,
      [server.id, `${letter}1`, `${letter}2`, nfc, nfd, letter === 't' ? 1 : 0],
    );
  }
  const looksTheSame = async (): Promise<string[]> =>
    (await admin('GET', '/api/v1/identity/look_alikes?page_size=100')).list.map(({ kind }: { kind: string }) => kind);
  expect(await looksTheSame()).toEqual(['LOOK_ALIKE_KIND_RESOURCE_TYPE']);
  await server.test.admin(
    `INSERT INTO jobs (id, tenant_id, kind, subject_id, state, run_at, created_at, updated_at)
     VALUES (md5(random()::text), $1, 'names.merge', $1, 'CALLED', now(), now(), now())`,
    [server.id],
  );
  await until(async () => {
    const events = await server.test.admin(
      `SELECT kind FROM events WHERE tenant_id = $1 AND kind LIKE '%.merged' ORDER BY (data ->> 'revision')::int`,
      [server.id],
    );
    expect(events.map(({ kind }) => kind)).toEqual(['resource_type.merged', 'resource.merged', 'entitlement.merged']);
  });
  expect(await looksTheSame()).toEqual([]);
  for (const name of [nfd, nfc]) {
    const grants = ['u0', 'u1', 'u2'].map((account) => `${account},${account}@corp.test,${name},${name},${name}`);
    expect(await send([...grants, `u3,u3@corp.test,${name},${name},Wiki`])).toEqual({
      added: '0',
      removed: '0',
      entitlements: '0',
      resources: '0',
      types: '0',
    });
  }

  // What was frozen is worked out again as it was; what runs asks about it still.
  expect(await post(`${review(closed)}/action/replay`)).toEqual(before);
  const tasks = (await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [running], pageSize: 100 })).list as { task: Loose }[];
  expect(tasks.map(({ task }) => task['state'])).toEqual(['TASK_STATE_OPEN', 'TASK_STATE_OPEN']);
  const shown = JSON.stringify([tasks, await post(`${review(running)}/queue`, { pageSize: 10 })]);
  expect(shown).not.toMatch(/no longer has this access|goneSince":"/);
  await post(`${review(prepared)}/action/start`);
  await becomes(prepared, 'OPEN');
  // What froze nothing, is made of what did, or is taken back, names the oldest.
  expect(chosenOf((await admin('GET', review(draft))).accessReview.accessReview)).toEqual([older]);
  const copy = await admin('POST', '/api/v1/access_review', { displayName: 'Copy', duplicateFrom: closed });
  expect(chosenOf(copy.accessReview.accessReview)).toEqual([older]);
  const template = (await admin('POST', `${review(closed)}/action/create_template`, { displayName: 'Again' })).accessReviewTemplate;
  expect(chosenOf(template)).toEqual([older]);
  const { id } = copy.accessReview.accessReview;
  await post(`${review(id)}/action/prepare`);
  await becomes(id, 'REVIEW');
  const selections = (await admin('GET', `${review(id)}/selections?page_size=100`)).list as { selection: { appEntitlementId: string } }[];
  expect(selections.map(({ selection }) => selection.appEntitlementId)).toEqual([older, older, older]);
});

it('and a review that is set back to its draft names what is there', async () => {
  const first = ['u0,u0@corp.test,t3,r3,e3', 'u1,u1@corp.test,t3,r3,e4'];
  await send(first);
  const rows = await server.test.admin(
    `SELECT id, app_id, external_id AS name FROM entitlements WHERE tenant_id = $1 AND external_id IN ('e3', 'e4')`,
    [server.id],
  );
  const [older, younger] = rows.map(({ id }) => String(id)).sort() as [string, string];
  const id = await reviewOf(String(rows[0]?.['app_id']), younger, [['prepare', 'REVIEW']]);
  for (const [one, name, twin] of [
    [older, `${nfc} 2`, 0],
    [younger, `${nfd} 2`, 1],
  ] as const) {
    await server.test.admin(`UPDATE entitlements SET external_id = $2, display_name = $2, twin = $3 WHERE id = $1`, [one, name, twin]);
  }
  // The next file comes before the job.
  expect(await send([`u0,u0@corp.test,t3,r3,${nfd} 2`, `u1,u1@corp.test,t3,r3,${nfd} 2`])).toMatchObject({ added: '0', entitlements: '0' });
  expect(chosenOf((await admin('GET', review(id))).accessReview.accessReview)).toEqual([younger]);
  await post(`${review(id)}/action/reset`);
  await becomes(id, 'DRAFT');
  expect(chosenOf((await admin('GET', review(id))).accessReview.accessReview)).toEqual([older]);
});
