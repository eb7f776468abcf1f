/** Reviews that ask only about what is new or changed since the one before, over HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { sendFile } from '../support/world.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await useTestServer();
});
afterAll(() => server.stop());

async function call(method: string, path: string, body?: object | string): Promise<Loose> {
  const answer = await request(server, server.admin, method, path, body);
  expect([path, answer.status, answer.status === 200 ? '' : answer.body]).toEqual([path, 200, '']);
  return answer.body;
}

async function importFile(path: string, lines: readonly string[]): Promise<Loose> {
  const answer = await sendFile(server, server.admin, path, lines.join('\n'));
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
}

async function until(id: string, state: string): Promise<void> {
  await expect
    .poll(async () => (await call('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview.state)
    .toBe(`ACCESS_REVIEW_STATE_${state}`);
}

/** Its tasks as `account: state, outcome`. */
async function tasksOf(id: string): Promise<Record<string, string>> {
  const { list } = await call('POST', '/api/v1/search/tasks', {
    accessReviewIds: [id],
    pageSize: 100,
    expandMask: { paths: ['app_user_id'] },
  });
  return Object.fromEntries(
    list.map((row: Loose) => {
      const certify = row.task.type.certify;
      return [certify.appUserId, `${row.task.state.replace('TASK_STATE_', '')} ${certify.outcome.replace('CERTIFY_OUTCOME_', '')}`];
    }),
  );
}

it('asks about what changed, and carries what did not over, once and again', async () => {
  const people = (job: string) => [
    'email,display_name,job_title',
    `ann@co.example,Ann,${job}`,
    'bob@co.example,Bob,Clerk',
    'cyn@co.example,Cyn,Clerk',
  ];
  const grants = (more: readonly string[] = []) => [
    'account,email,resource_type,resource,entitlement',
    ...['ann', 'bob', 'cyn', ...more].map((name) => `${name},${name}@co.example,site,Web,read`),
  ];
  await importFile('/api/v1/imports/people', people('Clerk'));
  const { import: sync } = await importFile('/api/v1/imports/grants?app=Web', grants());
  const { appId } = sync;
  const { list: accounts } = await call('GET', `/api/v1/apps/${appId}/app_users?page_size=100`);
  const idOf = (name: string): string => accounts.find((row: Loose) => JSON.stringify(row).includes(`"${name}"`)).appUser.id;
  const [ann, bob, cyn] = ['ann', 'bob', 'cyn'].map(idOf) as [string, string, string];

  const first = (await call('POST', '/api/v1/access_review', { displayName: 'First' })).accessReview.accessReview.id;
  await call('POST', `/api/v1/access_review/${first}`, { accessReview: { singleApp: { appId } } });
  const run = async (id: string) => {
    await call('POST', `/api/v1/access_review/${id}/action/prepare`, {});
    await until(id, 'REVIEW');
    await call('POST', `/api/v1/access_review/${id}/action/start`, {});
    await until(id, 'OPEN');
  };
  await run(first);
  const { list } = await call('POST', '/api/v1/search/tasks', { accessReviewIds: [first], pageSize: 100 });
  const taskOf = (account: string) => list.find((row: Loose) => row.task.type.certify.appUserId === account).task.id;
  const decide = (account: string, decision: string) => ({
    taskId: taskOf(account),
    decision: `REVIEW_DECISION_${decision}`,
    comment: 'Seen.',
  });
  await call('POST', `/api/v1/access_review/${first}/submissions`, {
    decisions: [decide(ann, 'CERTIFY'), decide(bob, 'CERTIFY'), decide(cyn, 'DENY')],
  });
  await call('POST', `/api/v1/access_review/${first}/action/close`, {});
  await until(first, 'CLOSED');

  // Ann has another job, somebody is new; Bob is as he was, and Cyn was denied.
  await importFile('/api/v1/imports/people', people('Cook'));
  await importFile('/api/v1/imports/grants?app=Web', grants(['dot']));
  const second = (await call('POST', '/api/v1/access_review', { displayName: 'Second', duplicateFrom: first })).accessReview.accessReview
    .id;
  const lists = `/api/v1/access_review/${second}/scope_lists`;
  const differenceOf = async () => (await call('POST', `/api/v1/access_review/${second}/preview`, {})).difference;
  // Cyn is as she was, and is asked again: nobody certified her.
  const wanted = { predecessorId: first, added: '1', changed: '1', unchanged: '2', gone: '0' };
  expect(await differenceOf()).toMatchObject({ ...wanted, carried: '0' });
  expect((await call('PUT', lists, { changesOnly: true })).scopeLists.changesOnly).toBe(true);
  expect(await differenceOf()).toMatchObject({ ...wanted, carried: '1' });
  await run(second);
  const tasks = await tasksOf(second);
  expect(tasks).toMatchObject({ [ann]: 'OPEN UNSPECIFIED', [bob]: 'CLOSED CERTIFIED', [cyn]: 'OPEN UNSPECIFIED' });
  expect(Object.values(tasks).filter((one) => one.startsWith('OPEN'))).toHaveLength(3);
  const events = await call('POST', '/api/v1/systemlog/events', { pageSize: 100, sortDirection: 'SORT_DIRECTION_DESC' });
  expect(JSON.stringify(events)).toContain('"carried":1');

  // Outside a draft it stays, and a copy takes it along: Bob is carried over once more.
  expect((await request(server, server.admin, 'PUT', lists, {})).status).toBe(400);
  await call('POST', `/api/v1/access_review/${second}/action/close`, {});
  await until(second, 'CLOSED');
  const third = (await call('POST', '/api/v1/access_review', { displayName: 'Third', duplicateFrom: second })).accessReview.accessReview.id;
  expect((await call('GET', `/api/v1/access_review/${third}/scope_lists`)).scopeLists.changesOnly).toBe(true);
  await run(third);
  expect((await tasksOf(third))[bob]).toBe('CLOSED CERTIFIED');
  await call('POST', `/api/v1/access_review/${third}/report`, { format: 'ACCESS_REVIEW_REPORT_FORMAT_JSON' });
  await expect.poll(async () => (await call('GET', `/api/v1/access_review/${third}/report`)).list[0]?.state).toBe('REPORT_STATE_OK');
  const { downloadUrl } = (await call('GET', `/api/v1/access_review/${third}/report`)).list[0];
  const report = (await (await fetch(downloadUrl)).json()) as Loose[];
  expect(report.filter((item) => item.endReason === 'CARRIED')).toHaveLength(1);
});
