/** Inventory on the command line: `search`, `app list`, `account list`, `event list`, and `scim`, against a running server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { type CommandResult, environmentFor, runInProcess } from '../support/command-line.ts';
import { grantsHeader } from '../support/inventory.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const people = `email,display_name,manager_email,department,job_title,employment_status
zoe@x.example,Zoë Müller,,,,ACTIVE
ann@x.example,Ann Archer,zoe@x.example,,,ACTIVE`;
const wiki = [
  grantsHeader,
  'zoe-admin,zoe@x.example,USER,ENABLED,space,Zoology,Write,,',
  'ann,ann@x.example,USER,DISABLED,space,Handbook,Read,,',
  'robot,,SERVICE_ACCOUNT,ENABLED,space,Handbook,Write,,',
].join('\n');
const many = [grantsHeader, ...Array.from({ length: 12 }, (_, n) => `bulk-${n},,USER,ENABLED,queue,Jobs,Run,,`)].join('\n');

let server: TestServer;
let env: Record<string, string>;
const run = (...args: string[]): Promise<CommandResult> => runInProcess(args, { env });

async function runJson<T>(...args: string[]): Promise<T> {
  const result = await run(...args, '--json');
  expect(result).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(result.stdout) as T;
}

/** The rows of a table without their ids, which come first. */
async function rows(...args: string[]): Promise<string[]> {
  const { stdout } = await run(...args);
  return stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.replaceAll(/0[0-9A-Za-z]{26}/g, 'ID').replaceAll(/ +/g, ' '));
}

beforeAll(async () => {
  server = await useTestServer();
  env = environmentFor(server.url, server.admin.credential);
  await sendFile(server, server.admin, '/api/v1/imports/people', people);
  await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', wiki);
  await sendFile(server, server.admin, '/api/v1/imports/grants?app=Queue', many);
  const other = await server.makeTenant('other.example');
  await sendFile(other, other.admin, '/api/v1/imports/people', people);
});
afterAll(() => server.stop());

describe('search', () => {
  it('finds people, accounts, entitlements and resources by a part of a name, without accents', async () => {
    expect(await rows('search', 'muller')).toEqual(['person ID Zoë Müller zoe@x.example']);
    expect(await rows('search', 'zo')).toEqual([
      'person ID Zoë Müller zoe@x.example',
      'account ID Wiki zoe-admin zoe@x.example',
      'entitlement ID Wiki Zoology Write',
      'resource ID Wiki Zoology',
    ]);
    expect(await rows('search', 'wik')).toContain('app ID Wiki');
  });

  it('wants every word, and takes them with or without quotes', async () => {
    const quoted = await run('search', 'write zoology');
    expect(quoted.stdout).toContain('Zoology Write');
    expect((await run('search', 'write', 'zoology')).stdout).toBe(quoted.stdout);
    expect((await run('search', 'muller', 'ann')).stdout).toBe('Nothing was found.\n');
  });

  it('finds a thing by its id', async () => {
    const { accounts } = await runJson<{ accounts: { id: string; username: string }[] }>('search', 'robot');
    expect(accounts).toMatchObject([{ username: 'robot' }]);
    expect(await runJson('search', accounts[0]?.id ?? '')).toMatchObject({
      accounts,
      people: [],
      apps: [],
      entitlements: [],
      resources: [],
    });
  });

  it('shows ten of a kind, says that there are more, and shows as many as are asked for', async () => {
    const { stdout } = await run('search', 'bulk');
    expect(stdout.split('\n').filter((line) => line.startsWith('account '))).toHaveLength(10);
    expect(stdout).toMatch(/There are more accounts: search for more of the name, or raise --limit\.\n$/);
    const all = await run('search', 'bulk', '--limit', '12');
    expect(all.stdout.split('\n').filter((line) => line.startsWith('account '))).toHaveLength(12);
    expect(all.stdout).not.toContain('There are more');
    expect((await runJson<{ accounts: unknown[] }>('search', 'bulk', '--limit', '3')).accounts).toHaveLength(3);
  });

  it('needs a text and a limit that is a number', async () => {
    expect(await run('search')).toMatchObject({ code: 2, stderr: expect.stringContaining("missing required argument 'text'") });
    expect(await run('search', ' ')).toMatchObject({ code: 2, stderr: expect.stringContaining('is empty') });
    expect(await run('search', 'x', '--limit', '0')).toMatchObject({ code: 2, stderr: expect.stringContaining('--limit') });
  });
});

