/** Changes to what signs in ask for a fresh sign-in; who may sign in by mail; and what ends with whoever issued it or left. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRates, type Rates, rates } from '../../src/foundation/rates/index.ts';
import { type Answer, request, violatedFields } from '../support/api.ts';
import { type IdentityProvider, openBrowser, startIdentityProvider } from '../support/identity-provider.ts';
import { startMailServer, type MailServer, readMessage } from '../support/mail-server.ts';
import { type ServedTenant, startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { cookieIn, openLink, originOf, requestWith, signIn } from '../support/sign-in.ts';

let server: TestServer;
let mail: MailServer;
let idp: IdentityProvider;
let configId: string;

const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
const reasonOf = (answer: Answer): string =>
  (answer.body.details ?? []).find((one: { reason?: string }) => one.reason !== undefined)?.reason ?? '';
/** Lets the sessions of a person be older. */
const age = (userId: string, minutes: number): Promise<unknown> =>
  server.test.admin(
    `UPDATE sessions SET created_at = created_at - $3 * interval '1 minute', proven_at = proven_at - $3 * interval '1 minute',
       bound_at = bound_at - $3 * interval '1 minute' WHERE tenant_id = $1 AND user_id = $2`,
    [server.id, userId, minutes],
  );
const setProvider = (status: 'ACTIVE' | 'DISABLED'): Promise<Answer> =>
  admin('POST', `/api/v1/auth-configs/${configId}`, { authConfig: { status: `AUTH_CONFIG_STATUS_${status}` }, updateMask: 'status' });
const setMail = (who: string): Promise<Answer> =>
  admin('POST', '/api/v1/settings/tenant', { settings: { mailSignIn: `MAIL_SIGN_IN_${who}` }, updateMask: 'mailSignIn' });
const ask = async (email: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  server.fetch('/auth/link', {
    method: 'POST',
    headers: { origin: originOf(server), 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email }),
  });
