/** Signing in by a real OpenID Connect provider over HTTP: the whole way there and back, and all that may be wrong with it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { type IdentityProvider, openBrowser, startIdentityProvider } from '../support/identity-provider.ts';
import { type ServedTenant, startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { requestWith, signIn } from '../support/sign-in.ts';
import { until } from '../support/until.ts';

describe('signing in by a provider', () => {
  let server: TestServer;
  let other: ServedTenant;
  let idp: IdentityProvider;
  let person: TestPerson;
  let configId: string;
  const callback = /\/auth\/callback\//;

  const start = (to?: string, id = configId): string =>
    `${server.url}/auth/sign-in/${id}${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`;
  const change = (authConfig: object, updateMask: string) =>
    request(server, server.admin, 'POST', `/api/v1/auth-configs/${configId}`, { authConfig, updateMask });
  /** Signs in with a new browser and says where it ends and as whom. */
  const arrive = async (to?: string): Promise<{ path: string; userId: string; cookie: string }> => {
    const browser = openBrowser(server);
    const visited = await browser.visit(start(to));
    const { pathname, search } = new URL(visited.at(-1) ?? '');
    const cookie = browser.header(server);
    const { body } = await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect');
    return { path: `${pathname}${search}`, userId: body.userId ?? '', cookie };
  };

  beforeAll(async () => {
    server = await startTestServer({ allowsLocalIssuers: true });
    other = await server.makeTenant('other.example');
    person = await server.makePerson('Elif.Sample@example.com');
    idp = await startIdentityProvider();
    const { clientId: oidcClientId, clientSecret: oidcClientSecret, issuer: issuerId } = idp;
    const made = await request(server, server.admin, 'POST', '/api/v1/auth-configs', {
      displayName: 'Sample Sign-on',
      oidc: { issuerId, oidcClientId, oidcClientSecret },
    });
    expect(made.status).toBe(200);
    configId = made.body.authConfig.id;
    idp.allow(`${server.url}/auth/callback/${configId}`);
  });
  beforeEach(() => {
    idp.account = { sub: 'elif', email: 'elif.sample@EXAMPLE.com', email_verified: true };
  });
  afterAll(async () => {
    await idp.stop();
    await server.stop();
  });

  it('is offered by name, and keeps the way to where somebody wanted to go', async () => {
    const providers = await (await server.fetch('/auth/providers')).json();
    expect(providers).toMatchObject({ providers: [{ id: configId, displayName: 'Sample Sign-on' }] });
    const arrived = await arrive('/r/1?show=todo');
    expect([arrived.path, arrived.userId]).toEqual(['/r/1?show=todo', person.id]);
    const mine = await requestWith(server, arrived.cookie, 'GET', '/api/v1/my/session');
    expect(mine.body).toMatchObject({ userId: person.id, session: { how: 'PROVIDER' } });
    const events = await server
      .system()
      .db.rows("SELECT kind, data FROM events WHERE tenant_id = $1 AND kind ~ '^(session.started|user.identity_linked)$' ORDER BY id", [
        server.id,
      ]);
    expect(events).toMatchObject([
      { kind: 'user.identity_linked', data: { issuer: idp.issuer, provider: 'Sample Sign-on' } },
      { kind: 'session.started', data: { userId: person.id, how: 'provider', provider: 'Sample Sign-on' } },
    ]);
  });

  it('sends a challenge, a state and a nonce, and binds them to the browser', async () => {
    const browser = openBrowser(server);
    const [, there = ''] = await browser.visit(start(), /\/auth\?/);
    const sent = new URL(there);
    expect(sent.origin).toBe(idp.issuer);
    expect(Object.fromEntries(sent.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'openid email profile',
      redirect_uri: `${server.url}/auth/callback/${configId}`,
    });
    expect(browser.header(server)).toMatch(/^sign-in=[\w-]{43}$/);
    const stored = JSON.stringify(
      await server.system().db.rows('SELECT to_jsonb(s) AS s FROM sign_in_states s WHERE tenant_id = $1', [server.id]),
    );
    expect(stored.includes(sent.searchParams.get('state') ?? '')).toBe(false);
  });

  it('remembers the subject: an address that changes hands signs nobody else in', async () => {
    await arrive();
    idp.account = { sub: 'elif', email: 'another@example.com', email_verified: true };
    expect((await arrive()).userId).toBe(person.id);
  });

  it.each([
    ['unverified', { email_verified: false }],
    ['unverified', { email_verified: 'false' }],
    ['unverified', { email_verified: 'True' }],
    ['unverified', { email_verified: 1 }],
    ['unverified', { email_verified: ['true'] }],
    ['unverified', {}],
    ['unknown', { email: 'nobody@example.com', email_verified: true }],
    ['unknown', { email: '', email_verified: true }],
  ])('refuses with %s: %j', async (code, claims) => {
    idp.account = { sub: `hostile ${JSON.stringify(claims)}`, email: server.admin.email, ...claims } as never;
    const arrived = await arrive();
    expect([arrived.path, arrived.userId]).toEqual([`/sign-in?error=${code}`, '']);
  });

  it('takes an address that a provider calls verified by the text "true"', async () => {
    idp.account = { sub: 'verified by a text', email: person.email, email_verified: 'true' } as never;
    expect((await arrive()).userId).toBe(person.id);
  });

  it.each([
    ['the sign of Kelvin in its name', '\u212aate@bank.example'],
    ['the sign of Kelvin in its domain', 'kate@ban\u212a.example'],
    ['a Cyrillic letter', 'k\u0430te@bank.example'],
  ])('takes an address with %s for another one', async (_name, email) => {
    const found = await request(server, server.admin, 'POST', '/api/v1/search/users', { email: 'kate@bank.example' });
    if (found.body.list.length === 0) {
      await server.makePerson('kate@bank.example', ['SUPER_ADMINISTRATOR']);
    }
    idp.account = { sub: `looks like ${email}`, email, email_verified: true };
    const arrived = await arrive();
    expect([arrived.path, arrived.userId]).toEqual(['/sign-in?error=unknown', '']);
  });

  it('takes addresses that are not called verified from a provider that is trusted, in its domains alone', async () => {
    idp.account = { sub: 'trusted', email: 'elif.sample@example.com', email_verified: false };
    expect((await change({ trustsAddresses: true, bootstrapDomains: ['example.org'] }, 'trustsAddresses,bootstrapDomains')).status).toBe(
      200,
    );
    expect((await arrive()).path).toBe('/sign-in?error=unknown');
    await change({ bootstrapDomains: ['Example.com'] }, 'bootstrapDomains');
    expect((await arrive()).userId).toBe(person.id);
    await change({}, 'trustsAddresses,bootstrapDomains');
  });

  it('asks for the claims that the configuration wants', async () => {
    expect((await change({ oidc: { exactMatchClaims: { groups: 'staff' } } }, 'oidc.exactMatchClaims')).status).toBe(200);
    expect((await arrive()).path).toBe('/sign-in?error=claims');
    idp.account = { sub: 'elif', email: 'elif.sample@example.com', email_verified: true, groups: ['all', 'staff'] };
    expect((await arrive()).userId).toBe(person.id);
    await change({}, 'oidc.exactMatchClaims');
  });

  it('says that somebody refused at the provider', async () => {
    idp.account = undefined;
    expect((await arrive()).path).toBe('/sign-in?error=denied');
  });

  it('refuses who is disabled, and records it', async () => {
    const gone = await server.makePerson('gone@example.com');
    const set = (status: string) =>
      server.test.admin('UPDATE countersign.users SET status = $3 WHERE tenant_id = $1 AND id = $2', [server.id, gone.id, status]);
    await set('DISABLED');
    idp.account = { sub: 'gone', email: 'gone@example.com', email_verified: true };
    expect((await arrive()).path).toBe('/sign-in?error=disabled');
    const events = await server
      .system()
      .db.rows("SELECT data FROM events WHERE tenant_id = $1 AND kind = 'session.refused' AND target_id = $2", [server.id, gone.id]);
    expect(events).toMatchObject([{ data: { how: 'provider', why: 'disabled' } }]);
    await set('DELETED');
    expect((await arrive()).path).toBe('/sign-in?error=unknown');
  });

  it('keeps to the networks of the session settings', async () => {
    const restrict = (sourceCidr: readonly string[]) =>
      request(server, server.admin, 'POST', '/api/v1/settings/session', {
        sessionSettings: { ssoUserSource: { enabled: sourceCidr.length > 0, sourceCidr } },
      });
    await restrict(['192.0.2.0/24']);
    expect((await arrive()).path).toBe('/sign-in?error=address');
    await restrict([]);
  });

  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', '\\\\evil.example', 'javascript:alert(1)', '/\t/evil.example', ''])(
    'leads nowhere else: %j',
    async (to) => {
      expect((await arrive(to)).path).toBe('/');
    },
  );

  describe('refuses an answer', () => {
    const back = async (): Promise<{ browser: ReturnType<typeof openBrowser>; url: string }> => {
      const browser = openBrowser(server);
      const visited = await browser.visit(start(), callback);
      return { browser, url: visited.at(-1) ?? '' };
    };
    const end = async (browser: ReturnType<typeof openBrowser>, url: string): Promise<string> => {
      const { pathname, search } = new URL((await browser.visit(url)).at(-1) ?? '');
      return `${pathname}${search}`;
    };

    it('a second time', async () => {
      const { browser, url } = await back();
      expect(await end(browser, url)).toBe('/');
      expect(await end(browser, url)).toBe('/sign-in?error=state');
    });

    it('in another browser', async () => {
      const { url } = await back();
      expect(await end(openBrowser(server), url)).toBe('/sign-in?error=state');
      const thief = openBrowser(server);
      await thief.visit(start(), callback);
      const { url: again } = await back();
      expect(await end(thief, again)).toBe('/sign-in?error=state');
    });

    it('with another state, code or issuer, and of another provider', async () => {
      for (const [name, value, code] of [
        ['state', 'x'.repeat(43), 'state'],
        ['state', '', 'state'],
        ['code', 'x'.repeat(43), 'provider'],
        ['iss', 'https://evil.example', 'provider'],
      ] as const) {
        const { browser, url } = await back();
        const changed = new URL(url);
        changed.searchParams.set(name, value);
        expect([name, await end(browser, changed.href)]).toEqual([name, `/sign-in?error=${code}`]);
      }
      const { browser, url } = await back();
      expect(await end(browser, url.replace(configId, 'x'.repeat(27)))).toBe('/sign-in?error=state');
    });

    it('after ten minutes', async () => {
      const { browser, url } = await back();
      await server.system().db.run('UPDATE sign_in_states SET expires_at = $2 WHERE tenant_id = $1', [server.id, new Date()]);
      expect(await end(browser, url)).toBe('/sign-in?error=state');
    });

    it('once the provider is disabled, and offers it no more', async () => {
      const { browser, url } = await back();
      await change({ status: 'AUTH_CONFIG_STATUS_DISABLED' }, 'status');
      expect(await end(browser, url)).toBe('/sign-in?error=provider');
      expect(await (await server.fetch('/auth/providers')).json()).toMatchObject({ providers: [] });
      expect((await arrive()).path).toBe('/sign-in?error=provider');
      await change({ status: 'AUTH_CONFIG_STATUS_ACTIVE' }, 'status');
    });
  });

  it('begins a session of its own, and ends the one that the browser had', async () => {
    const browser = openBrowser(server);
    const former = await signIn(server, person.id);
    browser.cookies.set(server.url, new Map([['session', former.split('=')[1] ?? '']]));
    await browser.visit(start());
    expect(browser.header(server)).not.toContain(former);
    expect((await requestWith(server, former, 'GET', '/api/v1/auth/introspect')).status).toBe(401);
  });

  describe('ends the sessions that began with it', () => {
    const whoIs = async (cookie: string): Promise<number> => (await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).status;
    const lastEvent = async (kind: string): Promise<unknown> =>
      (
        await server
          .system()
          .db.maybe<{ data: unknown }>('SELECT data FROM events WHERE tenant_id = $1 AND kind = $2 ORDER BY id DESC LIMIT 1', [
            server.id,
            kind,
          ])
      )?.data;

    it('when it is disabled, at once and for good, and no others', async () => {
      const [first, second] = [await arrive(), await arrive()];
      const byLink = await signIn(server, person.id);
      expect((await change({ displayName: 'Renamed' }, 'displayName')).status).toBe(200);
      expect(await whoIs(first.cookie)).toBe(200);
      expect((await change({ status: 'AUTH_CONFIG_STATUS_DISABLED' }, 'status')).status).toBe(200);
      expect([await whoIs(first.cookie), await whoIs(second.cookie), await whoIs(byLink)]).toEqual([401, 401, 200]);
      expect(await lastEvent('auth_config.updated')).toMatchObject({
        fields: ['status'],
        endedSessions: expect.any(Number),
        sessionIds: expect.arrayContaining([expect.stringMatching(/^[0-9A-Za-z]{27}$/)]),
      });
      await change({ status: 'AUTH_CONFIG_STATUS_ACTIVE', displayName: 'Sample Sign-on' }, 'status,displayName');
      expect(await whoIs(first.cookie)).toBe(401);
      expect(await lastEvent('auth_config.updated')).not.toHaveProperty('endedSessions');
    });

    it('when it is deleted, and a sign-in that is under way with it begins none', async () => {
      const { clientId: oidcClientId, clientSecret: oidcClientSecret, issuer: issuerId } = idp;
      const made = await request(server, server.admin, 'POST', '/api/v1/auth-configs', {
        displayName: 'For a day',
        oidc: { issuerId, oidcClientId, oidcClientSecret },
      });
      const { id } = made.body.authConfig;
      idp.allow(`${server.url}/auth/callback/${id}`);
      const [signedIn, underWay] = [openBrowser(server), openBrowser(server)];
      await signedIn.visit(start('/', id));
      const other = (await arrive()).cookie;
      const back = (await underWay.visit(start('/', id), callback)).at(-1) ?? '';
      expect(await whoIs(signedIn.header(server))).toBe(200);
      expect((await request(server, server.admin, 'DELETE', `/api/v1/auth-configs/${id}`)).status).toBe(200);
      expect([await whoIs(signedIn.header(server)), await whoIs(other)]).toEqual([401, 200]);
      expect(await lastEvent('auth_config.deleted')).toMatchObject({ displayName: 'For a day', endedSessions: 1 });
      await underWay.visit(back);
      expect(await whoIs(underWay.header(server))).toBe(401);
    });

    it('also of one that begins in the same moment', async () => {
      const browser = openBrowser(server);
      const back = (await browser.visit(start(), callback)).at(-1) ?? '';
      const db = server.system().db;
      const disabled = db.transaction(async (inside) => {
        await inside.run(
          `UPDATE auth_configs SET document = document || '{"status": "AUTH_CONFIG_STATUS_DISABLED"}' WHERE tenant_id = $1 AND id = $2`,
          [server.id, configId],
        );
        // The provider still looks enabled to whoever comes back now: they wait for the end of this transaction.
        const visited = browser.visit(back);
        await until(async () => {
          const waiting = await server.test.admin(
            `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ 'auth_configs' AND pid <> pg_backend_pid() AND datname = current_database()`,
            [],
          );
          expect(waiting).toHaveLength(1);
        });
        return { visited };
      });
      const { visited } = await disabled;
      expect((await visited).at(-1)).toBe(`${server.url}/sign-in?error=provider`);
      expect(await whoIs(browser.header(server))).toBe(401);
      await change({ status: 'AUTH_CONFIG_STATUS_ACTIVE' }, 'status');
    });
  });

  describe('of somebody whose address changes here', () => {
    const whoIs = async (cookie: string): Promise<number> => (await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).status;
    const move = (userId: string, email: string): Promise<unknown> =>
      server.test.admin(`UPDATE countersign.users SET email = $3, email_key = $3, updated_at = now() WHERE tenant_id = $1 AND id = $2`, [
        server.id,
        userId,
        email,
      ]);
    const letDayPass = (): Promise<unknown> =>
      server.test.admin(
        `WITH moved AS (UPDATE external_identities SET created_at = created_at - interval '25 hours' WHERE tenant_id = $1)
           UPDATE address_changes SET changed_at = changed_at - interval '25 hours' WHERE tenant_id = $1`,
        [server.id],
      );
    const signInAs = (sub: string, email: string): ReturnType<typeof arrive> => {
      idp.account = { sub, email, email_verified: true };
      return arrive();
    };
    const lastLink = async (userId: string): Promise<unknown> =>
      (
        await server.test.admin(
          `SELECT data FROM events WHERE tenant_id = $1 AND target_id = $2 AND kind = 'user.identity_linked' ORDER BY id DESC LIMIT 1`,
          [server.id, userId],
        )
      )[0]?.data;

    it('by mistake, signs in whoever has the wrong one no more once it is put right, and whoever has the right one a day later', async () => {
      const { id } = await server.makePerson('right@example.com');
      expect((await signInAs('right', 'right@example.com')).userId).toBe(id);
      await move(id, 'wrong@example.com');
      await letDayPass();
      const wrong = await signInAs('wrong', 'wrong@example.com');
      expect(wrong.userId).toBe(id);
      // The provider still proves the old address, which is not theirs for now.
      expect((await signInAs('right', 'right@example.com')).path).toBe('/sign-in?error=unknown');
      await move(id, 'right@example.com');
      expect(await whoIs(wrong.cookie)).toBe(401);
      expect((await signInAs('wrong', 'wrong@example.com')).path).toBe('/sign-in?error=unknown');
      expect((await signInAs('wrong', 'gone@example.org')).path).toBe('/sign-in?error=unknown');
      expect((await signInAs('right', 'right@example.com')).path).toBe('/sign-in?error=address_changed');
      // Given the wrong one again, nobody is in at once by what they were then.
      await move(id, 'wrong@example.com');
      expect((await signInAs('wrong', 'wrong@example.com')).path).toBe('/sign-in?error=address_changed');
      await move(id, 'right@example.com');
      await letDayPass();
      expect((await signInAs('right', 'right@example.com')).userId).toBe(id);
      expect((await signInAs('wrong', 'wrong@example.com')).path).toBe('/sign-in?error=unknown');
      // A year later the changes are forgotten, and the link is as little good.
      await server.test.admin('DELETE FROM address_changes WHERE tenant_id = $1', [server.id]);
      expect((await signInAs('wrong', 'wrong@example.com')).path).toBe('/sign-in?error=unknown');
    });

    it('signs them in at once where the provider has the new address, too, and links it anew', async () => {
      const { id } = await server.makePerson('before@example.com');
      expect((await signInAs('married', 'before@example.com')).userId).toBe(id);
      await move(id, 'after@example.com');
      expect((await signInAs('stranger', 'after@example.com')).path).toBe('/sign-in?error=address_changed');
      expect((await signInAs('married', 'after@example.com')).userId).toBe(id);
      expect(await lastLink(id)).toMatchObject({ issuer: idp.issuer, address: 'after@example.com' });
      expect((await signInAs('married', 'elsewhere@example.com')).userId).toBe(id);
    });

    it('is the person with that address whom they really are, and the event says whom they were taken for', async () => {
      const { id } = await server.makePerson('typed@example.com');
      const { id: colleagueId } = await server.makePerson('colleague@example.com');
      await move(colleagueId, 'colleague.new@example.com');
      await move(id, 'colleague@example.com');
      await letDayPass();
      expect((await signInAs('colleague', 'colleague@example.com')).userId).toBe(id);
      await move(id, 'typed@example.com');
      await move(colleagueId, 'colleague@example.com');
      await letDayPass();
      expect((await signInAs('colleague', 'colleague@example.com')).userId).toBe(colleagueId);
      expect(await lastLink(colleagueId)).toMatchObject({ formerUserId: id });
    });
  });

  it.each([
    ['an address', { email: 'elif\0@example.com' }],
    ['a subject', { sub: 'elif\0' }],
    ['a claim that nobody asked for', { groups: [{ a: 'b\0' }] }],
    ['a claim with half a character', { groups: ['\ud800'] }],
  ])('refuses an answer that no database holds: %s', async (_name, claims) => {
    idp.account = { sub: 'broken', email: 'elif.sample@example.com', email_verified: true, ...claims } as never;
    expect((await arrive()).path).toBe('/sign-in?error=provider');
  });

  it('is no provider of another tenant', async () => {
    const response = await other.fetch(`/auth/sign-in/${configId}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/sign-in?error=provider']);
    expect((await request(other, other.admin, 'GET', `/api/v1/auth-configs/${configId}`)).status).toBe(404);
  });

  it('says no more than that a provider cannot be reached', async () => {
    const made = await request(server, server.admin, 'POST', '/api/v1/auth-configs', {
      displayName: 'Nobody',
      oidc: { issuerId: 'http://127.0.0.1:1', oidcClientId: 'x', oidcClientSecret: 'y' },
    });
    const visited = await openBrowser(server).visit(start('/', made.body.authConfig.id));
    expect(visited.at(-1)).toBe(`${server.url}/sign-in?error=provider`);
  });
});