describe('app list', () => {
  it('shows how many accounts each has', async () => {
    expect((await rows('app', 'list')).sort()).toEqual(['ID 12 by files Queue', 'ID 3 by files Wiki']);
    expect(await rows('app', 'list', '--query', 'ueu')).toEqual(['ID 12 by files Queue']);
    expect(await runJson('app', 'list', '--query', 'wiki')).toMatchObject([{ displayName: 'Wiki', userCount: '3' }]);
    expect((await run('app', 'list', '--query', 'none such')).stdout).toBe('None.\n');
  });
});

describe('account list', () => {
  it('shows accounts with their owners: all, of an app, of a person, by text', async () => {
    const ofWiki = [
      'ID Wiki ann ann@x.example ann@x.example USER DISABLED',
      'ID Wiki robot SERVICE_ACCOUNT ENABLED',
      'ID Wiki zoe-admin zoe@x.example zoe@x.example USER ENABLED',
    ];
    expect((await rows('account', 'list', '--app', 'wiki')).sort()).toEqual(ofWiki);
    expect(await rows('account', 'list')).toHaveLength(15);
    expect(await rows('account', 'list', '--user', 'ann@x.example')).toEqual(ofWiki.slice(0, 1));
    expect(await rows('account', 'list', '--app', 'Queue', '--query', 'bulk-11')).toEqual(['ID Queue bulk-11 USER ENABLED']);
    expect(await runJson('account', 'list', '--user', 'zoe@x.example')).toMatchObject([{ username: 'zoe-admin' }]);
  });

  it('says which app or person there is not', async () => {
    expect(await run('account', 'list', '--app', 'Nope')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no app "Nope"'),
    });
    expect(await run('account', 'list', '--user', 'no@x.example')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no person has'),
    });
  });
});

describe('scim', () => {
  const push = (token: string): Promise<Response> =>
    fetch(`${server.url}/scim/v2/Users`, { headers: { authorization: `Bearer ${token}` } });

  it('token lets a provider in, a new one ends the one before, revoke shuts it out', async () => {
    const first = await runJson<{ token: string; baseUrl: string; source: { id: string } }>('scim', 'token', '--app', 'Wiki');
    expect(first.baseUrl).toBe(`${server.url}/scim/v2`);
    expect((await push(first.token)).status).toBe(200);
    const { stdout } = await run('scim', 'token', '--app', 'Wiki');
    const second = /^token +(\S+)$/m.exec(stdout)?.[1] ?? '';
    expect(stdout).toContain(`source    ${first.source.id}\n`);
    expect([(await push(first.token)).status, (await push(second)).status]).toEqual([401, 200]);
    expect((await run('scim', 'revoke', '--app', 'Wiki')).stdout).toBe('Nobody can push to Wiki any more.\n');
    expect((await push(second)).status).toBe(401);
    expect((await run('source', 'list')).stdout).toMatch(/ Wiki +\S.* SCIM /);
  });

  it('needs an app', async () => {
    expect((await run('scim', 'token')).code).toBe(2);
    expect(await run('scim', 'revoke', '--app', 'Queue')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no SCIM source'),
    });
  });
});

describe('import', () => {
  it('that takes too much away says which option allows it', async () => {
    const fewer = Buffer.from(many.split('\n').slice(0, 4).join('\n'));
    const refused = await runInProcess(['import', 'grants', '-', '--app', 'Queue'], { env, stdin: fewer });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('If that is right, repeat it with --allow-removals.') });
    const asJson = await runInProcess(['import', 'grants', '-', '--app', 'Queue', '--json'], { env, stdin: fewer });
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: 'FAILED_PRECONDITION', violations: [{ field: 'allowRemovals' }] } });
    const allowed = await runInProcess(['import', 'grants', '-', '--app', 'Queue', '--allow-removals'], { env, stdin: fewer });
    expect(allowed.code).toBe(0);
    expect(allowed.stdout.split('\n')).toEqual([
      '3 rows of grants: 0 added, 0 changed, 9 removed, 3 unchanged',
      expect.stringContaining('Accounts without an owner: 3.'),
      'Read as UTF-8, separated by comma, header on line 1.',
      '',
    ]);
  });
});

