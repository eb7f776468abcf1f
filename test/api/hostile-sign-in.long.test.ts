/**
 * A hostile client against signing in and what is one's own: cookies that were planted, requests that other sites make in every combination of
 * what a browser says of them, addresses to be led to, and values that nobody sends. No answer is a fault of the server.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printLink } from '../../src/foundation/sessions/index.ts';
import { request, violatedFields } from '../support/api.ts';
import { type IdentityProvider, openBrowser, startIdentityProvider } from '../support/identity-provider.ts';
import { type ServedTenant, startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { cookieIn, openLink, originOf, requestWith, signIn } from '../support/sign-in.ts';

describe('a hostile client', () => {
  let server: TestServer;
  let https: ServedTenant;
  let idp: IdentityProvider;
  let victim: TestPerson;
  let attacker: TestPerson;
  let configId: string;
  const whoIs = async (cookie: string, tenant: ServedTenant = server): Promise<string> =>
    (await requestWith(tenant, cookie, 'GET', '/api/v1/auth/introspect')).body.userId ?? '';

  beforeAll(async () => {
    server = await startTestServer({ allowsLocalIssuers: true });
    https = await server.makeTenant('other.example');
    victim = await server.makePerson('victim@example.com');
    attacker = await server.makePerson('attacker@example.com');
    idp = await startIdentityProvider();
    idp.account = { sub: 'victim', email: 'victim@example.com', email_verified: true };
    const { clientId: oidcClientId, clientSecret: oidcClientSecret, issuer: issuerId } = idp;
    const made = await request(server, server.admin, 'POST', '/api/v1/auth-configs', {
      displayName: 'Sample Sign-on',
      oidc: { issuerId, oidcClientId, oidcClientSecret },
    });
    configId = made.body.authConfig.id;
    idp.allow(`${server.url}/auth/callback/${configId}`);
  });
  afterAll(async () => {
    await idp.stop();
    await server.stop();
  });

  describe('that plants a cookie', () => {
    it('of no session gains none by a link: what it planted never counts', async () => {
      const planted = `session=${'p'.repeat(43)}`;
      const { token } = await printLink(server.system(), victim.id);
      const given = cookieIn(await openLink(server, token, { cookie: planted })) ?? '';
      expect(given).not.toBe(planted);
      expect([await whoIs(given), await whoIs(planted)]).toEqual([victim.id, '']);
    });

    it('of its own session loses it, and does not become the victim', async () => {
      const planted = await signIn(server, attacker.id);
      expect(await whoIs(planted)).toBe(attacker.id);
      const { token } = await printLink(server.system(), victim.id);
      const given = cookieIn(await openLink(server, token, { cookie: planted })) ?? '';
      expect([await whoIs(given), await whoIs(planted)]).toEqual([victim.id, '']);
    });

    it('before a sign-in by a provider gains nothing by it either', async () => {
      for (const planted of ['p'.repeat(43), (await signIn(server, attacker.id)).split('=')[1] ?? '']) {
        const browser = openBrowser(server);
        browser.cookies.set(server.url, new Map([['session', planted]]));
        await browser.visit(`${server.url}/auth/sign-in/${configId}`);
        const given = browser.cookies.get(server.url)?.get('session');
        expect(given).not.toBe(planted);
        expect([await whoIs(`session=${given}`), await whoIs(`session=${planted}`)]).toEqual([victim.id, '']);
      }
    });

    it('beside the one of the victim is not told from it: neither counts', async () => {
      const [own, planted] = [await signIn(server, victim.id), await signIn(server, attacker.id)];
      expect([await whoIs(`${planted}; ${own}`), await whoIs(`${own}; ${planted}`), await whoIs(own)]).toEqual(['', '', victim.id]);
    });

    it('without the prefix, over https, is not read', async () => {
      const cookie = await signIn(https, https.admin.id);
      const value = cookie.split('=')[1] ?? '';
      expect(cookie).toBe(`__Host-session=${value}`);
      expect([await whoIs(cookie, https), await whoIs(`session=${value}`, https)]).toEqual([https.admin.id, '']);
      // What another site plants under the plain name changes nothing.
      expect(await whoIs(`session=${'p'.repeat(43)}; ${cookie}`, https)).toBe(https.admin.id);
    });
  });

  it('sees every cookie of signing in kept from scripts and from other sites', async () => {
    const flags = async (tenant: ServedTenant): Promise<string[]> => {
      const made = await request(tenant, tenant.admin, 'POST', '/api/v1/auth-configs', {
        displayName: 'Flags',
        oidc: { issuerId: idp.issuer, oidcClientId: 'x', oidcClientSecret: 'y' },
      });
      const begun = await tenant.fetch(`/auth/sign-in/${made.body.authConfig.id}`, { redirect: 'manual' });
      const { token } = await printLink(tenant.system(), tenant.admin.id);
      const opened = await openLink(tenant, token);
      const out = await tenant.fetch('/auth/sign-out', {
        method: 'POST',
        headers: { origin: originOf(tenant), cookie: cookieIn(opened) ?? '' },
      });
      return [begun, opened, out].flatMap((response) => response.headers.getSetCookie());
    };
    const plain = await flags(server);
    expect(plain).toHaveLength(3);
    for (const one of plain) {
      expect(one).toMatch(/^(session|sign-in)=[\w-]*; Path=\/; HttpOnly; SameSite=Lax(; Max-Age=\d+)?$/);
    }
    const secure = await flags(https);
    expect(secure).toHaveLength(3);
    for (const one of secure) {
      expect(one).toMatch(/^__Host-(session|sign-in)=[\w-]*; Path=\/; HttpOnly; Secure; SameSite=Lax(; Max-Age=\d+)?$/);
    }
  });

  it('forges no request, whatever its browser says of it', async () => {
    const cookie = await signIn(server, victim.id);
    const path = '/api/v1/my/sessions/action/end_others';
    const own = originOf(server);
    const types: readonly (readonly [string, boolean])[] = [
      ['application/json', true],
      ['application/json; charset=utf-8', true],
      ['text/plain', false],
      ['Text/Plain; charset=utf-8', false],
      ['application/x-www-form-urlencoded', false],
      ['multipart/form-data; boundary=x', false],
      ['text/plain, application/json', false],
    ];
    for (const site of [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'Same-Origin', '']) {
      for (const origin of [undefined, own, 'null', '', 'https://evil.example', `${own}.evil.example`, `${own}@evil.example`]) {
        for (const [type, isGood] of types) {
          const headers = {
            cookie,
            'content-type': type,
            ...(site === undefined ? {} : { 'sec-fetch-site': site }),
            ...(origin === undefined ? {} : { origin }),
          };
          const response = await server.fetch(path, { method: 'POST', headers, body: '{}' });
          await response.arrayBuffer();
          const isOurs = site === undefined ? origin === own : site === 'same-origin';
          expect([site, origin, type, response.status === 200]).toEqual([site, origin, type, isOurs && isGood]);
          expect([200, 403, 415]).toContain(response.status);
        }
      }
    }
    expect(await whoIs(cookie)).toBe(victim.id);
  }, 240_000);

  it.each([
    ...['//evil.example', '///evil.example', '\\\\evil.example', '/\\evil.example', '\\/evil.example', '/\\/evil.example'],
    ...[
      'https://evil.example',
      'HTTPS:evil.example',
      'http:evil.example',
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
    ],
    ...[
      '/\n/evil.example',
      '/\r\n/evil.example',
      '\t//evil.example',
      '/\t/evil.example',
      ' //evil.example',
      '/..//evil.example',
      '/.//evil.example',
    ],
    ...[
      '/home\r\nset-cookie: session=x',
      '/\u0000',
      '/\u2028/evil.example',
      `/${'x'.repeat(5_000)}`,
      '%2f%2fevil.example',
      '@evil.example',
    ],
  ])('leads nobody elsewhere after signing in: %j', async (to) => {
    const browser = openBrowser(server);
    const visited = await browser.visit(`${server.url}/auth/sign-in/${configId}?to=${encodeURIComponent(to)}`);
    expect(new URL(visited.at(-1) ?? '').href).toBe(`${server.url}/`);
    // As it may be written into an address without being encoded.
    const response = await server.fetch(`/auth/sign-in/${configId}?to=${to.replace(/[^\x21-\x7e]/g, '')}`, { redirect: 'manual' });
    expect([response.status, new URL(response.headers.get('location') ?? '').origin]).toEqual([303, idp.issuer]);
    expect(response.headers.getSetCookie()).toHaveLength(1);
  });

  it.each([
    ['/%2f%2fevil.example', '/%2f%2fevil.example'],
    ['/%5cevil.example', '/%5cevil.example'],
    ['/r/1?to=//evil.example', '/r/1?to=//evil.example'],
  ])('only finds paths of ours where they are encoded: %j', async (to, ends) => {
    const visited = await openBrowser(server).visit(`${server.url}/auth/sign-in/${configId}?to=${encodeURIComponent(to)}`);
    expect(visited.at(-1)).toBe(`${server.url}${ends}`);
  });

  it.each(['http://login.example.com', 'javascript:alert(1)', 'https://user:secret@login.example.com', 'file:///etc/passwd', 'login', ''])(
    'makes no step-up provider of %s',
    async (issuerUrl) => {
      const body = { displayName: 'Odd', clientId: 'id', clientSecret: 'secret', issuerUrl, oauth2: { acrValues: ['mfa'] } };
      const answer = await request(server, server.admin, 'POST', '/api/v1/step-up/providers', body);
      expect([answer.status, violatedFields(answer)]).toEqual([400, ['issuerUrl']]);
    },
  );

  describe('that sends values which nobody sends', () => {
    const odd = [
      '\u0000',
      'a\u0000b',
      '\ud800',
      '\u202e\u200b',
      '%',
      '_',
      '\\',
      "'; DROP TABLE users; --",
      '{{7*7}}',
      '../../etc/passwd',
      '🦄'.repeat(200),
      'x'.repeat(20_000),
    ];

    it.each<[string, string, (text: string) => object, string?]>([
      ['the search of sessions', '/api/v1/search/sessions', (text) => ({ users: [{ id: text }], pageToken: '' })],
      ['pages of sessions', '/api/v1/search/sessions', (text) => ({ pageToken: text })],
      ['the search of credentials', '/api/v1/search/credentials', (text) => ({ query: text })],
      ['owners of credentials', '/api/v1/search/credentials', (text) => ({ users: [{ id: text }, { id: '' }] })],
      ['pages of credentials', '/api/v1/search/credentials', (text) => ({ pageToken: text })],
      ['the test of a provider', '/api/v1/auth-configs/action/test', (text) => ({ issuerId: text })],
      ['a test with its path', '/api/v1/auth-configs/action/test', (text) => ({ issuerId: `http://127.0.0.1:1/${text}` })],
      [
        'the name of a provider',
        '/api/v1/auth-configs',
        (text) => ({ displayName: text, oidc: { issuerId: 'https://a.example', oidcClientId: text } }),
      ],
      ['the domains of a provider', '/api/v1/auth-configs', (text) => ({ displayName: 'x', bootstrapDomains: [text], oidc: {} })],
      [
        'the claims of a provider',
        '/api/v1/auth-configs',
        (text) => ({ displayName: 'x', oidc: { issuerId: 'https://a.example', oidcClientId: 'x', exactMatchClaims: { [text]: text } } }),
      ],
      ['the search for everything', '/api/v1/search/all', (text) => ({ query: text })],
      ['delegates', '/api/v1/my/delegates', (text) => ({ query: text, pageToken: text })],
      ['the language', '/api/v1/my/preferences', (text) => ({ preferences: { language: text, timeZone: text } }), 'PUT'],
      [
        'keys',
        '/api/v1/my/preferences',
        (text) => ({ preferences: { keys: { [text]: text, constructor: text, __proto__: text } } }),
        'PUT',
      ],
      ['a delegate', '/api/v1/my/delegation', (text) => ({ delegatedUserId: text }), 'PUT'],
    ])('is refused or answered at %s, and finds no fault', async (_name, path, make, method = 'POST') => {
      for (const text of odd) {
        const answer = await request(server, server.admin, method, path, make(text));
        expect([path, text.slice(0, 40), answer.status < 500]).toEqual([path, text.slice(0, 40), true]);
      }
    });

    it('finds no fault in the addresses of signing in', async () => {
      for (const text of ['%00', '%', '%ff', '..%2f', '%F0%9F%A6%84', 'x'.repeat(5_000)]) {
        for (const [method, path] of [
          ['GET', `/auth/sign-in/${text}`],
          ['GET', `/auth/sign-in/${configId}?to=${text}`],
          ['GET', `/auth/callback/${text}?state=${text}&code=${text}`],
          ['GET', `/auth/callback/${configId}?state=${text}&state=${text}&error=${text}`],
          ['POST', `/auth/link/${text}`],
          ['POST', `/auth/link/open?token=${text}`],
          ['DELETE', `/api/v1/sessions/${text}`],
          ['POST', `/api/v1/users/${text}/sessions/action/end_all`],
        ] as const) {
          const headers = { origin: originOf(server), cookie: await signIn(server, server.admin.id) };
          const response = await server.fetch(path, { method, headers, redirect: 'manual' });
          await response.arrayBuffer();
          expect([path.slice(0, 80), response.status < 500]).toEqual([path.slice(0, 80), true]);
        }
      }
    });

    it('finds no fault in asking for a link', async () => {
      for (const body of [
        '',
        '[]',
        'null',
        '"x"',
        '{',
        '{"email":7}',
        '{"email":{"$gt":""}}',
        '{"email":"a@b\\u0000.c"}',
        `{"email":"${'x'.repeat(9_000)}"}`,
      ]) {
        const headers = { origin: originOf(server), 'content-type': 'application/json' };
        const response = await server.fetch('/auth/link', { method: 'POST', headers, body });
        await response.arrayBuffer();
        expect([body.slice(0, 40), response.status >= 400 && response.status < 500]).toEqual([body.slice(0, 40), true]);
      }
    });

    it('is shown by its browser as it names itself, however odd', async () => {
      for (const agent of ['x'.repeat(4_000), '<script>alert(1)</script>', '\u00e9\u00ff', '']) {
        const { token } = await printLink(server.system(), victim.id);
        const opened = await openLink(server, token, { 'user-agent': agent });
        expect([agent.slice(0, 30), opened.status]).toEqual([agent.slice(0, 30), 200]);
        const { body } = await requestWith(server, cookieIn(opened) ?? '', 'GET', '/api/v1/my/session');
        expect(body.session.browser.length).toBeLessThanOrEqual(400);
      }
    });
  });

  it('with the tenant of somebody else, or as a Basic User, reaches nothing of this one', async () => {
    const cookie = await signIn(server, victim.id);
    const { body } = await requestWith(server, cookie, 'GET', '/api/v1/my/session');
    const sessionId: string = body.session.id;
    const stranger = https.admin;
    for (const [method, path, fields] of [
      ['DELETE', `/api/v1/sessions/${sessionId}`],
      ['DELETE', `/api/v1/my/sessions/${sessionId}`],
      ['POST', `/api/v1/users/${victim.id}/sessions/action/end_all`, {}],
      ['GET', `/api/v1/users/${victim.id}/grants`],
      ['POST', `/api/v1/users/${victim.id}/sign_in_link`, {}],
      ['GET', `/api/v1/auth-configs/${configId}`],
      ['DELETE', `/api/v1/auth-configs/${configId}`],
      ['POST', `/api/v1/auth-configs/${configId}`, { authConfig: { displayName: 'Mine' }, updateMask: 'displayName' }],
      ['PUT', '/api/v1/my/delegation', { delegatedUserId: victim.id }],
    ] as const) {
      const answer = await request(https, stranger, method, path, fields);
      expect([path, answer.status]).toEqual([path, path.endsWith('/delegation') ? expect.any(Number) : 404]);
      expect([path, answer.status === 200]).toEqual([path, false]);
      const basic = await request(server, attacker, method, path, fields);
      expect([path, basic.status === 200 && !path.endsWith('/delegation')]).toEqual([path, false]);
    }
    expect(await whoIs(cookie)).toBe(victim.id);
  });
});
