/** `countersign principal` against a running server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { AuthService } from '../../src/gen/c1/api/auth/v1/auth_service_pb.js';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

describe('principal', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await useTestServer();
  });
  afterAll(() => server.stop());
  const run = (...args: string[]) => runInProcess(args, { env: environmentFor(server.url, server.admin.credential) });

  it('create and list: the credential works, with the roles that were asked for', async () => {
    const made = await run('principal', 'create', '--name', 'nightly', '--role', 'campaign-administrator', '--json');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const { id, clientId, clientSecret } = JSON.parse(made.stdout);
    expect(clientId).toMatch(/\/spc$/);
    const client = createClient({ url: server.url, credential: { clientId, clientSecret } });
    expect(await client.call(AuthService.method.introspect, {})).toMatchObject({
      userId: id,
      roleIds: ['000000000000000000BasicUser', '000000CampaignAdministrator'],
    });
    const listed = await run('principal', 'list');
    expect(listed.stdout).toContain(id);
    expect(listed.stdout).toContain('nightly');
  });

  it('create makes nothing with a role that is none, and needs a name', async () => {
    expect((await run('principal', 'create', '--name', 'lost', '--role', 'nobody')).code).not.toBe(0);
    expect((await run('principal', 'list')).stdout).not.toContain('lost');
    expect((await run('principal', 'create')).code).toBe(2);
  });

  it('delete ends it with its credentials', async () => {
    const { id, clientId, clientSecret } = JSON.parse((await run('principal', 'create', '--name', 'leaked', '--json')).stdout);
    const token = () => createClient({ url: server.url, credential: { clientId, clientSecret } }).token();
    await expect(token()).resolves.toMatch(/^ey/);
    expect((await run('principal', 'delete', id)).stdout).toBe(`${id} is deleted.\n`);
    await expect.poll(() => token().catch((error: { code: string }) => error.code), { timeout: 60_000 }).toBe('invalid_client');
    expect((await run('principal', 'list')).stdout).not.toContain('leaked');
    expect((await run('principal', 'delete', id, '--json')).code).toBe(1);
  });
});