const tokensTo = (address: string): string[] =>
  mail.to(address).flatMap(({ raw }) => /#link=([\w-]{70})/.exec(readMessage(raw).text)?.[1] ?? []);
/** Signs in by mail and returns the cookie. */
async function signInByMail(address: string): Promise<string> {
  const before = tokensTo(address).length;
  const asked = await ask(address);
  await expect.poll(() => tokensTo(address).length, { timeout: 60_000, interval: 100 }).toBe(before + 1);
  const opened = await openLink(server, tokensTo(address).at(-1) ?? '', { cookie: cookieIn(asked, 'sign-in') ?? '' });
  return cookieIn(opened) ?? '';
}
const refusals = async (): Promise<string[]> =>
  (
    await server.test.admin(`SELECT data ->> 'why' AS why FROM events WHERE tenant_id = $1 AND kind = 'session.refused' ORDER BY id`, [
      server.id,
    ])
  ).map(({ why }) => String(why));
const status = (id: string, value: string): Promise<unknown> =>
  server.test.admin('UPDATE countersign.users SET status = $3, updated_at = now() WHERE tenant_id = $1 AND id = $2', [
    server.id,
    id,
    value,
  ]);

beforeAll(async () => {
  mail = await startMailServer();
  server = await startTestServer({
    allowsLocalIssuers: true,
    config: { mail: { transport: mail.transport, from: 'countersign@mail.example', perMinute: 100_000 } },
  });
  idp = await startIdentityProvider();
  const { clientId: oidcClientId, clientSecret: oidcClientSecret, issuer: issuerId } = idp;
  const made = await admin('POST', '/api/v1/auth-configs', { displayName: 'Sign-on', oidc: { issuerId, oidcClientId, oidcClientSecret } });
  configId = made.body.authConfig.id;
  idp.allow(`${server.url}/auth/callback/${configId}`);
  await setProvider('DISABLED');
});
afterAll(async () => {
  await idp.stop();
  await server.stop();
  await mail.close();
});

describe('a session that changes what signs in', () => {
  const changes: readonly (readonly [string, string, string, object])[] = [
    ['roles', 'PUT', '/api/v1/users/ADMIN/roles', { roleIds: ['000000000SuperAdministrator'] }],
    ['a provider', 'POST', '/api/v1/auth-configs/CONFIG', { authConfig: { displayName: 'Sign-on' }, updateMask: 'displayName' }],
    ['an own credential', 'POST', '/api/v1/iam/personal_clients', { displayName: 'Own' }],
    ['an issued credential', 'POST', '/api/v1/users/ADMIN/personal_clients', { displayName: 'Issued' }],
    ['session settings', 'POST', '/api/v1/settings/session', { sessionSettings: {} }],
    ['tenant settings', 'POST', '/api/v1/settings/tenant', { settings: {}, updateMask: 'timeZone' }],
    ['a SCIM token', 'POST', '/api/v1/apps/none/scim', {}],
    ['the end of a SCIM token', 'DELETE', '/api/v1/apps/none/scim', {}],
    ['a printed link', 'POST', '/api/v1/users/ADMIN/sign_in_link', {}],
    ['a claim', 'POST', '/api/v1/person_claims/none/action/accept', {}],
    ['a service principal', 'POST', '/api/v1/service_principals', { displayName: 'Program' }],
    ['a credential of a service principal', 'POST', '/api/v1/service_principals/none/credentials', {}],
    ['a change of a credential of a service principal', 'PATCH', '/api/v1/service_principals/none/credentials/none', { credential: {} }],
    ['the end of a credential of a service principal', 'DELETE', '/api/v1/service_principals/none/credentials/none', {}],
    ['the end of a service principal', 'DELETE', '/api/v1/service_principals/none', {}],
    ['the end of an own credential', 'DELETE', '/api/v1/iam/personal_clients/none', {}],
    ['a credential of a connector', 'POST', '/api/v1/apps/none/connectors/none/credentials', {}],
    ['the sender of mails', 'POST', '/api/v1/settings/email-provider', { provider: { fromName: 'Reviews' }, updateMask: 'fromName' }],
    ['a directory', 'POST', '/api/v1/directories', { appId: 'none' }],
    ['a change of a directory', 'PUT', '/api/v1/directories/none', {}],
    ['the end of a directory', 'DELETE', '/api/v1/directories/none', {}],
    ['people of a file', 'POST', '/api/v1/imports/people', {}],
  ];

  it.each(changes)('(%s) is asked to sign in again after ten minutes, and not before', async (_name, method, path, body) => {
    const at = path.replace('ADMIN', server.admin.id).replace('CONFIG', configId);
    const cookie = await signIn(server, server.admin.id);
    await age(server.admin.id, 9);
    expect(reasonOf(await requestWith(server, cookie, method, at, body))).not.toBe('SIGN_IN_AGAIN');
    await age(server.admin.id, 1);
    const late = await requestWith(server, cookie, method, at, body);
    expect([late.status, reasonOf(late)]).toEqual([403, 'SIGN_IN_AGAIN']);
    // Everything else goes on, and so do programs, whose secret is their proof.
    expect((await requestWith(server, cookie, 'GET', '/api/v1/my/session')).status).toBe(200);
    expect(reasonOf(await admin(method, at, body))).not.toBe('SIGN_IN_AGAIN');
  });

  it('says until when it is fresh', async () => {
    const cookie = await signIn(server, server.admin.id);
    const { session, freshUntil } = (await requestWith(server, cookie, 'GET', '/api/v1/my/session')).body;
    expect(Date.parse(freshUntil) - Date.parse(session.createdAt)).toBe(600_000);
  });

  it('is fresh again by a link by mail', async () => {
    const cookie = await signIn(server, server.admin.id);
    await age(server.admin.id, 11);
    expect(reasonOf(await requestWith(server, cookie, 'POST', '/api/v1/iam/personal_clients', { displayName: 'No' }))).toBe(
      'SIGN_IN_AGAIN',
    );
    const again = await signInByMail(server.admin.email);
    const made = await requestWith(server, again, 'POST', '/api/v1/iam/personal_clients', { displayName: 'Yes' });
    expect(made.status).toBe(200);
  });

  it('is not made fresh, nor longer, by a link that it prints itself', async () => {
    const cookie = await signIn(server, server.admin.id);
    await age(server.admin.id, 9);
    const { body } = await requestWith(server, cookie, 'POST', `/api/v1/users/${server.admin.id}/sign_in_link`, {});
    const second = cookieIn(await openLink(server, String(body.url).split('#link=')[1] ?? '')) ?? '';
    const [first, later] = [
      (await requestWith(server, cookie, 'GET', '/api/v1/my/session')).body,
      (await requestWith(server, second, 'GET', '/api/v1/my/session')).body,
    ];
    expect([later.expiresAt, later.freshUntil]).toEqual([first.expiresAt, first.freshUntil]);
    await age(server.admin.id, 1);
    expect(reasonOf(await requestWith(server, second, 'POST', `/api/v1/users/${server.admin.id}/sign_in_link`, {}))).toBe('SIGN_IN_AGAIN');
  });

  it('is not asked where there is no way to sign in again', async () => {
    await setMail('NOBODY');
    const cookie = await signIn(server, server.admin.id);
    await age(server.admin.id, 60);
    expect((await requestWith(server, cookie, 'POST', '/api/v1/iam/personal_clients', { displayName: 'Alone' })).status).toBe(200);
    await setMail('UNSPECIFIED');
  });

  it('is fresh by a provider that lets the person prove it anew, and not by one that does not', async () => {
    await setProvider('ACTIVE');
    idp.account = { sub: 'root', email: server.admin.email, email_verified: true };
    const browser = openBrowser(server);
    await browser.visit(`${server.url}/auth/sign-in/${configId}`);
    await age(server.admin.id, 11);
    const act = (): Promise<Answer> =>
      requestWith(server, browser.header(server), 'POST', '/api/v1/iam/personal_clients', { displayName: 'By provider' });
    expect(reasonOf(await act())).toBe('SIGN_IN_AGAIN');
    const visited = await browser.visit(`${server.url}/auth/sign-in/${configId}?fresh=1&to=%2Fsettings`);
    const there = new URL(visited.find((url) => url.startsWith(idp.issuer)) ?? '');
    expect([there.searchParams.get('prompt'), there.searchParams.get('max_age')]).toEqual(['login', '0']);
    expect(new URL(visited.at(-1) ?? '').pathname).toBe('/settings');
    expect((await act()).status).toBe(200);
    // Somebody takes the wish for a new proof out of the address: the provider does not say when they proved it.
    const [, sent = ''] = await browser.visit(`${server.url}/auth/sign-in/${configId}?fresh=1`, /\/auth\?/);
    const changed = new URL(sent);
    changed.searchParams.delete('prompt');
    changed.searchParams.delete('max_age');
    const refused = await browser.visit(changed.href);
    expect(new URL(refused.at(-1) ?? '').search).toBe('?error=not_fresh');
    expect(await refusals()).toContain('not_fresh');
    await setProvider('DISABLED');
  });

  it('makes no credential without an end, nor one that lives longer than a year, of a person or of a program', async () => {
    const cookie = await signIn(server, server.admin.id);
    const { servicePrincipal } = (await admin('POST', '/api/v1/service_principals', { displayName: 'Long' })).body;
    const own = await requestWith(server, cookie, 'POST', '/api/v1/iam/personal_clients', { displayName: 'Own' });
    const path = `/api/v1/service_principals/${servicePrincipal.id}/credentials`;
    const ofProgram = await requestWith(server, cookie, 'POST', path, { displayName: 'Key' });
    const yearMs = 366 * 86_400_000;
    for (const end of [own.body.client.expiresTime, ofProgram.body.credential.expiresAt]) {
      expect(Date.parse(end) - Date.now()).toBeLessThan(yearMs);
    }
    const longer = await requestWith(server, cookie, 'POST', path, { displayName: 'Key', expires: '31536001s' });
    expect([longer.status, violatedFields(longer)]).toEqual([400, ['expires']]);
  });

  it('that somebody else issued changes nothing that signs in', async () => {
    const person = await server.makePerson('issued@example.com');
    const { body } = await admin('POST', `/api/v1/users/${person.id}/sign_in_link`, {});
    const cookie = cookieIn(await openLink(server, String(body.url).split('#link=')[1] ?? '')) ?? '';
    expect((await requestWith(server, cookie, 'POST', '/api/v1/iam/personal_clients', { displayName: 'No' })).status).toBe(403);
  });
});

describe('signing in by mail', () => {
  it('is for everybody until a provider is active, then for no administrator, unless the tenant says otherwise', async () => {
    const basic = await server.makePerson('basic@example.com');
    const settings = async (): Promise<string[]> => {
      const { mailSignIn, mailSignInNow } = (await admin('GET', '/api/v1/settings/tenant')).body.settings;
      return [mailSignIn, mailSignInNow].map((one) => String(one).replace('MAIL_SIGN_IN_', ''));
    };
    expect(await settings()).toEqual(['UNSPECIFIED', 'EVERYBODY']);
    await setProvider('ACTIVE');
    expect(await settings()).toEqual(['UNSPECIFIED', 'NO_ADMINISTRATORS']);
    const before = (await refusals()).length;
    expect((await ask(server.admin.email)).status).toBe(200);
    await expect.poll(async () => (await refusals()).slice(before), { timeout: 60_000 }).toEqual(['mail_off']);
    expect(await signInByMail(basic.email)).toMatch(/^session=/);
    expect((await setMail('NOBODY')).body.settings.mailSignInNow).toBe('MAIL_SIGN_IN_NOBODY');
    expect(await (await server.fetch('/auth/providers')).json()).toMatchObject({ mailLinks: false });
    await setMail('EVERYBODY');
    expect(await settings()).toEqual(['EVERYBODY', 'EVERYBODY']);
    await setMail('UNSPECIFIED');
    await setProvider('DISABLED');
    const events = await server.test.admin(`SELECT data FROM events WHERE tenant_id = $1 AND kind = 'tenant.mail_sign_in_changed'`, [
      server.id,
    ]);
    expect(events.length).toBeGreaterThan(2);
  });

  it('is turned off for links that are out already', async () => {
    const basic = await server.makePerson('late@example.com');
    const asked = await ask(basic.email);
    await expect.poll(() => tokensTo(basic.email).length, { timeout: 60_000, interval: 100 }).toBe(1);
    await setMail('NOBODY');
    const opened = await openLink(server, tokensTo(basic.email)[0] ?? '', { cookie: cookieIn(asked, 'sign-in') ?? '' });
    expect(opened.status).toBe(403);
    await setMail('UNSPECIFIED');
  });

  it('is not taken from a person by whoever asks for links to their address', async () => {
    const person = await server.makePerson('wanted@example.com');
    const asked = await ask(person.email);
    const browser = cookieIn(asked, 'sign-in') ?? '';
    for (let count = 0; count < 2; count++) {
      expect((await ask(person.email)).status).toBe(200);
    }
    expect((await ask(person.email)).status).toBe(429);
    // The browser that asked before is answered still, known or not.
    expect((await ask(person.email, { cookie: browser })).status).toBe(200);
    expect((await ask('other.address@example.com', { cookie: browser })).status).toBe(200);
  });
});

describe('links by mail of a day', () => {
  const asUsedUp = (userId: string, most: number, place = ''): Promise<unknown> =>
    createRates(server.test.database, () => Date.now()).count(server.id, rates.mailedLinkOfDay, `${userId}${place}`, most);
  const refusedTo = async (userId: string): Promise<string[]> =>
    (
      await server.test.admin(
        `SELECT data ->> 'why' AS why FROM events WHERE tenant_id = $1 AND kind = 'session.refused' AND target_id = $2 ORDER BY id`,
        [server.id, userId],
      )
    ).map(({ why }) => String(why));

  it('are fifty for a person who never signed in from there, and the answer is the same beyond', async () => {
    const bombed = await server.makePerson('bombed@example.com');
    await asUsedUp(bombed.id, 49);
    expect((await ask(bombed.email)).status).toBe(200);
    await expect.poll(() => tokensTo(bombed.email).length, { timeout: 60_000, interval: 100 }).toBe(1);
    for (let count = 0; count < 2; count++) {
      expect((await ask(bombed.email)).status).toBe(200);
    }
    await expect.poll(() => refusedTo(bombed.id), { timeout: 60_000 }).toEqual(['too_many']);
    expect(tokensTo(bombed.email)).toHaveLength(1);
  });

  it('come from a place where the person signed in before, whatever strangers asked for', async () => {
    const known = await server.makePerson('known@example.com');
    await signIn(server, known.id);
    await server.test.admin('UPDATE sessions SET address = $3 WHERE tenant_id = $1 AND user_id = $2', [server.id, known.id, '127.0.0.1']);
    await asUsedUp(known.id, 50);
    expect((await ask(known.email)).status).toBe(200);
    await expect.poll(() => tokensTo(known.email).length, { timeout: 60_000, interval: 100 }).toBe(1);
    await asUsedUp(known.id, 50, ' 127.0.0.1');
    expect((await ask(known.email)).status).toBe(200);
    await expect.poll(() => refusedTo(known.id), { timeout: 60_000 }).toEqual(['too_many']);
    expect(tokensTo(known.email)).toHaveLength(1);
  });
});

describe('what was issued', () => {
  let issuer: TestPerson;
  let person: TestPerson;

  it('ends when whoever issued it is disabled, and stays ended', async () => {
    issuer = await server.makePerson('issuer@example.com', ['SUPER_ADMINISTRATOR']);
    person = await server.makePerson('subject@example.com');
    const made = await request(server, issuer, 'POST', `/api/v1/users/${person.id}/personal_clients`, { displayName: 'Issued' });
    const { clientId } = made.body.client;
    const issued: TestPerson = { ...person, credential: { clientId, clientSecret: made.body.clientSecret } };
    const print = async (): Promise<string> =>
      String((await request(server, issuer, 'POST', `/api/v1/users/${person.id}/sign_in_link`, {})).body.url).split('#link=')[1] ?? '';
    const [first, open] = [await print(), await print()];
    const cookie = cookieIn(await openLink(server, first)) ?? '';
    expect((await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).status).toBe(200);
    expect((await request(server, issued, 'GET', '/api/v1/auth/introspect')).status).toBe(200);
    await status(issuer.id, 'DISABLED');
    expect((await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).status).toBe(401);
    expect((await openLink(server, open)).status).toBe(401);
    await expect
      .poll(async () => (await request(server, issued, 'GET', '/api/v1/auth/introspect').catch(() => ({ status: 401 }))).status)
      .toBe(401);
    await status(issuer.id, 'ENABLED');
    expect((await openLink(server, open)).status).toBe(401);
    expect((await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).status).toBe(401);
  });

  it('ends when the service principal that issued it is deleted', async () => {
    const holder = await server.makePerson('of-a-program@example.com');
    const { servicePrincipal } = (await admin('POST', '/api/v1/service_principals', { displayName: 'Issues' })).body;
    await admin('PUT', `/api/v1/users/${servicePrincipal.id}/roles`, { roleIds: ['000000000SuperAdministrator'] });
    const { credential, clientSecret } = (
      await admin('POST', `/api/v1/service_principals/${servicePrincipal.id}/credentials`, { displayName: 'Key' })
    ).body;
    const program: TestPerson = { ...server.admin, id: servicePrincipal.id, credential: { clientId: credential.clientId, clientSecret } };
    const made = await request(server, program, 'POST', `/api/v1/users/${holder.id}/personal_clients`, { displayName: 'Issued' });
    const issued: TestPerson = { ...holder, credential: { clientId: made.body.client.clientId, clientSecret: made.body.clientSecret } };
    const print = async (): Promise<string> =>
      String((await request(server, program, 'POST', `/api/v1/users/${holder.id}/sign_in_link`, {})).body.url).split('#link=')[1] ?? '';
    const [first, open] = [await print(), await print()];
    const cookie = cookieIn(await openLink(server, first)) ?? '';
    expect((await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).status).toBe(200);
    expect((await request(server, issued, 'GET', '/api/v1/auth/introspect')).status).toBe(200);
    expect((await admin('DELETE', `/api/v1/service_principals/${servicePrincipal.id}`, {})).status).toBe(200);
    expect((await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).status).toBe(401);
    expect((await openLink(server, open)).status).toBe(401);
    await expect.poll(async () => (await request(server, issued, 'GET', '/api/v1/auth/introspect')).status).toBe(401);
  });

  it('leaves an event when it is refused, and not one for each of many', async () => {
    const before = (await refusals()).length;
    const began = Date.now();
    await Promise.all(Array.from({ length: 30 }, () => openLink(server, `${'0'.repeat(27)}${'x'.repeat(43)}`)));
    const found = (await refusals()).slice(before);
    expect(found.length).toBeGreaterThan(0);
    // Twenty in five seconds, and a summary of the others; a busy machine may need longer for the thirty.
    const { most, seconds } = rates.failureEvents;
    expect(found.length).toBeLessThanOrEqual(most * Math.ceil((Date.now() - began) / (seconds * 1000)) + 1);
    expect(new Set(found)).toEqual(new Set(['spent']));
  });
});

describe('a sign-in that is refused', () => {
  const counter = (): Rates => createRates(server.test.database, Date.now);
  const link = '0'.repeat(27) + 'x'.repeat(43);
  const state = 'y'.repeat(43);
  const askOn = (tenant: ServedTenant, email: string): Promise<Response> =>
    tenant.fetch('/auth/link', {
      method: 'POST',
      headers: { origin: originOf(tenant), 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });
  const doors: readonly (readonly [string, (tenant: ServedTenant) => Promise<Response>, { how: string; why: string }])[] = [
    ['a link', (tenant) => openLink(tenant, link), { how: 'link', why: 'spent' }],
    [
      'an answer of a provider',
      (tenant) => tenant.fetch(`/auth/callback/none?state=${state}`, { redirect: 'manual' }),
      { how: 'provider', why: 'state' },
    ],
    [
      'an answer to a step-up',
      (tenant) => tenant.fetch(`/auth/step-up/callback?state=${state}`, { redirect: 'manual' }),
      { how: 'provider', why: 'state' },
    ],
    ['a link for somebody disabled', (tenant) => askOn(tenant, 'away@example.com'), { how: 'mail', why: 'disabled' }],
  ];
  const serve = async (name: string): Promise<ServedTenant> => {
    const tenant = await server.makeTenant(`${name.replaceAll(' ', '-')}.example`);
    const away = await tenant.makePerson('away@example.com');
    await server.test.admin(`UPDATE countersign.users SET status = 'DISABLED', updated_at = now() WHERE id = $1`, [away.id]);
    return tenant;
  };
  const told = async (tenant: ServedTenant): Promise<unknown[]> =>
    (await server.test.admin(`SELECT data FROM events WHERE tenant_id = $1 AND kind = 'session.refused' ORDER BY id`, [tenant.id])).map(
      ({ data }) => data,
    );

  const countedFailures = async (tenant: ServedTenant): Promise<unknown> => {
    const key = createHash('sha256').update(`${rates.failureByPlace.kind}\x00127.0.0.1`).digest();
    const [row] = await server.test.admin('SELECT count FROM rate_windows WHERE tenant_id = $1 AND key = $2', [tenant.id, key]);
    return row?.['count'];
  };

  it.each(doors)('by %s makes an event', async (name, enter, data) => {
    const tenant = await serve(`one ${name}`);
    await enter(tenant);
    await expect.poll(() => told(tenant), { timeout: 60_000 }).toEqual([data]);
  });

  it.each(doors)('by %s makes one of many, and not none, once a flood has used the day up', async (name, enter, data) => {
    const tenant = await serve(`many ${name}`);
    await counter().count(tenant.id, rates.failureEventsOfDay, '', rates.failureEventsOfDay.most);
    await enter(tenant);
    await expect.poll(() => told(tenant), { timeout: 60_000 }).toEqual([data]);
    await enter(tenant);
    await expect.poll(() => countedFailures(tenant), { timeout: 60_000 }).toBe(2);
    // Events of this one are behind those of the second one.
    await openLink(tenant, link);
    expect(await told(tenant)).toEqual([data]);
  });

  it('is asked to pause beyond the limit of its place, and a good one is not', async () => {
    const tenant = await serve('paused');
    await counter().count(tenant.id, rates.failureByPlace, '127.0.0.1', rates.failureByPlace.most);
    const opened = await openLink(tenant, link);
    expect([opened.status, Number(opened.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const returned = await tenant.fetch(`/auth/callback/none?state=${state}`, { redirect: 'manual' });
    expect(returned.headers.get('location')).toBe('/sign-in?error=busy');
    expect(await told(tenant)).toEqual([]);
    expect(await signIn(tenant, tenant.admin.id)).toContain('session=');
  });
});

describe('a token from before somebody was disabled', () => {
  it('is not good when they come back', async () => {
    const person = await server.makePerson('returning@example.com', ['READ_ONLY_ADMINISTRATOR']);
    const { clientId, clientSecret } = person.credential;
    const fetchToken = async (): Promise<string> => {
      const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
      const answer = await server.fetch('/auth/v1/token', { method: 'POST', body });
      return ((await answer.json()) as { access_token?: string }).access_token ?? '';
    };
    const whoIs = async (bearer: string): Promise<number> =>
      (await server.fetch('/api/v1/auth/introspect', { headers: { authorization: `Bearer ${bearer}` } })).status;
    const token = await fetchToken();
    expect(await whoIs(token)).toBe(200);
    await status(person.id, 'DISABLED');
    await expect.poll(() => whoIs(token)).toBe(401);
    await status(person.id, 'ENABLED');
    await server.test.admin('DELETE FROM countersign.suspensions WHERE tenant_id = $1 AND user_id = $2', [server.id, person.id]);
    // Once the process sees that the credential is restored, a new token is good, and the former one is not.
    await expect.poll(async () => whoIs(await fetchToken())).toBe(200);
    expect(await whoIs(token)).toBe(401);
  });
});
