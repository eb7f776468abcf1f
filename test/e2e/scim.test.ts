/** The set-up of docs/scim.md from the command line: an app and its token, a push, and what is then to be seen of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandResult, environmentFor, runInProcess } from '../support/command-line.ts';
import { patch, sendScim, urn } from '../support/scim.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

describe('a provider set up from the command line', () => {
  let server: TestServer;
  let env: Record<string, string>;
  let token: string;
  const run = (...args: string[]): Promise<CommandResult> => runInProcess(args, { env });
  const push = async (method: string, path: string, body?: unknown) => {
    const answer = await sendScim(server, token, method, path, body);
    expect(answer.status).toBeLessThan(300);
    return answer.body;
  };

  beforeAll(async () => {
    server = await useTestServer();
    env = environmentFor(server.url, server.admin.credential);
  });
  afterAll(() => server.stop());

  it('has an app of its own, made once', async () => {
    expect(await run('scim', 'token', '--app', 'Entra ID')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no app "Entra ID"'),
    });
    const made = await run('scim', 'token', '--app', 'Entra ID', '--create');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(
      new RegExp(`^source +\\w{27}\nbase URL +${server.url}/scim/v2\ntoken +scim_\\w{27}\\.[\\w-]{43}\nThe token is shown only once\\.\n$`),
    );
    const again = JSON.parse((await run('scim', 'token', '--app', 'entra id', '--create', '--json')).stdout);
    token = again.token;
    expect((await run('app', 'list')).stdout.match(/Entra ID/g)).toHaveLength(1);
    const sources = JSON.parse((await run('source', 'list', '--json')).stdout);
    expect(sources).toMatchObject([{ id: again.source.id, kind: 'SOURCE_KIND_SCIM' }]);
  });

  it('pushes people and groups, which are listed with their accounts, grants and leavers', async () => {
    const boss = await push('POST', '/Users', { userName: 'boss@x.example', displayName: 'Bea Boss' });
    const user = await push('POST', '/Users', {
      userName: 'amy@x.example',
      displayName: 'Amy Adams',
      [urn.enterprise]: { department: 'Sales', manager: { value: boss.id } },
    });
    await push('POST', '/Groups', { displayName: 'Sellers', members: [{ value: user.id }] });
    expect((await run('user', 'list')).stdout).toMatch(/amy@x\.example/);
    expect((await run('account', 'list', '--app', 'Entra ID')).stdout).toMatch(/amy@x\.example +amy@x\.example/);
    expect((await run('grant', 'list', '--app', 'Entra ID')).stdout).toMatch(/Sellers member/);
    expect((await run('identity', 'no-manager')).stdout).not.toMatch(/amy@x\.example/);
    await push('PATCH', `/Users/${user.id}`, patch({ op: 'replace', path: 'active', value: false }));
    // The account is disabled with them; it is one that is left enabled elsewhere that leavers are listed with.
    expect((await run('user', 'list')).stdout).toMatch(/amy@x\.example.*DISABLED|disabled.*amy@x\.example|amy@x\.example.*disabled/i);
  });

  it('asks before it changes people of others, which is listed, shown, rejected and accepted', async () => {
    const [{ id: sourceId }] = JSON.parse((await run('source', 'list', '--json')).stdout);
    for (const name of ['kept', 'given', 'many']) {
      await server.makePerson(`${name}@x.example`);
      await push('POST', '/Users', { userName: `${name}@x.example`, displayName: `${name} anew` });
    }
    const listed = await run('claim', 'list');
    expect(listed.stdout).toMatch(/kept@x\.example +Entra ID +match +waiting +displayName: kept -> kept anew/);
    const [kept, given] = JSON.parse((await run('claim', 'list', '--source', sourceId, '--json')).stdout);
    expect((await run('claim', 'show', kept.id)).stdout).toContain('change  displayName: kept -> kept anew\n');
    expect((await run('claim', 'reject', kept.id)).stdout).toContain('state   rejected\n');
    expect((await run('claim', 'accept', given.id)).stdout).toContain('state   accepted\n');
    expect((await run('claim', 'accept', '--source', sourceId)).stdout).toBe('Claims accepted: 1. Still waiting: 0.\n');
    expect((await run('claim', 'accept')).code).toBe(2);
    expect((await run('claim', 'list', '--state', 'all')).stdout.match(/rejected|accepted/g)).toHaveLength(3);
  });

  it('is held off, and shut out', async () => {
    const [{ id }] = JSON.parse((await run('source', 'list', '--json')).stdout);
    await run('source', 'pause', id);
    expect((await sendScim(server, token, 'GET', '/Users')).status).toBe(503);
    await run('source', 'resume', id);
    expect((await sendScim(server, token, 'GET', '/Users')).status).toBe(200);
    expect((await run('scim', 'revoke', '--app', 'Entra ID')).code).toBe(0);
    expect((await sendScim(server, token, 'GET', '/Users')).status).toBe(401);
    expect((await run('account', 'list', '--app', 'Entra ID')).stdout).toMatch(/amy@x\.example +amy@x\.example/);
  });
});
