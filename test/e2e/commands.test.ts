/** The commands of the command line against a running server and its database: what they do, print and refuse. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { AuthService } from '../../src/gen/c1/api/auth/v1/auth_service_pb.js';
import { AccessReviewActionsService } from '../../src/gen/c1/api/accessreview/v1/access_review_actions_service_pb.js';
import { AccessReviewReportService } from '../../src/gen/c1/api/accessreview/v1/access_review_report_service_pb.js';
import { type CommandResult, environmentFor, runInProcess } from '../support/command-line.ts';
import { readXlsx } from '../support/read-xlsx.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let env: Record<string, string>;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  env = environmentFor(server.url, server.admin.credential);
  folder = mkdtempSync(join(tmpdir(), 'cs-commands-'));
  await server.importData('domino');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]): Promise<CommandResult> => runInProcess(args, { env });

async function runJson<T>(...args: string[]): Promise<T> {
  const result = await run(...args, '--json');
  expect(result).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(result.stdout) as T;
}

interface Made {
  id: string;
  clientId: string;
  clientSecret: string;
}

describe('credential', () => {
  it('create, list and revoke: the credential works until it is revoked', { timeout: 240_000 }, async () => {
    const made = await runJson<Made>('credential', 'create', '--name', 'night job', '--expires', '30d', '--allow', '127.0.0.0/8');
    const client = createClient({ url: server.url, credential: made });
    await expect(client.token()).resolves.toMatch(/^ey/);
    const listed = await runJson<{ id: string; displayName: string; allowSourceCidr: string[]; expiresTime?: string }[]>(
      'credential',
      'list',
    );
    expect(listed.find((one) => one.id === made.id)).toMatchObject({ displayName: 'night job', allowSourceCidr: ['127.0.0.0/8'] });
    expect(listed.find((one) => one.id === made.id)?.expiresTime).toBeDefined();
    expect((await run('credential', 'revoke', made.clientId)).stdout).toContain('is revoked');
    // Within five seconds, in this process and in every other.
    const tryAgain = () =>
      createClient({ url: server.url, credential: made })
        .token()
        .then(
          () => 'works',
          (error: { code: string }) => error.code,
        );
    await expect.poll(tryAgain, { timeout: 60_000 }).toBe('invalid_client');
  });
  it('create --role narrows it, however the role is written', async () => {
    const made = await runJson<Made>('credential', 'create', '--role', 'basic-user');
    const { roles } = await createClient({ url: server.url, credential: made }).call(AuthService.method.introspect, {});
    expect(roles).toHaveLength(1);
  });
  it('create ends after 90 days unless told otherwise', async () => {
    const days = async (...more: string[]) => {
      const { expiresTime } = await runJson<{ expiresTime?: string }>('credential', 'create', ...more);
      return expiresTime === undefined ? undefined : Math.round((Date.parse(expiresTime) - Date.now()) / 86_400_000);
    };
    expect([await days(), await days('--expires', '30d'), await days('--expires', 'never')]).toEqual([90, 30, undefined]);
    expect((await run('credential', 'create')).stdout).toMatch(/^expires {8}\d{4}-\d\d-\d\dT/m);
    const program = await runJson<{ expiresTime: string }>('principal', 'create', '--name', 'nightly');
    expect(Math.round((Date.parse(program.expiresTime) - Date.now()) / 86_400_000)).toBe(90);
  });
  it('create --for --role lets an auditor in, with roles that read and that they hold', async () => {
    await server.makePerson('auditor@example.com', ['READ_ONLY_ADMINISTRATOR']);
    const create = (...roles: string[]) =>
      run('credential', 'create', '--for', 'auditor@example.com', ...roles.flatMap((role) => ['--role', role]), '--json');
    const refused = await create('read-only-to-system-logs');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('a role that the person holds') });
    expect((await run('user', 'roles', 'auditor@example.com', '--add', 'Read-Only to System Logs')).code).toBe(0);
    const made = await create('read-only-administrator', 'read-only-to-system-logs');
    const auditor = createClient({ url: server.url, credential: JSON.parse(made.stdout) as Made });
    const { roleIds } = await auditor.call(AuthService.method.introspect, {});
    expect(roleIds).toEqual(['000000000ReadOnlySystemLogs', '000000ReadOnlyAdministrator']);
  });
  it('create --for somebody else gives them a credential of Basic User', async () => {
    const person = await server.makePerson('worker@example.com');
    const made = await runJson<Made>('credential', 'create', '--for', 'worker@example.com');
    const { userId, roles } = await createClient({ url: server.url, credential: made }).call(AuthService.method.introspect, {});
    expect(userId).toBe(person.id);
    expect(roles).toHaveLength(1);
  });
  it('create --local --for works on the database itself, with all roles', async () => {
    const args = ['credential', 'create', '--local', '--for', server.admin.email, '--database-url', server.test.url, '--json'];
    const result = await runInProcess(args);
    expect(result.stderr).toBe('');
    const { userId, roles } = await createClient({ url: server.url, credential: JSON.parse(result.stdout) as Made }).call(
      AuthService.method.introspect,
      {},
    );
    expect(userId).toBe(server.admin.id);
    expect(roles?.length).toBeGreaterThan(1);
    const nobody = await runInProcess([
      'credential',
      'create',
      '--local',
      '--for',
      'nobody@example.com',
      '--database-url',
      server.test.url,
    ]);
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('has the mail address nobody@example.com') });
  });
});

describe('user', () => {
  it('roles shows, adds, removes and replaces', async () => {
    await server.makePerson('deputy@example.com');
    const names = async (...args: string[]): Promise<string[]> =>
      (await runJson<{ roles: { displayName: string }[] }>('user', 'roles', 'deputy@example.com', ...args)).roles
        .map((role) => role.displayName)
        .sort();
    expect(await names()).toEqual(['Basic User']);
    expect(await names('--add', 'Campaign Administrator, read-only-administrator')).toEqual([
      'Basic User',
      'Campaign Administrator',
      'Read-Only Administrator',
    ]);
    expect(await names('--remove', 'campaign administrator')).toEqual(['Basic User', 'Read-Only Administrator']);
    expect(await names('--set', '')).toEqual(['Basic User']);
  });
  it('roles refuses to take the last Super Administrator away', async () => {
    expect(await run('user', 'roles', server.admin.email, '--set', '')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('last active Super Administrator'),
    });
  });
  it('list prints a table', async () => {
    const { stdout } = await run('user', 'list', '--query', 'deputy');
    expect(stdout.split('\n')[0]).toMatch(/^ID +EMAIL +NAME +STATUS +DEPARTMENT$/);
    expect(stdout).toContain('deputy@example.com');
  });
});

describe('tenant', () => {
  it('create, list and delete, past a running server', async () => {
    const on = ['--database-url', server.test.url];
    const made = await runJson<Made & { tenantHost: string }>(
      'tenant',
      'create',
      'Second.Example',
      '--admin-email',
      'boss@second.example',
      ...on,
    );
    expect(made.tenantHost).toBe('second.example');
    expect(made.clientId).toContain('@second.example/');
    const hosts = async (): Promise<string[]> => (await runJson<{ host: string }[]>('tenant', 'list', ...on)).map((one) => one.host);
    expect(await hosts()).toContain('second.example');
    expect(await run('tenant', 'create', 'second.example', ...on)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already belongs'),
    });
    expect(await run('tenant', 'delete', 'second.example', ...on)).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    expect((await run('tenant', 'delete', 'second.example', '--yes', ...on)).code).toBe(0);
    expect(await hosts()).not.toContain('second.example');
  });
});

describe('migrate', () => {
  it('says that there is nothing to do', async () => {
    expect(await runJson('migrate', '--database-url', server.test.url)).toMatchObject({ applied: [] });
  });
});

describe('review', () => {
  it('create takes several apps, an owner and a document, and leaves nothing behind where that is refused', async () => {
    await runInProcess(['import', 'grants', '-', '--app', 'Second app'], {
      env,
      stdin:
        'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at\na,,USER,ENABLED,t,r,e,,\n',
    });
    const document = JSON.stringify({ reviewInstructions: 'Look twice.', autoGenerateReport: true });
    const made = await runInProcess(
      [
        'review',
        'create',
        '--name',
        'Two',
        '--app',
        'domino',
        '--app',
        'SECOND APP',
        '--owner',
        'worker@example.com',
        '--file',
        '-',
        '--json',
      ],
      { env, stdin: document },
    );
    expect(JSON.parse(made.stdout)).toMatchObject({
      displayName: 'Two',
      reviewInstructions: 'Look twice.',
      autoGenerateReport: true,
      multiApp: {},
    });
    const before = await runJson<unknown[]>('review', 'list');
    const refused = await runInProcess(['review', 'create', '--name', 'Bad', '--file', '-', '--json'], {
      env,
      stdin: '{"autoCloseDecision": "MAYBE"}',
    });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'INVALID_ARGUMENT' } });
    expect(await runJson<unknown[]>('review', 'list')).toHaveLength(before.length);
  });
  it('preview prints what people need', async () => {
    const { id } = await runJson<{ id: string }>('review', 'create', '--name', 'Look', '--app', 'domino');
    const { stdout } = await run('review', 'preview', id);
    expect(stdout).toMatch(/^\d+ items: \d+ people, \d+ accounts, \d+ entitlements, 1 app$/m);
    expect(stdout).toContain('REVIEWER');
  });
  it('report writes a file, or standard output, and nothing half', async () => {
    const { id } = await runJson<{ id: string }>('review', 'create', '--name', 'Report', '--app', 'Second app');
    const early = await run('review', 'report', id, '--output', join(folder, 'early.csv'));
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('DRAFT') });
    expect(() => statSync(join(folder, 'early.csv'))).toThrow();
    expect((await run('review', 'prepare', id)).stdout).toBe('Report: REVIEW, 1 item\n');
    const { stdout } = await run('review', 'report', id, '--format', 'json', '--output', '-');
    expect(JSON.parse(stdout)).toMatchObject([{ account: 'a', state: 'OPEN' }]);
    const book = join(folder, 'report.xlsx');
    await run('review', 'report', id, '--format', 'xlsx', '--output', book);
    const { rows } = await readXlsx(readFileSync(book), 'Decisions 1');
    expect(rows[1]?.[rows[0]?.indexOf('Account') ?? -1]).toBe('a');
  });
});

describe('a link to a report', () => {
  it('is served with its type, size, name and digest, and refused in the shape of every error', async () => {
    const { id } = await runJson<{ id: string }>('review', 'create', '--name', 'Links', '--app', 'Second app');
    await run('review', 'prepare', id);
    const { client } = server.admin;
    await client.call(AccessReviewActionsService.method.generateReport, { accessReviewId: id, format: 'ACCESS_REVIEW_REPORT_FORMAT_CSV' });
    let link = '';
    while (link === '') {
      const { list } = await client.call(AccessReviewReportService.method.list, { accessReviewId: id });
      link = list?.[0]?.downloadUrl ?? '';
    }
    expect(link.startsWith(`${server.url}/reports/`)).toBe(true);
    const reply = await fetch(link);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="Links-[0-9-]+\.csv"$/);
    expect((await reply.arrayBuffer()).byteLength).toBe(Number(reply.headers.get('content-length')));
    const refused = await fetch(link.replace(/signature=.*/, 'signature=AAAA'));
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: expect.any(Number), message: expect.stringContaining('15 minutes') });
    expect((await fetch(`${server.url}/reports/x`)).status).toBe(403);
    const other = await server.makeTenant('elsewhere.example');
    expect((await other.fetch(new URL(link).pathname + new URL(link).search)).status).toBe(403);
  });
});

