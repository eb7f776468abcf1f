/** `grant list` against a running server: what it prints, and what it refuses. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppOwnerService } from '../../src/gen/c1/api/app/v1/app_owner_service_pb.js';
import { AppService } from '../../src/gen/c1/api/app/v1/app_service_pb.js';
import { type CommandResult, environmentFor, runInProcess } from '../support/command-line.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';
const grants = [
  header,
  'ann,ann@x.example,USER,ENABLED,role,Wiki,read,2024-01-01T00:00:00Z,2025-01-01T00:00:00Z',
  'ann,ann@x.example,USER,ENABLED,role,Wiki,write,,',
  'robot,,SERVICE_ACCOUNT,ENABLED,role,Wiki,read,,',
];

describe('grant list', () => {
  let server: TestServer;
  let env: Record<string, string>;
  const run = (...args: string[]): Promise<CommandResult> => runInProcess(['grant', 'list', ...args], { env });
  const rowsOf = (result: CommandResult): string[] => {
    expect(result).toMatchObject({ code: 0, stderr: '' });
    return result.stdout.trimEnd().split('\n');
  };

  beforeAll(async () => {
    server = await useTestServer();
    env = environmentFor(server.url, server.admin.credential);
    await server.makePerson('ann@x.example');
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', grants.join('\n'));
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki&allow_removals=true', grants.slice(0, 2).join('\n'));
  });
  afterAll(() => server.stop());

  it('prints one line for each grant, of everybody or of one person, with those that ended where asked', async () => {
    const [heading, ...open] = rowsOf(await run('--app', 'wiki'));
    expect(heading?.split('\t')).toEqual(['ACCOUNT', 'OWNER', 'ENTITLEMENT', 'HOW', 'APPEARED', 'UNTIL', 'ENDED', 'LAST USED']);
    const cells = open.map((row) => row.split('\t'));
    expect(cells.map(([account, owner, entitlement, how]) => [account, owner, entitlement, how]).sort()).toEqual([
      ['ann', 'ann@x.example', 'App access', 'direct'],
      ['ann', 'ann@x.example', 'Wiki read', 'direct'],
    ]);
    expect(cells.every((row) => row.length === 8 && row[4] !== '' && row[6] === '' && row[7] === '2025-01-01T00:00:00Z')).toBe(true);
    const all = rowsOf(await run('--app', 'Wiki', '--ended')).slice(1);
    expect(all).toHaveLength(2 + 3);
    expect(all.filter((row) => row.split('\t')[6] !== '')).toHaveLength(3);
    expect(rowsOf(await run('--app', 'Wiki', '--user', 'ann@x.example', '--ended')).slice(1)).toHaveLength(3);
  });

  it('prints no name that moves the cursor or turns the direction of writing, and JSON that says the same', async () => {
    const name = 'a\u009b2J\u202eb\u2028c';
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=Odd', `${header}\n${name},,USER,ENABLED,role,Odd,read,,\n`);
    const rows = rowsOf(await run('--app', 'Odd')).slice(1);
    expect(rows.map((row) => row.split('\t')[0])).toEqual(['a\uFFFD2J\uFFFDb\uFFFDc', 'a\uFFFD2J\uFFFDb\uFFFDc']);
    const { stdout } = await run('--app', 'Odd', '--json');
    expect(stdout).not.toMatch(/[\u009b\u202e\u2028]/);
    const found = JSON.parse(stdout) as { account: { displayName: string } }[];
    expect(found.map(({ account }) => account.displayName)).toEqual([name, name]);
  });

  it('prints CSV that no formula runs in, also to the owner of the app, who reads no other', async () => {
    const csv = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at\n';
    const file = `${csv}"=cmd|x\n-1",ann@x.example,USER,ENABLED,role,Shop,read,,\n`;
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=Shop', file);
    const owner = await server.makePerson('owner@x.example');
    const asOwner = (...args: string[]) =>
      runInProcess(['grant', 'list', '--csv', ...args], { env: environmentFor(server.url, owner.credential) });
    expect(await asOwner('--app', 'Shop')).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no app') });
    const { list } = (await server.admin.client.call(AppService.method.list, {})) as { list: { id: string; displayName: string }[] };
    const appId = list.find(({ displayName }) => displayName === 'Shop')?.id ?? '';
    await server.admin.client.call(AppOwnerService.method.set, { appId, userIds: [owner.id] });
    const { code, stdout } = await asOwner('--app', 'Shop');
    const rows = parse<Record<string, string>>(stdout, { columns: true });
    expect([code, rows.map(({ account, owner_email, entitlement, how }) => [account, owner_email, entitlement, how]).toSorted()]).toEqual([
      0,
      [
        ["'=cmd|x\n'-1", 'ann@x.example', 'App access', 'direct'],
        ["'=cmd|x\n'-1", 'ann@x.example', 'Shop read', 'direct'],
      ],
    ]);
    expect((await asOwner('--app', 'Wiki')).code).toBe(1);
  });

  it('prints JSON', async () => {
    const listed = JSON.parse((await run('--app', 'Wiki', '--json')).stdout) as { account: { displayName: string } }[];
    expect(listed.map(({ account }) => account.displayName)).toEqual(['ann', 'ann']);
    expect(JSON.parse((await run('--app', 'Wiki', '--user', 'admin@127.0.0.1', '--json')).stdout)).toEqual([]);
  });

  it('refuses without an app, and for one or somebody unknown', async () => {
    expect((await run()).code).toBe(2);
    expect(await run('--app', 'No such')).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no app') });
    expect(await run('--app', 'Wiki', '--user', 'x@x.example')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no person has'),
    });
  });
});
