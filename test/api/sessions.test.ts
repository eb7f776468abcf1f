/** Signing in with a browser over HTTP: links, the cookie as a credential, its flags, forged requests, networks, and the end of sessions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRates, rates } from '../../src/foundation/rates/index.ts';
import { printLink } from '../../src/foundation/sessions/index.ts';
import { request } from '../support/api.ts';
import { type ServedTenant, startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { cookieIn, openLink, originOf, requestWith, signIn } from '../support/sign-in.ts';

describe('sessions over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let basic: TestPerson;

  const whoIs = async (cookie: string, tenant: ServedTenant = server): Promise<number> =>
    (await requestWith(tenant, cookie, 'GET', '/api/v1/auth/introspect')).status;
  const setStatus = (id: string, status: string): Promise<unknown> =>
    server.test.admin('UPDATE countersign.users SET status = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2', [
      server.id,
      id,
      status,
      new Date(),
    ]);
  const move = (seconds: number, column: 'created_at' | 'last_used_at'): Promise<number> =>
    server
      .system()
      .db.run(`UPDATE sessions SET ${column} = ${column} - make_interval(secs => $3) WHERE tenant_id = $1 AND user_id = $2`, [
        server.id,
        basic.id,
        seconds,
      ]);
  const endedEvents = async (): Promise<{ why: string }[]> =>
    (
      await server
        .system()
        .db.rows<{ data: { why: string } }>("SELECT data FROM events WHERE tenant_id = $1 AND kind = 'session.ended' ORDER BY id", [
          server.id,
        ])
    ).map(({ data }) => data);

  beforeAll(async () => {
    server = await startTestServer();
    other = await server.makeTenant('other.example');
    basic = await server.makePerson('basic@example.com');
  });
  afterAll(() => server.stop());

  it('make cookies and tokens that were never good wait beyond the limit of their place, and none that are good', async () => {
    const flooded = await server.makeTenant('flooded.example');
    const cookie = await signIn(flooded, flooded.admin.id);
    const counter = createRates(server.test.database, () => Date.now());
    await counter.count(flooded.id, rates.failureByPlace, '127.0.0.1', rates.failureByPlace.most - 2);
    const made = `${cookie.slice(0, cookie.indexOf('=') + 1)}${'x'.repeat(43)}`;
    const withToken = (): Promise<Response> => flooded.fetch('/api/v1/auth/introspect', { headers: { authorization: 'Bearer made-up' } });
    expect([await whoIs(made, flooded), (await withToken()).status]).toEqual([401, 401]);
    const refused = await withToken();
    expect([await whoIs(made, flooded), refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, 429, true]);
    expect([await whoIs(cookie, flooded), await whoIs(made)]).toEqual([200, 401]);
  });

  it('do nothing for a page that somebody else had opened before in this browser', async () => {
    const cookie = await signIn(server, basic.id);
    const ask = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      server.fetch('/api/v1/auth/introspect', { headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers } });
    expect([(await ask({})).status, (await ask({ 'x-signed-in-as': basic.id })).status]).toEqual([200, 200]);
    const refused = await ask({ 'x-signed-in-as': server.admin.id });
    expect([refused.status, await refused.json()]).toEqual([
      401,
      expect.objectContaining({ message: 'Somebody else is signed in with this browser now. Load the page again.' }),
    ]);
    const answered = await server.fetch('/auth/device', {
      method: 'POST',
      headers: {
        cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
        'x-signed-in-as': server.admin.id,
      },
      body: JSON.stringify({ code: 'BCDF-GHJK', answer: 'APPROVE' }),
    });
    expect(answered.status).toBe(401);
  });

  it('answer who somebody is, as an access token does', async () => {
    const cookie = await signIn(server, server.admin.id);
    const [bySession, byToken] = [
      await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect'),
      await request(server, server.admin, 'GET', '/api/v1/auth/introspect'),
    ];
    expect(bySession.status).toBe(200);
    expect(bySession.body).toEqual({ ...byToken.body, principleId: bySession.body.principleId });
    const mine = await requestWith(server, cookie, 'GET', '/api/v1/my/session');
    expect(mine.body).toMatchObject({
      userId: server.admin.id,
      address: '127.0.0.1',
      session: { id: bySession.body.principleId, isCurrent: true, how: 'LINK' },
    });
    const seconds = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;
    expect(seconds(mine.body.session.createdAt, mine.body.expiresAt)).toBe(43_200);
    expect(seconds(mine.body.session.lastUsedAt, mine.body.idleExpiresAt)).toBe(1_800);
  });

  it('carry a cookie that pages cannot read and other sites cannot send', async () => {
    const flags = async (tenant: ServedTenant): Promise<string> => {
      const { token } = await printLink(tenant.system(), tenant.admin.id);
      const response = await openLink(tenant, token);
      expect(await response.json()).toEqual({ userId: tenant.admin.id, to: '/' });
      return response.headers.get('set-cookie') ?? '';
    };
    expect(await flags(server)).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await flags(other)).toMatch(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  });

  it('are new at each sign-in, whatever cookie the browser brought, and the former one ends', async () => {
    const planted = `session=${'x'.repeat(43)}`;
    const { token } = await printLink(server.system(), basic.id);
    const first = cookieIn(await openLink(server, token, { cookie: planted })) ?? '';
    expect(first).not.toBe(planted);
    const again = await printLink(server.system(), basic.id);
    const second = cookieIn(await openLink(server, again.token, { cookie: first })) ?? '';
    expect([second === first, await whoIs(first), await whoIs(second), await whoIs(planted)]).toEqual([false, 401, 200, 401]);
    expect((await endedEvents()).at(-1)).toMatchObject({ userId: basic.id, why: 'signed_in_again' });
  });

  it('count in their own tenant alone', async () => {
    const cookie = await signIn(server, basic.id);
    const value = cookie.split('=')[1] ?? '';
    expect(await whoIs(`__Host-session=${value}`, other)).toBe(401);
    const { token } = await printLink(server.system(), basic.id);
    expect((await openLink(other, token)).status).toBe(401);
    expect((await openLink(server, token)).status).toBe(200);
  });

  it('end by signing out, and the cookie is taken away', async () => {
    const cookie = await signIn(server, basic.id);
    const headers = { cookie, origin: originOf(server) };
    const response = await server.fetch('/auth/sign-out', { method: 'POST', headers });
    expect([response.status, await response.json()]).toEqual([200, { ended: true }]);
    expect(response.headers.get('set-cookie')).toBe('session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
    expect(await whoIs(cookie)).toBe(401);
    const again = await server.fetch('/auth/sign-out', { method: 'POST', headers });
    expect(await again.json()).toEqual({ ended: false });
  });

  it('end when they are not used for half an hour, and after twelve hours', async () => {
    const idle = await signIn(server, basic.id);
    await move(1_790, 'last_used_at');
    expect(await whoIs(idle)).toBe(200);
    await move(1_801, 'last_used_at');
    expect(await whoIs(idle)).toBe(401);
    expect((await endedEvents()).at(-1)).toMatchObject({ why: 'idle' });
    const old = await signIn(server, basic.id);
    await move(43_200, 'created_at');
    expect(await whoIs(old)).toBe(401);
    expect((await endedEvents()).at(-1)).toMatchObject({ why: 'expired' });
  });

  it('end at once when the person is disabled, and stay ended when they come back', async () => {
    const [seen, unseen] = [await signIn(server, basic.id), await signIn(server, basic.id)];
    const { token } = await printLink(server.system(), basic.id);
    await setStatus(basic.id, 'DISABLED');
    expect(await whoIs(seen)).toBe(401);
    const refused = await openLink(server, token);
    expect([refused.status, await refused.json()]).toMatchObject([403, { message: expect.stringContaining('disabled') }]);
    await setStatus(basic.id, 'ENABLED');
    expect([await whoIs(seen), await whoIs(unseen)]).toEqual([401, 401]);
    // What was issued before somebody left is not good when they come back.
    expect((await openLink(server, token)).status).toBe(401);
    await expect(signIn(server, basic.id)).resolves.toMatch(/^session=/);
  });

  it('keep to the networks of the session settings', async () => {
    const cookie = await signIn(server, basic.id);
    const restrict = (sourceCidr: readonly string[]) =>
      request(server, server.admin, 'POST', '/api/v1/settings/session', {
        sessionSettings: { ssoUserSource: { enabled: sourceCidr.length > 0, sourceCidr } },
      });
    expect((await restrict(['192.0.2.0/24'])).status).toBe(200);
    expect(await whoIs(cookie)).toBe(401);
    const { token } = await printLink(server.system(), basic.id);
    expect((await openLink(server, token)).status).toBe(403);
    expect((await restrict([])).status).toBe(200);
    expect(await whoIs(cookie)).toBe(200);
    expect((await openLink(server, token)).status).toBe(200);
  });

  it('let nobody lock themselves out from a browser', async () => {
    const cookie = await signIn(server, server.admin.id);
    const answer = await requestWith(server, cookie, 'POST', '/api/v1/settings/session', {
      sessionSettings: { ssoAdminSource: { enabled: true, sourceCidr: ['192.0.2.0/24'] } },
    });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('would block your own address')]);
  });

  describe('of a request that another site may have made', () => {
    const path = '/api/v1/my/sessions/action/end_others';
    const status = async (headers: Readonly<Record<string, string>>, body?: string, method = 'POST', to = path): Promise<number> => {
      const cookie = await signIn(server, basic.id);
      const response = await server.fetch(to, { method, headers: { cookie, ...headers }, ...(body === undefined ? {} : { body }) });
      await response.text();
      return response.status;
    };
    const json = { 'content-type': 'application/json' };

    it.each([
      ['cross-site', { 'sec-fetch-site': 'cross-site' }],
      ['same-site', { 'sec-fetch-site': 'same-site' }],
      ['none', { 'sec-fetch-site': 'none' }],
      ['neither header', {}],
      ['another origin', { origin: 'https://evil.example' }],
      ['the null origin', { origin: 'null' }],
      ['an origin that begins alike', { origin: 'http://127.0.0.1.evil.example' }],
      ['another origin with the right header', { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1' }],
    ])('refuse changes: %s', async (_name, headers) => {
      expect(await status({ ...json, ...headers }, '{}')).toBe(403);
      for (const to of ['/auth/sign-out', '/auth/link/open']) {
        expect([to, await status(headers, undefined, 'POST', to)]).toEqual([to, 403]);
      }
    });

    it.each([
      ['application/x-www-form-urlencoded', 'a=b'],
      ['text/plain', '{}'],
      ['multipart/form-data; boundary=x', '--x--'],
    ])('refuse bodies of forms: %s', async (type, body) => {
      expect(await status({ 'sec-fetch-site': 'same-origin', 'content-type': type }, body)).toBe(403);
      const upload = '/api/v1/imports/people';
      expect(await status({ 'sec-fetch-site': 'same-origin', 'content-type': type }, body, 'POST', upload)).toBe(403);
    });

    it('take them from pages of ours, with either header', async () => {
      expect(await status({ ...json, 'sec-fetch-site': 'same-origin' }, '{}')).toBe(200);
      expect(await status({ ...json, origin: originOf(server) }, '{}')).toBe(200);
    });

    it('read for everybody who carries the cookie: reading changes nothing', async () => {
      expect(await status({ 'sec-fetch-site': 'cross-site' }, undefined, 'GET', '/api/v1/my/sessions')).toBe(200);
    });

    it('take a token before a cookie, and then ask for no header', async () => {
      const cookie = await signIn(server, basic.id);
      const token = await request(server, server.admin, 'GET', '/api/v1/auth/introspect');
      expect(token.status).toBe(200);
      const bad = await server.fetch(path, { method: 'POST', headers: { cookie, authorization: 'Bearer nonsense', ...json }, body: '{}' });
      expect(bad.status).toBe(401);
    });
  });

  it('are listed for their owner, who can end one or all others', async () => {
    const person = await server.makePerson('listed@example.com');
    const cookies = [await signIn(server, person.id), await signIn(server, person.id), await signIn(server, person.id)] as const;
    const list = async (): Promise<{ id: string; isCurrent: boolean }[]> =>
      (await requestWith(server, cookies[0], 'GET', '/api/v1/my/sessions')).body.list;
    const before = await list();
    expect(before.map(({ isCurrent }) => isCurrent)).toEqual([false, false, true]);
    const newest = before[0]?.id ?? '';
    expect((await requestWith(server, await signIn(server, basic.id), 'DELETE', `/api/v1/my/sessions/${newest}`)).status).toBe(404);
    expect((await requestWith(server, cookies[0], 'DELETE', `/api/v1/my/sessions/${newest}`)).status).toBe(200);
    expect([await whoIs(cookies[0]), await whoIs(cookies[1]), await whoIs(cookies[2])]).toEqual([200, 200, 401]);
    const others = await requestWith(server, cookies[0], 'POST', '/api/v1/my/sessions/action/end_others', {});
    expect(others.body).toEqual({ endedCount: 1 });
    expect([await whoIs(cookies[0]), await whoIs(cookies[1])]).toEqual([200, 401]);
  });

  it('do not come back by a link that one of the ended ones printed', async () => {
    const holder = await server.makePerson('holder@example.com', ['SUPER_ADMINISTRATOR']);
    const [own, taken] = [await signIn(server, holder.id), await signIn(server, holder.id)];
    const printed = await requestWith(server, taken, 'POST', `/api/v1/users/${holder.id}/sign_in_link`, {});
    const token = String(printed.body.url).split('#link=')[1] ?? '';
    expect(token).toHaveLength(70);
    expect((await requestWith(server, own, 'POST', '/api/v1/my/sessions/action/end_others', {})).status).toBe(200);
    expect((await openLink(server, token)).status).toBe(401);
  });

  it('make and manage credentials as the person does', async () => {
    const cookie = await signIn(server, server.admin.id);
    const made = await requestWith(server, cookie, 'POST', '/api/v1/iam/personal_clients', { displayName: 'From the browser' });
    expect([made.status, typeof made.body.clientSecret]).toEqual([200, 'string']);
    const gone = await requestWith(server, cookie, 'DELETE', `/api/v1/iam/personal_clients/${made.body.client.id}`);
    expect(gone.status).toBe(200);
  });

  describe('by links', () => {
    const print = async (person: TestPerson, userId: string) => request(server, person, 'POST', `/api/v1/users/${userId}/sign_in_link`, {});
    const tokenOf = (url: string): string => new URLSearchParams(new URL(url).hash.slice(1)).get('link') ?? '';

    it('work once, and reading their page does not spend them', async () => {
      const { body } = await print(server.admin, server.admin.id);
      expect(body.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in#link=[\w-]{70}$/);
      const token = tokenOf(body.url);
      await (await server.fetch('/auth/link/open')).text();
      expect((await server.fetch(`/auth/link/${token}`, { method: 'POST', headers: { origin: originOf(server) } })).status).toBe(404);
      const statuses = await Promise.all([openLink(server, token), openLink(server, token)]);
      expect(statuses.map(({ status }) => status).sort()).toEqual([200, 401]);
      expect((await openLink(server, token)).status).toBe(401);
    });

    it('are refused when they are old, changed, or none', async () => {
      const { token } = await printLink(server.system(), basic.id);
      const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
      for (const bad of [changed, token.slice(0, 27), 'x', `${'0'.repeat(27)}${token.slice(27)}`]) {
        expect([bad, (await openLink(server, bad)).status]).toEqual([bad, 401]);
      }
      await server.system().db.run('UPDATE sign_in_links SET expires_at = $2 WHERE tenant_id = $1', [server.id, new Date()]);
      expect((await openLink(server, token)).status).toBe(401);
    });

    it('that an administrator makes for others give what issued credentials give, and who made them is recorded', async () => {
      const reader = await server.makePerson('two-roles@example.com', ['SUPER_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR']);
      const { body } = await print(server.admin, reader.id);
      const cookie = cookieIn(await openLink(server, tokenOf(body.url))) ?? '';
      const { roleIds } = (await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).body;
      expect(roleIds).toEqual(['000000000000000000BasicUser', '000000ReadOnlyAdministrator']);
      const made = await requestWith(server, cookie, 'POST', '/api/v1/iam/personal_clients', { displayName: 'No' });
      expect(made.status).toBe(403);
    });

    it('that a bounded credential makes for its own owner give no more than issued ones', async () => {
      const rolesBy = async (fields: object): Promise<string[]> => {
        const made = await request(server, server.admin, 'POST', '/api/v1/iam/personal_clients', { displayName: 'Bounded', ...fields });
        const { clientId } = made.body.client;
        const narrow = { ...server.admin, credential: { clientId, clientSecret: made.body.clientSecret } };
        const { body } = await print(narrow, server.admin.id);
        const cookie = cookieIn(await openLink(server, tokenOf(body.url))) ?? '';
        return (await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).body.roleIds;
      };
      const all = ['000000000000000000BasicUser', '000000000SuperAdministrator'];
      expect(await rolesBy({})).toEqual(all);
      expect(await rolesBy({ allowSourceCidr: ['127.0.0.0/8'] })).toEqual(all.slice(0, 1));
      expect(await rolesBy({ expires: '7776000s' })).toEqual(all.slice(0, 1));
      expect(await rolesBy({ scopedRoles: ['000000000SuperAdministrator'] })).toEqual(all.slice(0, 1));
    });

    it('are made for enabled people of the tenant alone', async () => {
      expect((await print(server.admin, other.admin.id)).status).toBe(404);
      const gone = await server.makePerson('gone@example.com');
      await setStatus(gone.id, 'DISABLED');
      expect((await print(server.admin, gone.id)).status).toBe(400);
    });
  });

  it('leave no secret in the events or in the tables', async () => {
    const { token } = await printLink(server.system(), basic.id);
    const cookie = cookieIn(await openLink(server, token)) ?? '';
    const value = cookie.split('=')[1] ?? '';
    const { db } = server.system();
    for (const table of ['events', 'sessions', 'sign_in_links']) {
      const rows = JSON.stringify(await db.rows(`SELECT to_jsonb(x) AS row FROM ${table} x WHERE x.tenant_id = $1`, [server.id]));
      expect([table, rows.includes(value), rows.includes(token.slice(27))]).toEqual([table, false, false]);
    }
  });

  it('are offered by a page that says which ways there are', async () => {
    const response = await server.fetch('/auth/providers');
    expect([response.status, await response.json()]).toMatchObject([200, { tenant: { displayName: server.host }, providers: [] }]);
  });
});
