/** `task ...` against a running server: a reviewer's work on the command line, by number and by id, several at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import { type CommandResult, environmentFor, runInProcess } from '../support/command-line.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

describe('task', () => {
  let server: TestServer;
  let world: World;
  let env: Record<string, string>;
  const run = (...args: string[]): Promise<CommandResult> => runInProcess(['task', ...args], { env });
  const json = async (...args: string[]): Promise<Loose> => JSON.parse((await run(...args, '--json')).stdout) as Loose;

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    world = made.world;
    env = environmentFor(server.url, server.admin.credential);
  });
  afterAll(() => server.stop());

  it('lists, shows, decides and tells what happened, by number or id', async () => {
    const listed: Loose[] = await json('list', '--review', world.openId, '--limit', '6');
    expect(listed).toHaveLength(6);
    const [a = '', b = '', c = ''] = listed.map(({ task }) => task.numericId as string);
    const approved = await run('approve', `#${a}`, listed[1]?.task.id, '--comment', 'Needed.');
    expect(approved).toMatchObject({ code: 0, stderr: '' });
    expect(approved.stdout.match(/CERTIFIED/g)).toHaveLength(2);
    // One that is decided already does not keep the others from being decided.
    const denied = await run('deny', a, c, '--comment', 'Left.');
    expect(denied).toMatchObject({ code: 1, stderr: expect.stringContaining(a) });
    expect((await json('show', c)).task.type.certify.outcome).toBe('CERTIFY_OUTCOME_DECERTIFIED');
    const shown = (await run('show', b)).stdout;
    expect(shown).toContain('you may: comment');
    expect(shown).toContain('peers: by TITLE, with 29, of 29, title Clerk, department Sales\n');
    expect((await run('audits', c)).stdout).toContain('Left.');
    const amended = await run('amend', c, '--decision', 'approve', '--comment', 'Back again.');
    expect(amended).toMatchObject({ code: 0, stderr: '' });
    expect((await json('show', c)).task.type.certify.outcome).toBe('CERTIFY_OUTCOME_CERTIFIED');
    expect((await run('amend', a, '--decision', 'deny')).code).toBe(2);
    expect((await run('show', 'nonsense')).code).toBe(2);
  });

  it('stages decisions and submits them at once, with a key', async () => {
    await world.call(server.admin, 'PUT', `/api/v1/access_review/${world.openId}/pending_decisions`, { decisions: [] });
    const listed: Loose[] = await json('list', '--review', world.openId, '--limit', '3');
    const [a = '', b = '', c = ''] = listed.map(({ task }) => task.numericId as string);
    await run('stage', a, b, '--decision', 'approve');
    await run('stage', c, '--decision', 'deny', '--comment', 'Unused.');
    expect((await run('stage', b, '--decision', 'none')).stdout).toContain('staged in review');
    const staged: Loose[] = await json('list', '--staged');
    expect(staged.map(({ task }) => task.numericId).sort()).toEqual([a, c].sort());
    const first = await run('submit', world.openId, '--key', 'friday');
    expect(first).toMatchObject({ code: 0, stdout: 'submitted 2: 1 approved, 1 denied, 0 refused\n' });
    expect((await run('submit', world.openId, '--key', 'friday')).stdout).toBe(first.stdout);
    expect((await run('submit', world.openId)).code).toBe(1);
  });

  it('passes on, restarts, skips, reminds and cancels', async () => {
    const listed: Loose[] = await json('list', '--review', world.openId, '--limit', '3');
    const [a = '', b = '', c = ''] = listed.map(({ task }) => task.numericId as string);
    expect(await run('reassign', a, '--to', world.owner.email, '--comment', 'Yours.')).toMatchObject({ code: 0 });
    expect((await json('show', a)).task.stepApproverIds).toEqual([world.owner.id]);
    expect((await run('audits', a)).stdout).toMatch(/now asks \S/);
    expect(await run('reassign', a, '--to', 'nobody@x.example')).toMatchObject({ code: 1 });
    expect((await run('remind', a)).stdout).toMatch(/: reminded 1 person\n$/);
    expect(await run('remind', b, c)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/: reminded 1 person\n.*: reminded 0 people; not again 1 person, who were reminded/),
    });
    expect(await run('remind', a)).toMatchObject({ code: 1, stderr: expect.stringContaining('within the last hour') });
    expect(await run('comment', a, '--comment', 'Hm.')).toMatchObject({ code: 0 });
    expect(await run('close', b, '--comment', 'Asked by mistake.')).toMatchObject({ code: 0 });
    expect((await json('show', b)).task.data.endReason).toBe('CANCELLED');
    expect(await run('restart', b)).toMatchObject({ code: 0 });
    expect(await run('skip', b, '--comment', 'Nobody knows.')).toMatchObject({ code: 0 });
    expect(await run('approve', c, '--until', new Date(Date.now() + 30 * 86_400_000).toISOString())).toMatchObject({ code: 0 });
    expect((await json('show', c)).task.data.certifyUntil).toMatch(/Z$/);
    expect((await run('approve', c, '--until', 'soon')).code).toBe(2);
  });
});
