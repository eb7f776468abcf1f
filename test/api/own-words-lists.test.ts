/** Lists of what people did name them as they were then: holds, requests to a second person, owners of closed reviews, conflicts that are over. Over HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { type TestPerson, type TestServer, useTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let setter: TestPerson;
let reviewId: string;
const ok = async (person: TestPerson, method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await request(server, person, method, path, body);
  expect([path, answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([path, 200, undefined]);
  return answer.body;
};
const grants = (names: readonly string[]): Promise<unknown> =>
  sendFile(
    server,
    server.admin,
    '/api/v1/imports/grants?app=Bank&allow_removals=true',
    ['account,email,entitlement', ...names.map((name) => `ann,ann@then.test,${name}`), 'zoe,,pay'].join('\n'),
  );
const rename = (email: string, name: string): Promise<unknown> =>
  server.test.admin(
    `UPDATE users SET display_name = $3, updated_at = date_trunc('milliseconds', clock_timestamp()) WHERE tenant_id = $1 AND email = $2`,
    [server.id, email, name],
  );
const alerts = async (): Promise<string[]> =>
  (await ok(server.admin, 'GET', '/api/v1/conflict_alerts?page_size=100')).list.map(
    (one: Loose) => `${one.principalDisplayName} ${one.state.slice('CONFLICT_ALERT_STATE_'.length)}`,
  );

beforeAll(async () => {
  server = await useTestServer();
  await sendFile(server, server.admin, '/api/v1/imports/people', 'email,display_name\nann@then.test,Ann Before\nold@then.test,Old Before');
  setter = await server.makePerson('setter@then.test', ['SUPER_ADMINISTRATOR']);
  await rename('setter@then.test', 'Setter Before');
  await grants(['pay', 'approve']);
  const draft = { displayName: 'Then', ownerIds: [setter.id] };
  reviewId = (await ok(server.admin, 'POST', '/api/v1/access_review', draft)).accessReview.accessReview.id;
  const appId = (await ok(server.admin, 'POST', '/api/v1/search/apps', {})).list.find((one: Loose) => one.displayName === 'Bank').id;
  await ok(server.admin, 'POST', `/api/v1/access_review/${reviewId}`, { accessReview: { singleApp: { appId } } });
  for (const [action, state] of [
    ['prepare', 'REVIEW'],
    ['start', 'OPEN'],
    ['close', 'CLOSED'],
  ] as const) {
    const body = action === 'close' ? { decision: 'CLOSE_DECISION_SKIP' } : {};
    await ok(server.admin, 'POST', `/api/v1/access_review/${reviewId}/action/${action}`, body);
    await until(async () => {
      const { accessReview } = (await ok(server.admin, 'GET', `/api/v1/access_review/${reviewId}`)).accessReview;
      expect(accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`);
    });
  }
  const { list: people } = await ok(server.admin, 'POST', '/api/v1/search/users', { query: 'old@then.test' });
  await ok(setter, 'POST', `/api/v1/users/${people[0].user.id}/erase`, { reason: 'They asked for it.' });
  const { hold } = await ok(setter, 'POST', '/api/v1/legal_holds', { reason: 'Asked by the court.' });
  await ok(setter, 'POST', `/api/v1/legal_holds/${hold.id}/lift`, { reason: 'The case is over.' });

  const monitor = await ok(server.admin, 'POST', '/api/v1/accessconflict', { displayName: 'Pays and approves' });
  const { list } = await ok(server.admin, 'POST', '/api/v1/search/entitlements', { appIds: [appId], pageSize: 100 });
  for (const [name, group] of [
    ['pay', 'A'],
    ['approve', 'B'],
  ]) {
    const { appEntitlement } = list.find((one: Loose) => one.appEntitlement.displayName.endsWith(name));
    const binding = { monitorId: monitor.id, appId, appEntitlementId: appEntitlement.id, entitlementGroup: `ENTITLEMENT_GROUP_${group}` };
    await ok(server.admin, 'POST', '/api/v1/appentitlementmonitorbinding', binding);
  }
  await ok(server.admin, 'POST', `/api/v1/accessconflict/${monitor.id}/action/enable`, {});
  await until(async () => expect(await alerts()).toEqual(['Ann Before ACTIVE']));
});
afterAll(() => server.stop());

it('names who has a conflict as they are called while it is there, and as they were when it ended', async () => {
  await rename('ann@then.test', 'Ann Between');
  expect(await alerts()).toEqual(['Ann Between ACTIVE']);
  await grants(['pay']);
  await until(async () => expect(await alerts()).toEqual(['Ann Between RESOLVED']));
  await rename('ann@then.test', 'Ann After');
  expect(await alerts()).toEqual(['Ann Between RESOLVED']);
  const [{ id }] = (await ok(server.admin, 'GET', '/api/v1/conflict_alerts')).list;
  expect((await ok(server.admin, 'GET', `/api/v1/conflict_alerts/${id}`)).conflictAlert.principalDisplayName).toBe('Ann Between');
});

it('names who set a hold, asked a second person, or owned a closed review as they were then', async () => {
  const named = async (): Promise<unknown> => {
    const holds = (await ok(server.admin, 'GET', '/api/v1/legal_holds')).list;
    const requests = (await ok(server.admin, 'GET', '/api/v1/second_person_requests')).list;
    const one = await ok(server.admin, 'GET', `/api/v1/second_person_requests/${requests.at(-1).id}`);
    const reviews = (await ok(server.admin, 'POST', '/api/v1/search/access_reviews', {})).list;
    return {
      holds: holds.map((hold: Loose) => hold.setByDisplayName),
      requests: [...requests, one.request].map((asked: Loose) => [asked.askedByDisplayName, asked.subjectDisplayName]),
      owners: reviews.map((review: Loose) => review.owners),
    };
  };
  const before = await named();
  expect(before).toEqual({
    holds: ['Setter Before'],
    requests: [
      ['Setter Before', ''],
      ['Setter Before', 'Old Before'],
      ['Setter Before', 'Old Before'],
    ],
    owners: [[{ userId: setter.id, displayName: 'Setter Before' }]],
  });
  await rename('setter@then.test', 'Setter After');
  await rename('old@then.test', 'Old After');
  expect(await named()).toEqual(before);
});
