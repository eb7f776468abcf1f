/** Signing in from a terminal (RFC 8628): a program gets a code, a person confirms it in a browser, and the program gets a session of its own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRates, rates } from '../../src/foundation/rates/index.ts';
import type { Loose } from '../support/api.ts';
import { type ServedTenant, startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { requestWith, signIn } from '../support/sign-in.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
const cone = '2RGdOS94VDferT9e80mdgntl36K';

describe('signing in from a terminal', () => {
  let server: TestServer;
  let person: TestPerson;
  let cookie: string;

  const post = async (
    path: string,
    form: Record<string, string>,
    tenant: ServedTenant = server,
  ): Promise<{ status: number; body: Loose }> => {
    const response = await tenant.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'conductorone-sdk-go' },
      body: new URLSearchParams(form).toString(),
    });
    return { status: response.status, body: (await response.json()) as Loose };
  };
  const begin = async (clientId = cone): Promise<Loose> => {
    const { status, body } = await post('/auth/v1/device_authorization', { client_id: clientId });
    expect(status).toBe(200);
    return body;
  };
  const poll = (code: string, clientId = cone): Promise<{ status: number; body: Loose }> =>
    post('/auth/v1/token', { client_id: clientId, device_code: code, grant_type: grantType });
  /** The program has waited. */
  const pass = (seconds: number): Promise<unknown> =>
    server.test.admin(
      `UPDATE countersign.device_grants SET created_at = created_at - $1 * interval '1 second', polled_at = polled_at - $1 * interval '1 second',
         expires_at = expires_at - $1 * interval '1 second'`,
      [seconds],
    );
  const answer = (code: string, word: string, as = cookie): Promise<{ status: number; body: Loose }> =>
    requestWith(server, as, 'POST', '/auth/device', { code, answer: word });
  const withToken = async (token: string, path: string, init: RequestInit = {}): Promise<{ status: number; body: Loose }> => {
    const response = await server.fetch(path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    return { status: response.status, body: (await response.json()) as Loose };
  };
  const confirmed = async (): Promise<string> => {
    const begun = await begin();
    expect((await answer(begun['user_code'], 'APPROVE')).status).toBe(200);
    const got = await poll(begun['device_code']);
    expect(got).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    return got.body['access_token'] as string;
  };

  beforeAll(async () => {
    server = await startTestServer();
    person = await server.makePerson('ben@example.com');
    cookie = await signIn(server, person.id);
  });
  afterAll(() => server.stop());

  it('gives a program what it waits with, and the metadata says where', async () => {
    const begun = await begin();
    expect(begun).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: expect.stringMatching(/\/device$/),
      verification_uri_complete: `${begun['verification_uri']}?code=${begun['user_code']}`,
      expires_in: 900,
      interval: 5,
    });
    const metadata = (await (await server.fetch('/.well-known/oauth-authorization-server')).json()) as Loose;
    expect(metadata['device_authorization_endpoint']).toMatch(/\/auth\/v1\/device_authorization$/);
    expect(metadata['grant_types_supported']).toContain(grantType);
  });

  it.each([
    ['an unknown program', { client_id: 'somebody' }, 401, 'invalid_client'],
    ['no program', {}, 400, 'invalid_request'],
  ])('refuses %s', async (_name, form, status, error) => {
    expect(await post('/auth/v1/device_authorization', form as Record<string, string>)).toMatchObject({ status, body: { error } });
  });

  it('lets a program wait, tells one that asks too often to slow down, and ends after its time', async () => {
    const begun = await begin();
    const code = begun['device_code'] as string;
    await pass(5);
    expect(await poll(code)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });
    expect(await poll(code)).toMatchObject({ status: 400, body: { error: 'slow_down' } });
    await pass(5);
    expect(await poll(code)).toMatchObject({ status: 400, body: { error: 'slow_down' } });
    await pass(15);
    expect(await poll(code)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });
    expect(await poll(code, 'juQSPDsPrdMDpPpR6fGdeLLSs8g')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await pass(900);
    expect((await requestWith(server, cookie, 'GET', `/auth/device?code=${begun['user_code']}`)).status).toBe(404);
    expect((await answer(begun['user_code'], 'APPROVE')).status).toBe(404);
    // Whoever begins meanwhile takes nothing of it away.
    await begin();
    expect(await poll(code)).toMatchObject({ status: 400, body: { error: 'expired_token' } });
    expect(await poll(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('shows a signed-in person what asks and from where, and nobody else', async () => {
    const begun = await begin();
    const typed = (begun['user_code'] as string).toLowerCase().replace('-', ' ');
    const shown = await requestWith(server, cookie, 'GET', `/auth/device?code=${encodeURIComponent(typed)}`);
    expect(shown).toMatchObject({
      status: 200,
      body: { userCode: begun['user_code'], program: 'cone', agent: 'conductorone-sdk-go', address: '127.0.0.1', isFromHere: true },
    });
    const anonymous = await server.fetch(`/auth/device?code=${begun['user_code']}`);
    expect(anonymous.status).toBe(401);
    const other = await server.makeTenant('other.example');
    const theirs = await signIn(other, other.admin.id);
    expect((await requestWith(other, theirs, 'GET', `/auth/device?code=${begun['user_code']}`)).status).toBe(404);
    // A token is no browser: no program confirms another.
    const token = await confirmed();
    const byToken = await withToken(token, '/auth/device', {
      method: 'POST',
      body: JSON.stringify({ code: begun['user_code'], answer: 'APPROVE' }),
    });
    expect(byToken.status).toBe(403);
  });

  it('takes the answer from a page of its own alone, once, and records it', async () => {
    const begun = await begin();
    const foreign = await server.fetch('/auth/device', {
      method: 'POST',
      headers: { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' },
      body: JSON.stringify({ code: begun['user_code'], answer: 'APPROVE' }),
    });
    expect(foreign.status).toBe(403);
    expect((await answer(begun['user_code'], 'PERHAPS')).status).toBe(400);
    expect((await answer(begun['user_code'], 'DENY')).status).toBe(200);
    expect((await answer(begun['user_code'], 'APPROVE')).status).toBe(404);
    expect(await poll(begun['device_code'])).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    const [event] = await server.test.admin(
      `SELECT actor_id, data FROM events WHERE kind = 'device_grant.denied' AND tenant_id = $1 ORDER BY id DESC LIMIT 1`,
      [server.id],
    );
    expect(event).toEqual({ actor_id: person.id, data: { program: 'cone', address: '127.0.0.1' } });
  });

  it('gives a session that is listed, acts as the person, makes a credential as the public command line does, and can be ended', async () => {
    const token = await confirmed();
    const who = await withToken(token, '/api/v1/auth/introspect');
    expect(who).toMatchObject({ status: 200, body: { userId: person.id } });
    const mine = await requestWith(server, cookie, 'GET', '/api/v1/my/sessions');
    const listed = (mine.body['list'] as Loose[]).find(({ id }) => id === who.body['principleId']);
    expect(listed).toMatchObject({ how: 'DEVICE', browser: 'cone, conductorone-sdk-go', address: '127.0.0.1', isCurrent: false });
    const made = await withToken(token, '/api/v1/iam/personal_clients', {
      method: 'POST',
      body: JSON.stringify({ display_name: 'Created by Cone' }),
    });
    expect(made).toMatchObject({ status: 200, body: { client: { displayName: 'Created by Cone', userId: person.id } } });
    const { client, clientSecret } = made.body as { client: Loose; clientSecret: string };
    // Made in a browser or from a terminal without an end, it lasts a year.
    const days = (Date.parse(client['expiresTime'] as string) - Date.now()) / 86_400_000;
    expect([days > 364, days < 366]).toEqual([true, true]);
    const byCredential = await post('/auth/v1/token', {
      grant_type: 'client_credentials',
      client_id: client['clientId'] as string,
      client_secret: clientSecret,
    });
    expect(byCredential.status).toBe(200);
    expect((await requestWith(server, cookie, 'DELETE', `/api/v1/my/sessions/${who.body['principleId']}`, {})).status).toBe(200);
    expect((await withToken(token, '/api/v1/auth/introspect')).status).toBe(401);
  });

  it('tells the token of a program from the cookie of a browser', async () => {
    const token = await confirmed();
    const secret = token.slice('csd_'.length);
    expect((await requestWith(server, `session=${secret}`, 'GET', '/api/v1/auth/introspect')).status).toBe(401);
    expect((await withToken(`csd_${cookie.split('=')[1]}`, '/api/v1/auth/introspect')).status).toBe(401);
    expect((await withToken(secret, '/api/v1/auth/introspect')).status).toBe(401);
  });

  it('gives nothing once the browser that confirmed is signed out, or the person disabled', async () => {
    const own = await signIn(server, person.id);
    const begun = await begin();
    await answer(begun['user_code'], 'APPROVE', own);
    expect((await requestWith(server, own, 'POST', '/auth/sign-out')).status).toBe(200);
    expect(await poll(begun['device_code'])).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    const gone = await server.makePerson('gone@example.com');
    const theirs = await signIn(server, gone.id);
    const second = await begin();
    await answer(second['user_code'], 'APPROVE', theirs);
    await server.test.admin(`UPDATE countersign.users SET status = 'DISABLED', updated_at = now() WHERE id = $1`, [gone.id]);
    expect(await poll(second['device_code'])).toMatchObject({ status: 400, body: { error: 'access_denied' } });
  });

  it.each([
    ['they were disabled and enabled again', `status = 'DISABLED'`, `status = 'ENABLED'`],
    ['the address changed to which the link of that browser went', `email = 'moved@example.com', email_key = 'moved@example.com'`, ''],
  ])('gives nothing, nor later, where meanwhile %s', async (_name, change, after) => {
    const back = await server.makePerson(`back${after.length}@example.com`);
    const theirs = await signIn(server, back.id);
    // As a link by mail makes it.
    await server.test.admin(`UPDATE countersign.sessions SET how = 'MAIL' WHERE user_id = $1`, [back.id]);
    const begun = await begin();
    expect((await answer(begun['user_code'], 'APPROVE', theirs)).status).toBe(200);
    for (const set of [change, after].filter((one) => one !== '')) {
      await server.test.admin(`UPDATE countersign.users SET ${set}, updated_at = now() WHERE id = $1`, [back.id]);
    }
    // Nobody used the browser since, so that nothing noticed yet that its session is over.
    expect(await poll(begun['device_code'])).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    expect((await requestWith(server, theirs, 'GET', '/api/v1/auth/introspect')).status).toBe(401);
  });

  const set = (sql: string, id: string): Promise<unknown> => server.test.admin(`UPDATE countersign.${sql}`, [id]);
  const setUser = (change: string, id: string): Promise<unknown> =>
    set(`users SET ${change}, updated_at = clock_timestamp() WHERE id = $1`, id);
  const leaveAndReturn = async (id: string): Promise<void> => {
    await setUser(`status = 'DISABLED'`, id);
    await setUser(`status = 'ENABLED'`, id);
  };
  it.each<[string, (ids: { person: string; issuer: string }) => Promise<unknown>]>([
    ['the person left and came back', (ids) => leaveAndReturn(ids.person)],
    ['whoever issued it left and came back', (ids) => leaveAndReturn(ids.issuer)],
    ['the address that it was sent to is no longer theirs', (ids) => setUser(`email = 'moved.' || email`, ids.person)],
    [
      'nobody used it for too long',
      (ids) => set(`sessions SET last_used_at = last_used_at - interval '1 hour' WHERE user_id = $1`, ids.person),
    ],
    ['its time is over', (ids) => set(`sessions SET bound_at = now() - interval '1 day' WHERE user_id = $1`, ids.person)],
  ])('gives nothing once the session that confirmed is over, seen or not: %s', async (name, end) => {
    const [issuer, holder] = await Promise.all(
      ['issuer', 'holder'].map((who) => server.makePerson(`${who}-${name.replaceAll(/\W/g, '')}@example.com`, ['SUPER_ADMINISTRATOR'])),
    );
    const ids = { person: holder?.id ?? '', issuer: issuer?.id ?? '' };
    const theirs = await signIn(server, ids.person);
    await server.test.admin(`UPDATE countersign.sessions SET how = 'MAIL', issuer_id = $2 WHERE user_id = $1`, [ids.person, ids.issuer]);
    const begun = await begin();
    expect((await answer(begun['user_code'], 'APPROVE', theirs)).status).toBe(200);
    await end(ids);
    expect(await poll(begun['device_code'])).toMatchObject({ status: 400, body: { error: 'access_denied' } });
  });

  it('gives no more than the session that confirmed it: an issued one stays issued', async () => {
    const { printLink } = await import('../../src/foundation/sessions/index.ts');
    const { cookieIn, openLink } = await import('../support/sign-in.ts');
    const reviewer = await server.makePerson('reviewer@example.com', ['READ_ONLY_ADMINISTRATOR']);
    const system = server.system();
    const context = { ...system, actor: { ...system.actor, kind: 'session' as const, userId: server.admin.id } };
    const link = await printLink(context, reviewer.id);
    const issued = cookieIn(await openLink(server, link.token)) ?? '';
    const begun = await begin();
    expect((await answer(begun['user_code'], 'APPROVE', issued)).status).toBe(200);
    const { body } = await poll(begun['device_code']);
    const made = await withToken(body['access_token'] as string, '/api/v1/iam/personal_clients', {
      method: 'POST',
      body: JSON.stringify({ display_name: 'wider' }),
    });
    expect(made.status).toBe(403);
  });

  it('lets nobody try codes or begin sign-ins without end', async () => {
    const guesser = await server.makePerson('guesser@example.com');
    const theirs = await signIn(server, guesser.id);
    const statuses: number[] = [];
    for (let tries = 0; tries < 21; tries++) {
      statuses.push((await requestWith(server, theirs, 'GET', '/auth/device?code=BCDF-GHJK')).status);
    }
    expect([new Set(statuses.slice(0, 20)), statuses[20]]).toEqual([new Set([404]), 429]);
    const counter = createRates(server.test.database, () => Date.now());
    await counter.count(server.id, rates.deviceByPlace, '127.0.0.1', 100);
    const over = await post('/auth/v1/device_authorization', { client_id: cone });
    expect(over).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
  });
});
