/** `countersign conflict` against a running server: the examples of docs/conflicts.md, one after the other, and what is refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { makeManualApp } from '../support/manual-app.ts';
import { request } from '../support/api.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

/** The commands of the page, in order: words, and texts between quotation marks. */
function readCommands(): string[][] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/conflicts.md'), 'utf8');
  return [...page.matchAll(/^countersign (conflict .*)$/gm)].map(([, line = '']) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ''),
  );
}

describe('conflict', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await useTestServer();
  });
  afterAll(() => server.stop());
  const run = (...args: string[]) => runInProcess(args, { env: environmentFor(server.url, server.admin.credential) });

  it('does what its page says', async () => {
    const app = await makeManualApp(server.system(), 'ledger', 2, 1);
    const names = new Map([
      ['Ledger', app.appId],
      ['pay', app.entitlementIds[0] ?? ''],
      ['approve', app.entitlementIds[1] ?? ''],
    ]);
    for (const entitlementId of app.entitlementIds) {
      const path = `/api/v1/apps/${app.appId}/entitlements/${entitlementId}/add-manual-user`;
      expect((await request(server, server.admin, 'POST', path, { userIds: app.userIds })).status).toBe(200);
    }
    const commands = readCommands();
    expect(commands).toHaveLength(8);
    const said: string[] = [];
    for (const command of commands) {
      const isList = command[1] === 'alerts';
      const go = () => run(...command.map((word) => names.get(word) ?? word), ...(isList || command[1] === 'create' ? ['--json'] : []));
      if (isList) {
        // Finding is a job: the page says a few seconds.
        await expect.poll(async () => JSON.parse((await go()).stdout).length, { timeout: 60_000 }).toBe(1);
        names.set('ALERT', JSON.parse((await go()).stdout)[0].id);
        continue;
      }
      const { code, stdout, stderr } = await go();
      expect([command.join(' '), code, stderr]).toEqual([command.join(' '), 0, '']);
      if (command[1] === 'create') {
        names.set('MONITOR', JSON.parse(stdout).id);
      } else {
        said.push(stdout.trim().split('\n')[0] ?? '');
      }
    }
    expect(said.slice(2)).toEqual([
      `Monitor ${names.get('MONITOR')}, "Pays and approves", is enabled.`,
      'who         Person 0',
      'The alert of Person 0 is EXEMPTED.',
      'The alert of Person 0 is ACTIVE.',
    ]);
    expect((await run('conflict', 'show', names.get('MONITOR') ?? '')).stdout).toContain(
      'finds        who holds one of group A and one of group B',
    );
    expect((await run('conflict', 'list')).stdout).toMatch(/yes +Pays and approves/);
    expect((await run('conflict', 'alerts', '--state', 'gone')).code).toBe(2);
    expect((await run('conflict', 'add', 'x', 'c', '--app', 'x', '--entitlement', 'y')).code).toBe(2);
    expect((await run('conflict', 'disable', names.get('MONITOR') ?? '')).stdout).toContain('is disabled');
    expect((await run('conflict', 'delete', names.get('MONITOR') ?? '')).stdout).toContain('is deleted');
  });
});