describe('wrong usage', () => {
  it.each([
    [['user', 'list', '--nope'], 'unknown option'],
    [['import', 'grants', 'x.csv', '--app', 'A', '--app-column', 'B'], 'leave one of them out'],
    [['review', 'create'], 'a review needs a name'],
    [['review', 'close', 'x', '--decision', 'maybe'], 'Allowed choices are skip, revoke, no-action'],
    [['credential', 'create', '--local'], '--local needs --for'],
    [['user', 'roles', 'not-a-person'], 'neither a mail address nor an id'],
    [['user', 'roles', 'worker@example.com', '--add', 'king'], 'there is no role "king"'],
    [['user', 'list', '--url', 'ftp://x'], '--url must be an http or https URL'],
    [['frobnicate'], "unknown command 'frobnicate'"],
  ])('%j ends with code 2', async (args, sentence) => {
    const asText = await run(...(args as string[]));
    expect(asText).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
    const asJson = await run(...(args as string[]), '--json');
    expect(asJson.code).toBe(2);
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: 'USAGE' } });
  });
  it('without a credential says which variables are missing', async () => {
    const result = await runInProcess(['user', 'list']);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('COUNTERSIGN_CLIENT_ID') });
  });
  it.each([
    [['import', 'people', '/none/people.csv'], 'there is no such file'],
    [['import', 'people', '/tmp'], 'it is a directory'],
    [['review', 'create', '--name', 'x', '--app', 'No such app'], 'there is no app "No such app"; there are:'],
    [['review', 'prepare', '0'.repeat(27)], 'There is no such access review'],
  ])('%j is refused with code 1', async (args, sentence) => {
    expect(await run(...(args as string[]))).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
  });
});
