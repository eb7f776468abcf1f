/** `countersign delivery` against a running server: what it lists, shows, repeats, discards and refuses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandResult, environmentFor, runInProcess } from '../support/command-line.ts';
import { makeDeadDelivery } from '../support/samples/deliveries.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let env: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  env = environmentFor(server.url, server.admin.credential);
});
afterAll(() => server.stop());

const run = (...args: string[]): Promise<CommandResult> => runInProcess(['delivery', ...args], { env });

async function runJson<T>(...args: string[]): Promise<T> {
  const result = await run(...args, '--json');
  expect(result).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(result.stdout) as T;
}

describe('delivery', () => {
  it('list shows them by state and kind', async () => {
    expect((await run('list')).stdout).toBe('None.\n');
    const [mail, hook] = [await makeDeadDelivery(server, 'mail'), await makeDeadDelivery(server, 'webhook')];
    const { stdout } = await run('list', '--state', 'dead');
    expect(stdout.split('\n')[0]).toMatch(/^ID +KIND +ABOUT +STATE +ATTEMPTS +CREATED +ERROR$/);
    expect(stdout.split('\n')[1]).toMatch(new RegExp(`^${hook} +webhook +World +dead +16 `));
    expect((await runJson<{ id: string }[]>('list', '--kind', 'mail')).map(({ id }) => id)).toEqual([mail]);
    expect(await runJson('list', '--limit', '1')).toHaveLength(1);
    expect((await run('list', '--state', 'lost')).code).toBe(2);
    expect((await run('list', '--limit', 'many')).code).toBe(2);
  });

  it('show tells what there is to know of one', async () => {
    const id = await makeDeadDelivery(server);
    const { stdout } = await run('show', id);
    expect(stdout).toMatch(new RegExp(`^id +${id}\nkind +sample\nabout +World\nkey +sample \\d+ \\d+\nstate +dead\nattempts +16\n`));
    expect(stdout).toMatch(/^error +World$/m);
    expect(stdout).toContain('{"taskId":"World"}');
    expect(await runJson('show', id)).toMatchObject({ id, state: 'DELIVERY_STATE_DEAD' });
    expect(await run('show', 'x'.repeat(27))).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no delivery') });
  });

  it('repeat tries one again, or all of a kind', async () => {
    const id = await makeDeadDelivery(server, 'again');
    await makeDeadDelivery(server, 'again');
    expect((await run('repeat', id)).stdout).toBe(`The delivery ${id} is tried again.\n`);
    expect(await run('repeat', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('You can repeat only a dead delivery') });
    expect(await runJson('repeat', '--kind', 'again')).toEqual({ repeatedCount: 1 });
    expect((await run('repeat', '--kind', 'again')).stdout).toBe('Deliveries that are tried again: 0.\n');
    expect((await run('repeat')).code).toBe(2);
    expect((await run('repeat', id, '--kind', 'again')).code).toBe(2);
  });

  it('discard gives one up, for a reason', async () => {
    const id = await makeDeadDelivery(server);
    expect((await run('discard', id)).code).toBe(2);
    expect((await run('discard', id, '--reason', 'Gone.')).stdout).toBe(`The delivery ${id} is discarded.\n`);
    expect((await run('show', id)).stdout).toMatch(/^discarded +Gone\.$/m);
  });
});
