/** Oversight of others by administrators: the sessions and the API credentials of everybody, filtered, and never those of another tenant. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { printLink } from '../../src/foundation/sessions/index.ts';
import { type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { openLink, requestWith, signIn } from '../support/sign-in.ts';

describe('what administrators see and end of others', () => {
  let server: TestServer;
  let other: ServedTenant;
  let auditor: TestPerson;
  const call = (method: string, path: string, body?: object, by: TestPerson = server.admin, at: ServedTenant = server) =>
    request(at, by, method, path, body);
  const events = (kind: string): Promise<Loose[]> =>
    server
      .system()
      .db.rows('SELECT target_id AS target, actor_id AS actor, data FROM events WHERE tenant_id = $1 AND kind = $2 ORDER BY id', [
        server.id,
        kind,
      ]);

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other.example');
    auditor = await server.makePerson('auditor@example.com', ['READ_ONLY_ADMINISTRATOR']);
  });
  afterAll(() => server.stop());

  describe('sessions', () => {
    let person: TestPerson;
    let count = 0;
    const alive = async (cookie: string): Promise<number> => (await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).status;
    const idOf = async (cookie: string): Promise<string> =>
      (await requestWith(server, cookie, 'GET', '/api/v1/my/session')).body.session.id;
    const search = async (fields: object = {}, by: TestPerson = server.admin): Promise<Loose[]> =>
      (await call('POST', '/api/v1/search/sessions', fields, by)).body.list;

    beforeEach(async () => {
      person = await server.makePerson(`person-${++count}@example.com`);
    });

    it('are found, of everybody or of some people, the newest first', async () => {
      const [first, second] = [await signIn(server, person.id), await signIn(server, person.id)];
      const mine = await signIn(server, server.admin.id);
      const found = await search({ users: [{ id: person.id }] }, auditor);
      expect(found.map(({ session }) => session.id)).toEqual([await idOf(second), await idOf(first)]);
      expect(found[0]).toMatchObject({
        userId: person.id,
        email: person.email,
        issuerId: '',
        providerDisplayName: '',
        session: { address: '127.0.0.1', how: 'LINK', isCurrent: false },
      });
      const everybody = (await requestWith(server, mine, 'POST', '/api/v1/search/sessions', {})).body.list as Loose[];
      const own = await idOf(mine);
      expect(everybody.filter(({ session }) => session.isCurrent).map(({ session }) => session.id)).toEqual([own]);
      expect(everybody.map(({ userId }) => userId)).toContain(person.id);
      expect(await search({ users: [{ id: other.admin.id }] })).toEqual([]);
      expect(JSON.stringify(found)).not.toContain(first.split('=')[1]);
    });

    it('that are over, idle, or of somebody disabled are not among them', async () => {
      await signIn(server, person.id);
      const set = (what: string): Promise<unknown> =>
        server.test.admin(`UPDATE countersign.${what} WHERE tenant_id = $1 AND ${what.startsWith('users') ? 'id' : 'user_id'} = $2`, [
          server.id,
          person.id,
        ]);
      const length = async (): Promise<number> => (await search({ users: [{ id: person.id }] })).length;
      expect(await length()).toBe(1);
      await set("sessions SET last_used_at = now() - interval '31 minutes'");
      expect(await length()).toBe(0);
      await set("sessions SET last_used_at = now(), created_at = now() - interval '13 hours'");
      expect(await length()).toBe(0);
      await set('sessions SET created_at = now()');
      expect(await length()).toBe(1);
      await set("users SET status = 'DISABLED', updated_at = now()");
      expect(await length()).toBe(0);
    });

    it('end one by one, for good, with an event that names who did it', async () => {
      const [ended, kept] = [await signIn(server, person.id), await signIn(server, person.id)];
      const id = await idOf(ended);
      for (const [by, status] of [
        [auditor, 403],
        [person, 403],
      ] as const) {
        expect((await call('DELETE', `/api/v1/sessions/${id}`, undefined, by)).status).toBe(status);
      }
      expect((await call('DELETE', `/api/v1/sessions/${id}`, undefined, other.admin, other)).status).toBe(404);
      expect([await alive(ended), await alive(kept)]).toEqual([200, 200]);
      expect((await call('DELETE', `/api/v1/sessions/${id}`)).status).toBe(200);
      expect([await alive(ended), await alive(kept)]).toEqual([401, 200]);
      expect((await call('DELETE', `/api/v1/sessions/${id}`)).status).toBe(404);
      expect((await events('session.ended')).at(-1)).toMatchObject({
        target: id,
        actor: server.admin.id,
        data: { userId: person.id, why: 'ended_by_administrator' },
      });
    });

    it('end all at once, and the links that could begin new ones', async () => {
      const [first, second] = [await signIn(server, person.id), await signIn(server, person.id)];
      const bystander = await signIn(server, auditor.id);
      const { token } = await printLink(server.system(), person.id);
      const path = `/api/v1/users/${person.id}/sessions/action/end_all`;
      expect((await call('POST', path, {}, auditor)).status).toBe(403);
      expect((await call('POST', path, {}, other.admin, other)).status).toBe(404);
      expect((await call('POST', '/api/v1/users/nobody/sessions/action/end_all', {})).status).toBe(404);
      expect((await call('POST', path, {})).body).toEqual({ endedCount: 2 });
      expect([await alive(first), await alive(second), await alive(bystander)]).toEqual([401, 401, 200]);
      expect((await openLink(server, token)).status).toBe(401);
      expect((await events('session.all_ended')).filter(({ target }) => target === person.id)).toMatchObject([
        { actor: server.admin.id, data: { endedCount: 2, removedLinks: 1, sessionIds: [expect.any(String), expect.any(String)] } },
      ]);
      // Nothing is left to end, so nothing is recorded.
      expect((await call('POST', path, {})).body).toEqual({ endedCount: 0 });
      expect((await events('session.all_ended')).filter(({ target }) => target === person.id)).toHaveLength(1);
      // Credentials of programs stay.
      expect((await call('GET', '/api/v1/auth/introspect', undefined, person)).status).toBe(200);
    });

    it('keep the one that the request came with', async () => {
      const [mine, elsewhere] = [await signIn(server, server.admin.id), await signIn(server, server.admin.id)];
      const answer = await requestWith(server, mine, 'POST', `/api/v1/users/${server.admin.id}/sessions/action/end_all`, {});
      expect(answer.status).toBe(200);
      expect([await alive(mine), await alive(elsewhere)]).toEqual([200, 401]);
    });
  });

  describe('credentials', () => {
    let person: TestPerson;
    let principalId: string;
    const search = async (fields: object = {}, by: TestPerson = server.admin): Promise<Loose[]> => {
      const { status, body } = await call('POST', '/api/v1/search/credentials', { pageSize: 100, ...fields }, by);
      expect(status).toBe(200);
      return body.list;
    };
    const names = async (fields: object): Promise<string[]> => (await search(fields)).map(({ displayName }) => displayName);
    /** Makes one as that person does with a credential: in a browser it would get an end. */
    const makeOwn = async (owner: TestPerson, fields: object): Promise<void> => {
      expect((await call('POST', '/api/v1/iam/personal_clients', fields, owner)).status).toBe(200);
    };
    const setUsed = (name: string, column: string, days: number): Promise<unknown> =>
      server.test.admin(
        `UPDATE countersign.personal_clients SET ${column} = now() + make_interval(days => $3) WHERE tenant_id = $1 AND display_name = $2`,
        [server.id, name, days],
      );

    beforeAll(async () => {
      person = await server.makePerson('programs@example.com');
      const made = await call('POST', '/api/v1/service_principals', { displayName: 'Nightly export' });
      principalId = made.body.servicePrincipal.id;
      const its = `/api/v1/service_principals/${principalId}/credentials`;
      await makeOwn(person, { displayName: 'case laptop', expires: '7776000s' });
      await makeOwn(person, { displayName: 'case endless', allowSourceCidr: ['127.0.0.0/8'] });
      for (const fields of [
        { displayName: 'case export', expires: '86400s', scopedRoles: ['000000000000000000BasicUser'] },
        { displayName: 'case expired', expires: '60s' },
        { displayName: 'case revoked' },
      ]) {
        expect((await call('POST', its, fields)).status).toBe(200);
      }
      const [revoked] = await search({ query: 'case revoked' });
      expect((await call('DELETE', `${its}/${revoked?.id}`)).status).toBe(200);
      await setUsed('case expired', 'expires_at', -1);
      await setUsed('case endless', 'created_at', -200);
      await setUsed('case laptop', 'created_at', -200);
      await setUsed('case laptop', 'last_used_at', -2);
    });

    it('of people and programs are in one list, with their owners and without secrets', async () => {
      const found = await search({ query: 'case' }, auditor);
      expect(found.map(({ displayName }) => displayName)).toEqual(['case expired', 'case export', 'case endless', 'case laptop']);
      expect(found[1]).toMatchObject({
        kind: 'CREDENTIAL_KIND_SERVICE',
        userId: principalId,
        ownerDisplayName: 'Nightly export',
        scopedRoles: ['000000000000000000BasicUser'],
        clientId: expect.stringMatching(/\/spc$/),
      });
      expect(found[1]).not.toHaveProperty('lastUsedAt');
      expect(found[2]).toMatchObject({
        kind: 'CREDENTIAL_KIND_PERSONAL',
        userId: person.id,
        ownerEmail: person.email,
        ownerStatus: 'ENABLED',
        allowSourceCidr: ['127.0.0.0/8'],
      });
      expect(found[2]).not.toHaveProperty('expiresAt');
      expect(JSON.stringify(found)).not.toMatch(/secret|publicKey/i);
    });

    it.each<[string, object, readonly string[]]>([
      ['of people', { kind: 'CREDENTIAL_KIND_PERSONAL' }, ['case endless', 'case laptop']],
      ['of programs', { kind: 'SERVICE' }, ['case expired', 'case export']],
      ['that live', { state: 'LIVE' }, ['case export', 'case endless', 'case laptop']],
      ['that expired', { state: 'EXPIRED' }, ['case expired']],
      ['that never end', { state: 'WITHOUT_END' }, ['case endless']],
      ['that end soon', { state: 'LIVE', expiresBefore: new Date(Date.now() + 30 * 86_400_000).toISOString() }, ['case export']],
      ['that nobody used', { unusedSince: new Date(Date.now() - 90 * 86_400_000).toISOString() }, ['case endless']],
      ['by words', { query: 'CASE lap' }, ['case laptop']],
      ['by their owner', { query: 'case programs@example' }, ['case endless', 'case laptop']],
      ['by the name of a program', { query: 'nightly' }, ['case expired', 'case export']],
      ['by words that are not there', { query: 'case % nothing' }, []],
    ])('are found %s', async (_name, fields, expected) => {
      expect(await names({ query: 'case', ...fields })).toEqual(expected);
    });

    it('are found by their owners and their ids, in this tenant alone', async () => {
      expect((await names({ users: [{ id: principalId }] })).sort()).toEqual(['case expired', 'case export']);
      const [one] = await search({ query: 'case laptop' });
      expect(await names({ query: one?.id })).toEqual(['case laptop']);
      const there = await call('POST', '/api/v1/search/credentials', { query: one?.id }, other.admin, other);
      expect(there.body.list).toEqual([]);
      expect(await names({ users: [{ id: other.admin.id }] })).toEqual([]);
    });

    it('say that their owner is disabled', async () => {
      const leaver = await server.makePerson('leaver@example.com');
      await makeOwn(leaver, { displayName: 'left behind' });
      const set = (status: string): Promise<unknown> =>
        server.test.admin('UPDATE countersign.users SET status = $3, updated_at = now() WHERE tenant_id = $1 AND id = $2', [
          server.id,
          leaver.id,
          status,
        ]);
      await set('DISABLED');
      expect(await search({ query: 'left behind' })).toMatchObject([{ ownerStatus: 'DISABLED' }]);
      await set('DELETED');
      expect(await search({ query: 'left behind' })).toEqual([]);
    });

    it.each([
      [{ state: 'SOMETIMES' }, ['state']],
      [{ kind: 7.5 }, ['kind']],
      [{ expiresBefore: 'tomorrow' }, ['expiresBefore']],
      [{ users: 'everybody' }, ['users']],
    ])('refuse what is no filter: %j', async (fields, at) => {
      const answer = await call('POST', '/api/v1/search/credentials', fields);
      expect([answer.status, violatedFields(answer)]).toEqual([400, at]);
    });
  });
});
