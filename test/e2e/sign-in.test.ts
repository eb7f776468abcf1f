/** Links that the command line prints: through the API, on the database itself, and the first one of a tenant. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenantWithAdministrator } from '../../src/cli/local/bootstrap.ts';
import { silentLogger } from '../../src/context.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { cookieIn, openLink, requestWith } from '../support/sign-in.ts';

describe('countersign user sign-in-link', () => {
  let server: TestServer;
  let person: TestPerson;
  let env: Record<string, string>;

  const tokenIn = (text: string): string => /\/sign-in#link=([\w-]{70})/.exec(text)?.[1] ?? '';
  const whoOpens = async (text: string): Promise<string> => {
    const cookie = cookieIn(await openLink(server, tokenIn(text))) ?? '';
    return (await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).body.userId;
  };

  beforeAll(async () => {
    server = await startTestServer();
    person = await server.makePerson('person@example.com');
    env = environmentFor(server.url, server.admin.credential);
  });
  afterAll(() => server.stop());

  it('prints a link through the API', async () => {
    const { code, stdout, stderr } = await runInProcess(['user', 'sign-in-link', 'person@example.com'], { env });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in#link=[\w-]{70}\nIt works once, until .+Z\.\n$/);
    expect(await whoOpens(stdout)).toBe(person.id);
    const basic = environmentFor(server.url, person.credential);
    expect(await runInProcess(['user', 'sign-in-link', person.id], { env: basic })).toMatchObject({ code: 1, stdout: '' });
  });

  it('prints one on the database itself, whose session has all that the person has', async () => {
    const local = ['--local', '--database-url', server.test.url, '--tenant-host', server.host, '--json'];
    const { code, stdout } = await runInProcess(['user', 'sign-in-link', server.admin.email, ...local], { env: {} });
    expect(code).toBe(0);
    expect(await whoOpens(JSON.parse(stdout).url)).toBe(server.admin.id);
    const nobody = await runInProcess(['user', 'sign-in-link', 'nobody@example.com', ...local], { env: {} });
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('no person in')]);
    const usage = await runInProcess(['user', 'sign-in-link', 'x@example.com', '--tenant-host', 'x'], { env });
    expect([usage.code, usage.stderr]).toEqual([2, expect.stringContaining('goes with --local')]);
  });

  it('is there for the first administrator of a tenant, who has a day to use it', async () => {
    const input = { host: 'new.example', displayName: '', adminEmail: 'first@example.com', secretLabel: 'conductorone.com' };
    const { database } = server.app;
    const { signInUrl } = await createTenantWithAdministrator({ database, now: new Date(), log: silentLogger }, input);
    expect(signInUrl).toMatch(/^https:\/\/new\.example\/sign-in#link=[\w-]{70}$/);
    const baseUrl = 'https://localhost:8443';
    const other = await createTenantWithAdministrator(
      { database, now: new Date(), log: silentLogger },
      { ...input, host: 'b.example', baseUrl },
    );
    expect(other.signInUrl.startsWith(`${baseUrl}/sign-in#link=`)).toBe(true);
  });
});
