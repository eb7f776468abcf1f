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

  it('asks who a record is where its source contradicts itself, which is listed and answered', async () => {
    const email = 'yva@x.example';
    const user = (userName: string, id: string, displayName: string): object => ({
      userName,
      externalId: `x-${id}`,
      displayName,
      active: true,
      emails: [{ value: email, primary: true }],
      [urn.enterprise]: { employeeNumber: id },
    });
    await push('POST', '/Users', user('yva', '71', 'Yva'));
    await push('POST', '/Users', user('adm-yva', '72', 'Yva (admin)'));
    await push('POST', '/Users', user('kio-yva', '73', 'Yva (kiosk)'));
    expect((await run('identity', 'disputed')).stdout).toMatch(
      /Entra ID: SCIM +Yva \(admin\), yva@x\.example, 72 +the same address, but another id +Yva yva@x\.example\n/,
    );
    const [admin, kiosk] = JSON.parse((await run('identity', 'disputed', '--json')).stdout);
    for (const wrong of [[], ['--ignore', '--new-person']]) {
      expect(await run('identity', 'answer', admin.id, ...wrong)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('pass one of --same-person, --new-person and --ignore'),
      });
    }
    const answered = await run('identity', 'answer', admin.id, '--same-person', email);
    expect(answered.stdout).toMatch(/verdict +same person\nperson +Yva \w{27}\n$/);
    expect((await run('identity', 'answer', kiosk.id, '--ignore')).stdout).toMatch(/verdict +ignored\n$/);
    expect((await run('identity', 'disputed')).stdout).toBe('None.\n');
    expect((await run('identity', 'disputed', '--ignored')).stdout).toMatch(/Yva \(kiosk\), yva@x\.example, 73/);
    const records = (await run('identity', 'records', '--user', email)).stdout;
    expect(records).toMatch(/Entra ID: SCIM +external_id x-71 +Yva, yva@x\.example, 71 +live +\S+Z/);
    expect(records).toMatch(/Entra ID: SCIM +external_id x-72 +Yva \(admin\), yva@x\.example, 72 +live +\S+Z/);
    expect(records).not.toContain('x-73');
    expect((await run('identity', 'answer', kiosk.id, '--new-person')).stdout).toMatch(
      /verdict +new person\nperson +Yva \(kiosk\) \w{27}\n$/,
    );
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
