/** Removals that the connector of a source carries out, from outside: it takes the task, answers, and its next sync proves it or does not. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, request } from '../support/api.ts';
import { ConnectorSources, demo, vector } from '../support/connector-source.ts';
import { makeProgram } from '../support/program.ts';
import type { TestPerson } from '../support/server.ts';
import { until } from '../support/until.ts';

const all = new ConnectorSources();
beforeAll(() => all.start());
afterAll(() => all.stop());

/** Lets what waits for a moment go now. */
const goOn = (taskId: string) =>
  all.server.test.admin(`UPDATE connector_tasks SET not_before = now() - interval '1 second' WHERE id = $1 AND not_before > now()`, [
    taskId,
  ]);

describe('a removal through a connector', () => {
  it('is sent as the connector wrote the grant, carried out, and proven by the sync that follows', async () => {
    const source = await all.make();
    await source.sync(vector('demo-sdk-0.2.50'));
    await source.enable();
    const id = await source.remove(demo.frank, demo.editor);
    const task = await source.take('revoke');
    expect(task.grant.equals(readFileSync(new URL('../vectors/baton/demo-grant.bin', import.meta.url)))).toBe(true);
    await source.becomes(id, {
      state: 'REVOCATION_STATE_IN_PROGRESS',
      sending: { state: 'REVOCATION_SENDING_STATE_SENT', taskId: task.id, hostname: 'host-1.example', version: '1.0.0' },
    });
    await source.connector.finish(task.id);
    const claimed = await source.becomes(id, { state: 'REVOCATION_STATE_CLAIMED', claimedByUserId: '' });
    expect(claimed.outcome).toBe('said removed by connector baton-demo 1.0.0 on host host-1.example, not verified');
    await source.sync(vector('demo-sdk-0.2.50-after-revoke'), false);
    await source.becomes(id, { state: 'REVOCATION_STATE_VERIFIED', sending: { state: 'REVOCATION_SENDING_STATE_DONE' } });
    const { list } = await all.ok('POST', '/api/v1/systemlog/events', { targetId: id });
    const kinds = list.map(({ metadata }: { metadata: { eventKind: string } }) => metadata?.eventKind);
    expect(JSON.stringify(list)).toContain('revocation.sent');
    expect(JSON.stringify(list)).toContain('revocation.carried_out');
    expect(kinds.length).toBeGreaterThan(2);
  });

  it('has settings that a later change does not replace unseen', async () => {
    const source = await all.make();
    await source.sync(vector('demo-sdk-0.2.50'));
    await source.enable();
    const path = `/api/v1/sources/${source.id}/removals`;
    const asRead = (await all.ok('GET', path)).removals;
    await all.ok('PUT', path, { enabled: true, hourly: 7, asRead });
    const refused = await request(all.server, all.server.admin, 'PUT', path, { enabled: true, hourly: 8, asRead });
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('changed hourly')]);
    await all.ok('PUT', path, { enabled: true, hourly: 8 });
  });

  it('of what was gone already counts as carried out; what the next sync still has is still there', async () => {
    const source = await all.make();
    await source.sync(vector('demo-sdk-0.2.50'));
    await source.enable();
    const id = await source.remove(demo.alice, demo.editor);
    const task = await source.take('revoke');
    await source.connector.finish(task.id, { code: 0, message: '', annotation: 'c1.connector.v2.GrantAlreadyRevoked' });
    await source.becomes(id, { state: 'REVOCATION_STATE_CLAIMED' });
    await source.sync(vector('demo-sdk-0.2.50-after-revoke'), false);
    await source.becomes(id, { state: 'REVOCATION_STATE_STILL_PRESENT' });
  });

  it('that its connector refuses fails with its words, and one that it could not reach is tried again', async () => {
    const source = await all.make();
    await source.sync(vector('demo-sdk-0.2.50'));
    await source.enable();
    const id = await source.remove(demo.frank, demo.editor);
    const first = await source.take('revoke');
    await source.connector.finish(first.id, { code: 14, message: 'the system is away' });
    const again = await source.becomes(id, {
      state: 'REVOCATION_STATE_IN_PROGRESS',
      sending: { state: 'REVOCATION_SENDING_STATE_WAITING' },
    });
    expect(again.sending.taskId).not.toBe(first.id);
    await goOn(again.sending.taskId);
    const second = await source.take('revoke');
    await source.connector.finish(second.id, { code: 2, message: 'unknown resource type' });
    await source.becomes(id, {
      state: 'REVOCATION_STATE_ERROR',
      note: 'unknown resource type',
      outcome: 'failed: unknown resource type',
      sending: { state: 'REVOCATION_SENDING_STATE_FAILED' },
    });
    await all.ok('POST', `/api/v1/revocations/${id}/action/retry`, { comment: 'The connector was updated' });
    expect((await source.take('revoke')).grant.equals(first.grant)).toBe(true);
  });

  it('is left to people with the reason where the connector cannot carry it out', async () => {
    const source = await all.make();
    await source.sync(vector('demo-sdk-0.2.50'));
    const left = (reason: string) => ({
      state: 'REVOCATION_STATE_IN_PROGRESS',
      sending: { state: 'REVOCATION_SENDING_STATE_PEOPLE', reason: `REVOCATION_SENDING_REASON_${reason}` },
    });
    await source.becomes(await source.remove(demo.alice, demo.editor), left('OFF'));
    await source.enable();
    await source.becomes(await source.remove(demo.frank, 'group:2IC0WjepYDBsRp6b7cqrumGsVGt:member'), left('NOT_PROVISIONED'));
    await source.becomes(await source.remove(demo.frank, 'access'), left('APP_ACCESS'));
    const paused = await source.remove(demo.frank, demo.editor);
    await source.becomes(paused, { sending: { state: 'REVOCATION_SENDING_STATE_WAITING' } });
    await all.ok('POST', `/api/v1/apps/${source.appId}/connectors/${source.id}/pause`, {});
    await source.becomes(paused, left('PAUSED'));
    expect(await all.ok('GET', `/api/v1/sources/${source.id}/removals`)).toMatchObject({
      removals: { enabled: true, hourly: 20, resourceTypes: ['role'], leftToPeople: 4, underWay: 0 },
    });
  });

  it('over the limits waits until an administrator lets it go who asked for none', async () => {
    const source = await all.make();
    await source.sync(vector('demo-sdk-0.2.50'));
    await source.enable(1);
    const [first, second] = [await source.remove(demo.frank, demo.editor), await source.remove(demo.alice, demo.editor)];
    const limitedOf = () =>
      until(async () => {
        const states = await Promise.all(
          [first, second].map(async (id) => (await all.ok('GET', `/api/v1/revocations/${id}`)).revocation.sending.state),
        );
        expect([...states].sort()).toEqual(['REVOCATION_SENDING_STATE_LIMITED', 'REVOCATION_SENDING_STATE_WAITING']);
        return states[0] === 'REVOCATION_SENDING_STATE_LIMITED' ? first : second;
      });
    const limited = await limitedOf();
    expect((await all.admin('POST', `/api/v1/sources/${source.id}/action/release_removals`, {})).status).toBe(403);
    const other = await all.server.makePerson('other@example.com', ['SUPER_ADMINISTRATOR']);
    const release = (): Promise<Answer> => request(all.server, other, 'POST', `/api/v1/sources/${source.id}/action/release_removals`, {});
    expect((await release()).body).toEqual({ released: 1 });
    await source.becomes(limited, { sending: { state: 'REVOCATION_SENDING_STATE_WAITING' } });
    expect((await release()).body).toEqual({ released: 0 });
  });

  it('over a limit is released by a person who did not ask for it, not through anything either', async () => {
    const { server } = all;
    const owner = await server.makePerson('owner@example.com');
    const other = await server.makePerson('nobody-asked@example.com', ['SUPER_ADMINISTRATOR']);
    const mine = await makeProgram(server, server.admin);
    const theirs = await makeProgram(server, other);
    for (const asker of [mine, await server.issueClient(owner.id)]) {
      const source = await all.make();
      await all.ok('PUT', `/api/v1/apps/${source.appId}/owners`, { userIds: [owner.id] });
      await source.sync(vector('demo-sdk-0.2.50'));
      await source.enable(1);
      const ids = [await source.remove(demo.frank, demo.editor, asker), await source.remove(demo.alice, demo.editor, asker)];
      await until(async () => {
        const read = await Promise.all(ids.map((id) => all.ok('GET', `/api/v1/revocations/${id}`)));
        expect(read.map(({ revocation }) => revocation.sending.state)).toContain('REVOCATION_SENDING_STATE_LIMITED');
      });
      const release = async (person: TestPerson): Promise<number> =>
        (await request(server, person, 'POST', `/api/v1/sources/${source.id}/action/release_removals`, {})).status;
      expect([await release(server.admin), await release(mine), await release(theirs), await release(other)]).toEqual([403, 403, 403, 200]);
    }
  });

  it('is switched on for connectors alone that said that they can', async () => {
    const source = await all.make();
    const put = (body: object): Promise<Answer> => all.admin('PUT', `/api/v1/sources/${source.id}/removals`, body);
    expect((await put({ enabled: true, hourly: 1001 })).status).toBe(400);
    await all.server.test.admin(`UPDATE source_hosts SET type_capabilities = '{}' WHERE source_id = $1`, [source.id]);
    expect((await put({ enabled: true })).body.message).toContain('did not say that it can remove');
    expect((await put({ enabled: false, hourly: 5 })).body).toMatchObject({ removals: { enabled: false, hourly: 5 } });
  });
});
