/** Removals through connectors that go otherwise than usual: inherited, immutable, deleted accounts, silence, and somebody who was faster. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { annotation, writeC1z } from '../support/c1z.ts';
import { ConnectorSources, demo, vector } from '../support/connector-source.ts';
import { until } from '../support/until.ts';

const all = new ConnectorSources();
beforeAll(() => all.start());
afterAll(() => all.stop());

/** An account with a role through a team, one that cannot be taken away from it, and one from nobody. */
const company = writeC1z({
  types: [{ id: 'user', traits: [1] }, { id: 'group' }, { id: 'role' }],
  resources: [
    { type: 'user', id: 'ann', data: { 4: annotation('UserTrait') } },
    { type: 'group', id: 'team' },
    ...['by-team', 'fixed', 'all'].map((id) => ({ type: 'role', id })),
  ],
  entitlements: [
    { type: 'group', resource: 'team', slug: 'x' },
    { type: 'role', resource: 'by-team', slug: 'x' },
    { type: 'role', resource: 'fixed', slug: 'x' },
    { type: 'role', resource: 'all', slug: 'x', data: { 6: annotation('EntitlementImmutable') } },
  ],
  grants: [
    { of: 'group:team:x', to: ['user', 'ann'] },
    { of: 'role:by-team:x', to: ['user', 'ann'], sources: { 'group:team:x': true } },
    { of: 'role:fixed:x', to: ['user', 'ann'], annotations: [annotation('GrantImmutable')] },
    { of: 'role:all:x', to: ['user', 'ann'] },
  ],
});

describe('a removal through a connector', () => {
  it('of what is inherited or immutable is left to people', async () => {
    const source = await all.make();
    await source.sync(company);
    await source.enable();
    const reasons = [
      ['role:by-team:x', 'INHERITED'],
      ['role:fixed:x', 'IMMUTABLE'],
      ['role:all:x', 'IMMUTABLE'],
    ] as const;
    for (const [held, reason] of reasons) {
      await source.becomes(await source.remove('ann', held), {
        state: 'REVOCATION_STATE_IN_PROGRESS',
        sending: { state: 'REVOCATION_SENDING_STATE_PEOPLE', reason: `REVOCATION_SENDING_REASON_${reason}` },
      });
    }
  });

  it('of app access deletes the account where the policy says so, and nothing else', async () => {
    const source = await all.make({ connector: { deleteAccount: {} } });
    await all.server.test.admin(
      `UPDATE source_hosts SET type_capabilities = '{"user": ["CAPABILITY_RESOURCE_DELETE"], "role": ["CAPABILITY_PROVISION"]}' WHERE source_id = $1`,
      [source.id],
    );
    await source.sync(company);
    await source.enable();
    await source.becomes(await source.remove('ann', 'role:fixed:x'), { sending: { reason: 'REVOCATION_SENDING_REASON_NOT_AN_ACCOUNT' } });
    const id = await source.remove('ann', 'access');
    const task = await source.take('delete');
    expect(task.resource).toEqual(['user', 'ann']);
    await source.connector.finish(task.id);
    await source.becomes(id, { state: 'REVOCATION_STATE_CLAIMED' });
  });

  it('that its connector is silent about is handed out again, and then failed: it may have been removed', async () => {
    const source = await all.make();
    await source.sync(vector('demo-sdk-0.2.50'));
    await source.enable();
    const id = await source.remove(demo.frank, demo.editor);
    const lapse = () =>
      all.server.test.admin(
        `UPDATE connector_tasks SET leased_until = now() - interval '1 second' WHERE source_id = $1 AND kind = 'REVOKE'`,
        [source.id],
      );
    const first = await source.take('revoke');
    for (const _again of [2, 3]) {
      await lapse();
      expect((await source.take('revoke')).id).toBe(first.id);
    }
    await lapse();
    await source.connector.getTask();
    await source.becomes(id, { state: 'REVOCATION_STATE_ERROR', note: expect.stringContaining('may have been removed') });
  });

  it('ends where somebody removed the access sooner, and its connector hears so', async () => {
    const source = await all.make();
    await source.sync(vector('demo-sdk-0.2.50'));
    await source.enable();
    const id = await source.remove(demo.frank, demo.editor);
    const task = await source.take('revoke');
    await all.ok('POST', `/api/v1/revocations/${id}/action/claim`, { comment: 'By hand' });
    await source.becomes(id, { state: 'REVOCATION_STATE_CLAIMED', sending: { state: 'REVOCATION_SENDING_STATE_ENDED' } });
    expect(await source.connector.heartbeat(task.id)).toMatchObject({ cancelled: true });
    await source.connector.finish(task.id, { code: 2, message: 'too late' });
    await source.becomes(id, { state: 'REVOCATION_STATE_CLAIMED' });
  });

  it('is one of 20 an hour: the 21st waits until somebody lets it go who asked for none', async () => {
    const source = await all.make();
    const [people, roles] = [Array.from({ length: 30 }, (_, at) => `p${at}`), Array.from({ length: 14 }, (_, at) => `r${at}`)];
    const large = writeC1z({
      types: [{ id: 'user', traits: [1] }, { id: 'role' }],
      resources: [
        ...people.map((id) => ({ type: 'user', id, data: { 4: annotation('UserTrait') } })),
        ...roles.map((id) => ({ type: 'role', id })),
      ],
      entitlements: roles.map((resource) => ({ type: 'role', resource, slug: 'x' })),
      grants: people.flatMap((id) => roles.map((role) => ({ of: `role:${role}:x`, to: ['user', id] as const }))),
    });
    await source.sync(large);
    await source.enable();
    for (const id of people.slice(0, 21)) {
      await source.remove(id, 'role:r0:x');
    }
    const counts = async () => (await all.ok('GET', `/api/v1/sources/${source.id}/removals`)).removals;
    await until(async () => expect(await counts()).toMatchObject({ underWay: 20, limited: 1 }));
    const path = `/api/v1/sources/${source.id}/action/release_removals`;
    expect((await all.admin('POST', path, {})).status).toBe(403);
    const other = await all.server.makePerson('other@example.com', ['SUPER_ADMINISTRATOR']);
    expect((await request(all.server, other, 'POST', path, {})).body).toEqual({ released: 1 });
    expect(await counts()).toMatchObject({ underWay: 21, limited: 0 });
  });
});