describe('event list', () => {
  it('shows who did what, the newest first, and as much as is asked for', async () => {
    await run('account', 'assign', '--app', 'Wiki', '--account', 'robot', '--to', 'ann@x.example');
    // Attempts with a wrong token are written down a moment later, and may be newer.
    const newest = await rows('event', 'list', '--limit', '5');
    expect(newest).toHaveLength(5);
    expect(newest).toContainEqual(
      expect.stringMatching(new RegExp(`^[0-9T:.-]+Z ${server.admin.email} 127\\.0\\.0\\.1 account\\.owner_changed account ID$`)),
    );
    const all = await runJson<{ time: number; message: string; metadata: { sequence: number } }[]>('event', 'list', '--limit', '500');
    expect(all.length).toBeGreaterThan(5);
    // The order is that of positions; `time` is when the request began whose change an event records.
    expect(all.map(({ metadata }) => metadata.sequence)).toEqual(all.map((_, index) => all.length - 1 - index));
    expect(Number(all[0]?.time)).toBeGreaterThan(Number(all.at(-1)?.time));
    const [{ time } = { time: 0 }] = all;
    const since = await runJson<{ time: number }[]>('event', 'list', '--since', new Date(time).toISOString());
    expect(since.every((one) => one.time >= time)).toBe(true);
    expect((await run('event', 'list', '--until', '2000-01-01')).stdout).toBe('None.\n');
  });

  it('wants times and a number', async () => {
    expect(await run('event', 'list', '--since', 'yesterday')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--since must be a time'),
    });
    expect(await run('event', 'list', '--limit', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('--limit') });
  });
});

describe('event follow', () => {
  it('prints what happens behind an event, each once, until nothing happens', async () => {
    const [before] = await runJson<{ metadata: { uid: string } }[]>('event', 'list', '--limit', '1');
    const following = run('event', 'follow', '--after', before?.metadata.uid ?? '', '--idle', '3', '--json');
    await run('account', 'release', '--app', 'Wiki', '--account', 'robot');
    await run('account', 'assign', '--app', 'Wiki', '--account', 'robot', '--to', 'zoe@x.example');
    const { code, stdout } = await following;
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { message: string; metadata: { sequence: number } });
    expect([code, events.filter(({ message }) => message === 'account.owner_changed').length]).toEqual([0, 2]);
    const positions = events.map(({ metadata }) => metadata.sequence);
    expect(positions).toEqual(positions.map((_, index) => (positions[0] ?? 0) + index));
    expect((await run('event', 'follow', '--after', before?.metadata.uid ?? '', '--idle', '0')).stdout).toContain('account.owner_changed');
  });

  it('wants an event of the log, and seconds', async () => {
    expect(await run('event', 'follow', '--after', 'nothing', '--idle', '0')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('sinceEventUid'),
    });
    expect(await run('event', 'follow', '--idle', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('--idle') });
  });
});

