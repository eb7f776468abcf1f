/** `countersign source test|secret|credential`: settings that are tried out, secrets that never stand on the command line, credentials of connectors. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandResult, environmentFor, runInProcess } from '../support/command-line.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

describe('source settings', () => {
  let server: TestServer;
  let env: Record<string, string>;
  let folder: string;
  const run = (args: readonly string[], stdin = ''): Promise<CommandResult> => runInProcess(['source', ...args], { env, stdin });
  const add = async (kind: string, ...set: string[]): Promise<string> =>
    JSON.parse((await run(['add', kind, '--app', 'Shop', ...set.flatMap((one) => ['--set', one]), '--json'])).stdout).id;

  beforeAll(async () => {
    server = await useTestServer();
    env = environmentFor(server.url, server.admin.credential);
    folder = mkdtempSync(join(tmpdir(), 'countersign-settings-'));
    await runInProcess(['import', 'grants', '-', '--app', 'Shop'], { env, stdin: 'account,entitlement,resource\nann,read,wiki\n' });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await server.stop();
  });

  it('test: says what is wrong, of settings to be and of those of a source', async () => {
    const tried = await run(['test', 'ldap', '--set', 'url=ldaps://10.1.2.3', '--set', 'baseDn=dc=a', '--set', 'bindDn=cn=a']);
    expect(tried).toMatchObject({ code: 1, stderr: expect.stringContaining('bindPassword: The password of the bind DN is not set.') });
    const password = join(folder, 'password.txt');
    writeFileSync(password, 'p\n');
    const id = await add('ldap', 'url=ldaps://10.1.2.3', 'baseDn=dc=a', 'bindDn=cn=a');
    const other = await run(['test', id, '--secret-file', `bindPassword=${password}`]);
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('url: 10.1.2.3:636 is not asked') });
    const json = await run(['test', id, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ errorField: 'bindPassword', steps: [] });
    expect(await run(['test', id, '--set', 'baseDn=x'])).toMatchObject({ code: 1, stderr: expect.stringContaining('distinguished name') });
    expect(await run(['test', await add('baton', 'program=baton-github')])).toMatchObject({ code: 1 });
  });

  it('secret: comes from a file or standard input, and goes', async () => {
    const id = await add('sql', 'engine=SQL_ENGINE_POSTGRESQL', 'host=db.example.com', 'database=a', 'username=a', 'statement=SELECT 1');
    expect(await run(['secret', 'set', id, 'password', 'from-the-command-line'])).toMatchObject({ code: 2 });
    expect(await run(['secret', 'set', id, 'password', '--file', 'a', '--server-file', 'b'])).toMatchObject({ code: 2 });
    // This installation has no key, so nothing is sealed: it got as far as the server.
    expect(await run(['secret', 'set', id, 'password'], 'p\n')).toMatchObject({ code: 1, stderr: expect.stringContaining('key') });
    const set = await run(['secret', 'set', id, 'password', '--server-file', 'db-password', '--json']);
    expect(JSON.parse(set.stdout)).toMatchObject({ id, secretsSet: ['password'] });
    expect(await run(['secret', 'remove', id, 'password'])).toMatchObject({ code: 0, stdout: 'The secret password is removed.\n' });
    expect(await run(['secret', 'remove', id, 'password'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no secret of this name'),
    });
  });

  it('credential: is made, takes the place of another, and is revoked', async () => {
    const id = await add('baton', 'program=baton-github');
    expect(await run(['credential', 'rotate', id])).toMatchObject({ code: 1, stderr: expect.stringContaining('no credential yet') });
    const made = await run(['credential', 'create', id]);
    expect(made.stdout).toMatch(/client id +\S+\/ccc\nclient secret +secret-token:\S+\nThe secret is shown only once\.\n$/);
    const second = JSON.parse((await run(['credential', 'rotate', id, '--json'])).stdout);
    const listed = await run(['credential', 'list', id]);
    expect(listed.stdout.trimEnd().split('\n').length).toBe(3);
    expect(listed.stdout).not.toContain('secret-token');
    expect(await run(['credential', 'revoke', id, second.id])).toMatchObject({ code: 0 });
    expect(JSON.parse((await run(['credential', 'list', id, '--json'])).stdout).length).toBe(1);
  });
});
