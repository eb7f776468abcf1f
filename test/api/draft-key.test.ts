/** The key of what is not submitted: the same for a person whenever they sign in, of no other person, and never for a program. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.ts';
import { request } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { cookieIn, openLink, originOf, requestWith, signIn } from '../support/sign-in.ts';

const path = '/api/v1/my/session/draft_key';

describe('the key of drafts', () => {
  let server: TestServer;
  let other: ServedTenant;
  let person: TestPerson;

  const ask = (cookie: string, tenant: ServedTenant = server): Promise<Answer> => requestWith(tenant, cookie, 'GET', path);
  const keyOf = async (userId: string): Promise<string> => (await ask(await signIn(server, userId))).body.key;
  /** By a link that somebody with a role prints for the person. */
  const keyByLinkOf = async (issuer: TestPerson): Promise<string> => {
    const { body } = await request(server, issuer, 'POST', `/api/v1/users/${person.id}/sign_in_link`, {});
    return (await ask(cookieIn(await openLink(server, String(body.url).split('#link=')[1] ?? '')) ?? '')).body.key;
  };

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other.example');
    person = await server.makePerson('reviewer@example.com');
  });
  afterAll(() => server.stop());

  it('is 256 bits, the same in each session of a person, and another for everybody else', async () => {
    const key = await keyOf(person.id);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(await keyOf(person.id)).toBe(key);
    expect(await keyOf(server.admin.id)).not.toBe(key);
    expect((await ask(await signIn(other, other.admin.id), other)).body.key).not.toBe(key);
  });

  it('is another by a link of somebody else, so that whoever prints links opens nothing that the person wrote', async () => {
    const byLink = await keyByLinkOf(server.admin);
    expect(byLink).toMatch(/^[\w-]{43}$/);
    expect(byLink).not.toBe(await keyOf(person.id));
    expect(byLink).not.toBe(await keyOf(server.admin.id));
    expect(await keyByLinkOf(server.admin)).toBe(byLink);
  });

  it('is refused to access tokens, and to a session that has ended', async () => {
    expect(await request(server, person, 'GET', path)).toMatchObject({ status: 403, body: { code: 7 } });
    expect((await request(server, server.admin, 'GET', path)).status).toBe(403);
    const cookie = await signIn(server, person.id);
    expect((await ask(cookie)).status).toBe(200);
    await server.fetch('/auth/sign-out', { method: 'POST', headers: { cookie, origin: originOf(server) } });
    const ended = await ask(cookie);
    expect([ended.status, JSON.stringify(ended.body).includes('key')]).toEqual([401, false]);
  });

  it('is kept by no cache', async () => {
    const response = await server.fetch(path, { headers: { cookie: await signIn(server, person.id), 'sec-fetch-site': 'same-origin' } });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });
});