describe('app owner and entitlement owner', () => {
  it('list, add and remove people by their mail addresses, and entitlements by their names', async () => {
    const app = ['--app', 'Wiki'];
    const { stdout } = await run('app', 'owner', 'add', ...app, '--person', 'ann@x.example');
    expect(stdout).toBe('ann@x.example is an owner of Wiki in the role owner.\n');
    await run('app', 'owner', 'add', ...app, '--holders-of', 'Zoology Write', '--role', 'steward');
    const listed = async (...args: string[]): Promise<string[]> => (await run(...args)).stdout.trimEnd().split('\n').slice(1).map(collapse);
    const collapse = (line: string): string => line.replaceAll(/ +/g, ' ').trim();
    expect(await listed('app', 'owner', 'list', ...app)).toEqual([
      'owner person ann@x.example Ann Archer',
      'steward holders of Zoology Write Wiki',
    ]);
    expect(await listed('app', 'owner', 'list', ...app, '--role', 'owner')).toEqual(['owner person ann@x.example Ann Archer']);
    expect(await runJson('app', 'owner', 'list', ...app)).toMatchObject({
      people: [{ user: { email: 'ann@x.example' } }],
      entitlements: [{}],
    });
    await run('app', 'owner', 'remove', ...app, '--person', 'ann@x.example');
    await run('app', 'owner', 'remove', ...app, '--holders-of', 'Zoology Write', '--role', 'steward');
    expect((await run('app', 'owner', 'list', ...app)).stdout).toBe('None.\n');

    const entitlement = [...app, '--entitlement', 'Handbook Read'];
    await run('entitlement', 'owner', 'add', ...entitlement, '--person', 'zoe@x.example');
    await run('entitlement', 'owner', 'add', ...entitlement, '--holders-of', 'Jobs Run', '--holders-app', 'Queue');
    expect(await listed('entitlement', 'owner', 'list', ...entitlement)).toEqual([
      'owner person zoe@x.example Zoë Müller',
      'owner holders of Jobs Run Queue',
    ]);
    await run('entitlement', 'owner', 'remove', ...entitlement, '--person', 'zoe@x.example');
    await run('entitlement', 'owner', 'remove', ...entitlement, '--holders-of', 'Jobs Run', '--holders-app', 'Queue');
    expect((await run('entitlement', 'owner', 'list', ...entitlement)).stdout).toBe('None.\n');
  });

  it('say what is missing', async () => {
    const add = (...args: string[]): Promise<CommandResult> => run('app', 'owner', 'add', '--app', 'Wiki', ...args);
    expect(await add()).toMatchObject({ code: 2, stderr: expect.stringContaining('either --person or --holders-of') });
    expect(await add('--holders-of', 'None such')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no entitlement "None such"'),
    });
    expect(await add('--person', 'no@x.example')).toMatchObject({ code: 1, stderr: expect.stringContaining('no person has') });
  });
});

describe('delegation', () => {
  it('sets, lists and ends who decides in whose place', async () => {
    const set = await run('delegation', 'set', 'ann@x.example', '--to', 'zoe@x.example', '--until', '2999-01-01T00:00:00Z');
    expect(set.stdout).toBe('zoe@x.example decides in the place of ann@x.example until 2999-01-01T00:00:00.000Z.\n');
    const steps = [{ approval: { manager: {} } }];
    const body = { displayName: 'Alone', policyType: 'POLICY_TYPE_CERTIFY', policySteps: { certify: { steps } } };
    expect((await request(server, server.admin, 'POST', '/api/v1/policies', body)).status).toBe(200);
    const warned = await run('delegation', 'set', 'ann@x.example', '--to', 'zoe@x.example', '--until', '2999-01-01T00:00:00Z');
    expect(warned.stdout).toContain('Items stay with ann@x.example where the policy lets no delegate decide (allowDelegation): Alone.\n');
    expect(await rows('delegation', 'list')).toEqual(['ID ann@x.example zoe@x.example']);
    expect((await run('delegation', 'list', '--user', 'zoe@x.example')).stdout).toBe('None.\n');
    expect(await runJson('delegation', 'list', '--user', 'ann@x.example')).toMatchObject([{ email: 'ann@x.example' }]);
    expect(await run('delegation', 'set', 'ann@x.example', '--to', 'zoe@x.example', '--from', 'soon')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--from "soon" is not a time'),
    });
    expect((await run('delegation', 'end', 'ann@x.example')).stdout).toBe('Nobody decides in the place of ann@x.example from now on.\n');
    expect((await run('delegation', 'list')).stdout).toBe('None.\n');
  });

  it('leaves out people who left, whose delegations are suspended', async () => {
    await run('delegation', 'set', 'ann@x.example', '--to', 'zoe@x.example');
    const move = (status: string) =>
      server.test.admin(`UPDATE users SET status = $1, updated_at = now() WHERE email_key = 'zoe@x.example'`, [status]);
    await move('DISABLED');
    expect((await run('delegation', 'list')).stdout).toBe('None.\n');
    await move('ENABLED');
    expect((await run('delegation', 'list')).stdout).toBe('None.\n');
  });
});
