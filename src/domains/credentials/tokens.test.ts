/**
 * Tokens on a real database with two tenants and a clock that is moved: both flows, every refusal that needs the database, and how soon
 * a change acts, also in another process.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assertionClaims, keyOfSecret, signJwt } from '../../../test/support/assertions.ts';
import { frozenNow, openTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { type Scope, silentLogger } from '../../scope.ts';
import { ROLES, setRoles } from '../directory/index.ts';
import { allowIssuedCredentials, type Tenant } from '../tenants/index.ts';
import { createCredential, type CreatedCredential, issueCredential, type NewCredential } from './create-credential.ts';
import type { IssuedToken } from './issue-token.ts';
import { changeCredential, revokeCredential } from './manage-credentials.ts';
import { rotateAfterMs } from './signing-keys.ts';
import { createTokens, type Tokens } from './tokens.ts';

let two: TwoTenants;
let clock = frozenNow.getTime();
let tokens: Tokens;
const secretLabel = 'conductorone.com';
const origin = { sourceIp: '192.0.2.1', requestId: 'r1' };
const move = (seconds: number) => {
  clock += seconds * 1000;
};
const openTokens = (more: object = {}) =>
  createTokens({ database: two.database, log: silentLogger, scheme: 'https', now: () => new Date(clock), ...more });
const at = (scope: Scope): Scope => ({ ...scope, now: new Date(clock) });
const make = (scope = two.ours.basic, input: Partial<NewCredential> = {}) =>
  createCredential(at(scope), { displayName: 'k', ...input, userId: scope.actor.userId, secretLabel });

function issue(of: CreatedCredential, tenant: Tenant = two.ours.tenant, from = origin, secret = of.secret) {
  return tokens.issue(tenant, { clientId: of.row.clientId, proof: 'secret', secret }, from);
}

async function tokenOf(of: CreatedCredential): Promise<string> {
  const result = await issue(of);
  if ('error' in result) {
    throw new Error(result.description);
  }
  return result.accessToken;
}

function assertion(of: CreatedCredential, more: object = {}): string {
  return signJwt(keyOfSecret(of.secret), { ...assertionClaims(of.row.clientId, 'ours.example', new Date(clock)), ...more });
}

const present = (of: CreatedCredential, text: string, with_ = tokens, from = origin) =>
  with_.issue(two.ours.tenant, { clientId: of.row.clientId, proof: 'assertion', assertion: text }, from);
const check = (token: string, with_ = tokens, tenant = two.ours.tenant, from = origin) => with_.check(tenant, token, from);

beforeAll(async () => {
  two = await openTwoTenants();
});
beforeEach(() => {
  tokens = openTokens();
});
afterEach(() => tokens.close());
afterAll(() => two.close());

describe('the secret flow', () => {
  it('gives a token for an hour that stands for the person', async () => {
    const mine = await make();
    const result = (await issue(mine)) as IssuedToken;
    expect(result.expiresInSeconds).toBe(3600);
    expect(await check(result.accessToken)).toEqual({
      kind: 'user',
      userId: two.ours.basicId,
      credentialId: mine.row.id,
      issuerId: '',
      roles: new Set(['BASIC_USER']),
      sourceIp: origin.sourceIp,
      requestId: 'r1',
    });
  });

  it('gives no token that outlives the credential', async () => {
    const mine = await make(two.ours.basic, { expiresInSeconds: 2_592_000 });
    move(2_592_000 - 90);
    expect(await issue(mine)).toMatchObject({ expiresInSeconds: 90 });
    move(89.5);
    expect(await issue(mine)).toMatchObject({ status: 401, error: 'invalid_client', description: expect.stringMatching(/expired/) });
    move(10);
    expect(await issue(mine)).toMatchObject({ status: 401, error: 'invalid_client' });
  });

  it("says the same to a wrong secret, an unknown, a revoked and another tenant's client", async () => {
    const mine = await make();
    const other = await make();
    const revoked = await make();
    await revokeCredential(at(two.ours.basic), revoked.row.id);
    const theirs = await make(two.theirs.basic);
    const unknown = { ...mine, row: { ...mine.row, clientId: 'no-body-11111111@ours.example/pcc' } };
    const answers = await Promise.all([
      issue(mine, two.ours.tenant, origin, other.secret),
      issue(mine, two.ours.tenant, origin, 'nonsense'),
      issue(unknown),
      issue(revoked),
      issue(theirs),
      issue(mine, two.theirs.tenant),
      issue({ ...mine, row: { ...mine.row, clientId: 'x'.repeat(5000) } }),
    ]);
    for (const answer of answers) {
      expect(answer).toEqual(answers[0]);
    }
    expect(answers[0]).toEqual({ status: 401, error: 'invalid_client', description: 'The client is unknown, or its proof is not good.' });
  });

  it('refuses the owner who is disabled, and the credential made by others where that is off', async () => {
    const mine = await make();
    const issued = await issueCredential(at(two.ours.admin), { displayName: 'i', userId: two.ours.basicId, secretLabel });
    expect(await issue(issued)).toHaveProperty('accessToken');
    await allowIssuedCredentials(two.database, two.ours.tenant.id, false);
    await two.admin(`UPDATE users SET status = 'DISABLED' WHERE id = $1`, [two.ours.basicId]);
    move(4);
    expect(await issue(mine)).toMatchObject({ status: 401 });
    await two.admin(`UPDATE users SET status = 'ENABLED' WHERE id = $1`, [two.ours.basicId]);
    move(4);
    expect(await issue(mine)).toHaveProperty('accessToken');
    expect(await issue(issued)).toMatchObject({ status: 401 });
    await allowIssuedCredentials(two.database, two.ours.tenant.id, true);
  });

  it('takes about as long for an unknown client as for a wrong secret', async () => {
    const mine = await make();
    const other = await make();
    const unknown = { ...mine, row: { ...mine.row, clientId: 'no-body-22222222@ours.example/pcc' } };
    const median = async (of: CreatedCredential) => {
      const times: number[] = [];
      for (let i = 0; i < 40; i++) {
        const begin = performance.now();
        await issue(of, two.ours.tenant, { ...origin, sourceIp: `192.0.2.${i}` }, other.secret);
        times.push(performance.now() - begin);
      }
      return times.sort((a, b) => a - b)[20] ?? 0;
    };
    await median(unknown);
    const [wrong, none] = [await median(mine), await median(unknown)];
    expect(Math.max(wrong, none)).toBeLessThan(4 * Math.min(wrong, none) + 0.5);
  });
});

describe('the assertion flow', () => {
  it('gives a token, once for each jti, also in other processes and after a restart', async () => {
    const mine = await make();
    const text = assertion(mine);
    expect(await present(mine, text)).toHaveProperty('accessToken');
    const again = { status: 401, error: 'invalid_client', description: 'The assertion was used before.' };
    expect(await present(mine, text)).toEqual(again);
    const elsewhere = openTokens();
    expect(await present(mine, text, elsewhere)).toEqual(again);
    await elsewhere.close();
  });

  it('counts the jti, not the text around it', async () => {
    const mine = await make();
    expect(await present(mine, assertion(mine, { jti: 'same' }))).toHaveProperty('accessToken');
    expect(await present(mine, assertion(mine, { jti: 'same', exp: clock / 1000 + 100 }))).toMatchObject({ status: 401 });
  });

  it('lets two clients use the same jti', async () => {
    const [a, b] = [await make(), await make()];
    expect(await present(a, assertion(a, { jti: 'shared' }))).toHaveProperty('accessToken');
    expect(await present(b, assertion(b, { jti: 'shared' }))).toHaveProperty('accessToken');
  });

  it('gives one token to many who use the same assertion at once', async () => {
    const mine = await make();
    const text = assertion(mine);
    const elsewhere = openTokens();
    const results = await Promise.all(Array.from({ length: 20 }, (_, i) => present(mine, text, i % 2 === 0 ? tokens : elsewhere)));
    expect(results.filter((result) => 'accessToken' in result)).toHaveLength(1);
    await elsewhere.close();
  });

  it('gives tokens to many different assertions at once', async () => {
    const mine = await make();
    const results = await Promise.all(Array.from({ length: 100 }, () => present(mine, assertion(mine))));
    expect(results.filter((result) => 'accessToken' in result)).toHaveLength(100);
  });

  it('may be used again until its end without a jti', async () => {
    const mine = await make();
    const text = assertion(mine, { jti: undefined });
    expect(await present(mine, text)).toHaveProperty('accessToken');
    expect(await present(mine, text)).toHaveProperty('accessToken');
    move(181);
    expect(await present(mine, text)).toMatchObject({ status: 401 });
  });

  it('does not use an assertion up that it refuses', async () => {
    const mine = await make(two.ours.basic, { allowSourceCidr: ['10.0.0.0/8'] });
    const text = assertion(mine);
    expect(await present(mine, text)).toMatchObject({ status: 401 });
    expect(await present(mine, text, tokens, { ...origin, sourceIp: '10.0.0.1' })).toHaveProperty('accessToken');
  });

  it('knows only the key of that client', async () => {
    const [a, b] = [await make(), await make()];
    const forged = signJwt(keyOfSecret(b.secret), assertionClaims(a.row.clientId, 'ours.example', new Date(clock)));
    expect(await present(a, forged)).toMatchObject({ status: 401, description: 'The client is unknown, or its proof is not good.' });
    expect(await present(a, assertion(b))).toMatchObject({ status: 401 });
  });

  it('tells who holds the key what is wrong', async () => {
    const mine = await make();
    expect(await present(mine, assertion(mine, { exp: clock / 1000 + 400 }))).toMatchObject({
      description: expect.stringMatching(/five minutes/),
    });
    expect(await present(mine, assertion(mine, { aud: 'theirs.example' }))).toMatchObject({
      description: expect.stringMatching(/audience/),
    });
  });

  it('forgets assertions long after their end', async () => {
    const mine = await make();
    await present(mine, assertion(mine));
    move(3600);
    const forgotten = async () => {
      move(60);
      await present(mine, assertion(mine));
      const rows = await two.admin('SELECT count(*)::int AS count FROM assertion_uses WHERE expires_at < $1', [
        new Date(clock - 1_200_000),
      ]);
      return rows[0]?.count;
    };
    await expect.poll(forgotten, { timeout: 5_000 }).toBe(0);
  });
});

describe('source addresses', () => {
  it.each([
    [['10.0.0.0/8'], '10.1.2.3', true],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
    [['10.0.0.0/8'], '192.0.2.1', false],
    [['2001:db8::/32'], '2001:db8::5', true],
    [['2001:db8::/32'], '2001:db9::5', false],
    [['2001:db8::/32'], '10.1.2.3', false],
  ])('%j and %s: %s, at the token endpoint and later', async (allowSourceCidr, sourceIp, allowed) => {
    const mine = await make(two.ours.basic, { allowSourceCidr });
    const inside = allowSourceCidr[0] === '10.0.0.0/8' ? '10.0.0.1' : '2001:db8::1';
    const result = await issue(mine, two.ours.tenant, { ...origin, sourceIp });
    expect('accessToken' in result).toBe(allowed);
    const good = (await issue(mine, two.ours.tenant, { ...origin, sourceIp: inside })) as IssuedToken;
    const actor = await check(good.accessToken, tokens, two.ours.tenant, { ...origin, sourceIp });
    expect(actor === 'address').toBe(!allowed);
  });
});

describe('access tokens', () => {
  it('end on the second, without leeway', async () => {
    const token = await tokenOf(await make());
    move(3599);
    expect(await check(token)).toMatchObject({ kind: 'user' });
    move(1);
    expect(await check(token)).toBe('expired');
    expect(await check(token)).toBe('expired');
  });

  it('are no good in another tenant, also once they were good in theirs', async () => {
    const token = await tokenOf(await make());
    expect(await check(token, tokens, two.theirs.tenant)).toBe('invalid');
    expect(await check(token)).toMatchObject({ kind: 'user' });
    expect(await check(token, tokens, two.theirs.tenant)).toBe('invalid');
  });

  it('are no good when anything was changed', async () => {
    const token = await tokenOf(await make());
    const [head, body, signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(body ?? '', 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: two.ours.adminId })).toString('base64url');
    expect(await check(`${head}.${forged}.${signature}`)).toBe('invalid');
    expect(await check('nonsense')).toBe('invalid');
    expect(await check('')).toBe('invalid');
  });

  it.each([
    ['revoked', (of: CreatedCredential) => revokeCredential(at(two.ours.basic), of.row.id), undefined],
    [
      'its owner disabled',
      () => two.admin(`UPDATE users SET status = 'DISABLED' WHERE id = $1`, [two.ours.basicId]),
      `UPDATE users SET status = 'ENABLED'`,
    ],
    [
      'its owner deleted',
      () => two.admin(`UPDATE users SET status = 'DELETED' WHERE id = $1`, [two.ours.basicId]),
      `UPDATE users SET status = 'ENABLED'`,
    ],
    [
      'its tenant deleted',
      () => two.admin(`UPDATE tenants SET deleted_at = now() WHERE tenant_id = $1`, [two.ours.tenant.id]),
      'UPDATE tenants SET deleted_at = NULL',
    ],
  ])('stop within 5 s in every process when the credential is %s', async (_what, change, undo) => {
    const mine = await make();
    const token = await tokenOf(mine);
    const elsewhere = openTokens();
    expect(await check(token, elsewhere)).toMatchObject({ kind: 'user' });
    await change(mine);
    move(4);
    expect(await check(token)).toBe('revoked');
    expect(await check(token, elsewhere)).toBe('revoked');
    if (undo !== undefined) {
      await two.admin(undo);
    }
    await elsewhere.close();
  });

  it('follow the roles of their owner, narrowed by the credential', async () => {
    const roles = async (token: string) => {
      const actor = await check(token);
      return typeof actor === 'string' ? actor : [...actor.roles].sort();
    };
    await setRoles(at(two.ours.admin), two.ours.basicId, [ROLES.CAMPAIGN_ADMINISTRATOR.id, ROLES.READ_ONLY_ADMINISTRATOR.id]);
    const owner: Scope = {
      ...two.ours.basic,
      actor: { ...two.ours.basic.actor, roles: new Set(['BASIC_USER', 'CAMPAIGN_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR']) },
    };
    const all = await tokenOf(await make(owner));
    const narrow = await make(owner, { scopedRoles: [ROLES.CAMPAIGN_ADMINISTRATOR.id] });
    const narrowToken = await tokenOf(narrow);
    const basic = await tokenOf(await make(owner, { scopedRoles: [ROLES.BASIC_USER.id] }));
    expect(await roles(all)).toEqual(['BASIC_USER', 'CAMPAIGN_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR']);
    expect(await roles(narrowToken)).toEqual(['CAMPAIGN_ADMINISTRATOR']);
    expect(await roles(basic)).toEqual(['BASIC_USER']);
    await setRoles(at(two.ours.admin), two.ours.basicId, []);
    move(4);
    expect(await roles(all)).toEqual(['BASIC_USER']);
    // Narrowed to what is gone is nothing, never everything.
    expect(await roles(narrowToken)).toEqual([]);
  });

  it('name the issuer and hold Basic User only when somebody else made the credential', async () => {
    await setRoles(at(two.ours.admin), two.ours.basicId, [ROLES.READ_ONLY_ADMINISTRATOR.id]);
    const issued = await issueCredential(at(two.ours.admin), { displayName: 'i', userId: two.ours.basicId, secretLabel });
    expect(await check(await tokenOf(issued))).toMatchObject({
      userId: two.ours.basicId,
      issuerId: two.ours.adminId,
      roles: new Set(['BASIC_USER']),
    });
    await setRoles(at(two.ours.admin), two.ours.basicId, []);
  });

  it('follow changes of the addresses', async () => {
    const mine = await make();
    const token = await tokenOf(mine);
    await changeCredential(at(two.ours.basic), mine.row.id, { allowSourceCidr: ['10.0.0.0/8'] }, undefined);
    move(4);
    expect(await check(token)).toBe('address');
    expect(await check(token, tokens, two.ours.tenant, { ...origin, sourceIp: '10.9.9.9' })).toMatchObject({ kind: 'user' });
  });

  it('live no longer than the session settings say, those that are out already too', async () => {
    const mine = await make();
    const token = await tokenOf(mine);
    await two.admin(`INSERT INTO session_settings (tenant_id, document, updated_at) VALUES ($1, '{"maxSessionLength": "600s"}', now())`, [
      two.ours.tenant.id,
    ]);
    try {
      move(5);
      expect(await check(token)).toMatchObject({ kind: 'user' });
      move(594);
      expect(await check(token)).toMatchObject({ kind: 'user' });
      move(1);
      expect(await check(token)).toBe('expired');
      expect((await issue(mine)) as IssuedToken).toMatchObject({ expiresInSeconds: 600 });
    } finally {
      await two.admin('DELETE FROM session_settings');
    }
  });

  it('are checked without a query', async () => {
    const token = await tokenOf(await make());
    await check(token);
    const before = two.database.stats();
    const [count] = await two.admin(`SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()`);
    for (let i = 0; i < 1000; i++) {
      await check(token);
    }
    expect(two.database.stats().waiting).toBe(before.waiting);
    const [after] = await two.admin(`SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()`);
    expect(Number(after?.xact_commit) - Number(count?.xact_commit)).toBeLessThan(50);
  });
});

describe('signing keys', () => {
  const events = () =>
    two.admin(`SELECT actor_kind FROM events WHERE kind = 'signing_key.created' AND tenant_id = $1 ORDER BY id`, [two.ours.tenant.id]);

  it('are published without their private halves, rotate, and prove what they signed', async () => {
    await two.admin('DELETE FROM signing_keys WHERE tenant_id = $1', [two.ours.tenant.id]);
    const { length: eventsBefore } = await events();
    const mine = await make();
    const token = await tokenOf(mine);
    const before = await tokens.findJwks(two.ours.tenant);
    expect(before.keys).toHaveLength(1);
    expect(before.keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: expect.any(String) });
    expect(JSON.stringify(before)).not.toContain('"d"');
    expect(await tokens.findJwks(two.theirs.tenant)).not.toEqual(before);
    expect(await check(token)).toMatchObject({ kind: 'user' });

    move(rotateAfterMs / 1000 - 1800);
    const late = await tokenOf(mine);
    move(1801);
    const fresh = await tokenOf(mine);
    const kid = (text: string) => (JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
    expect(kid(fresh)).not.toBe(kid(late));
    expect((await tokens.findJwks(two.ours.tenant)).keys.map((key) => key.kid)).toEqual([kid(fresh), kid(late)]);
    expect(await check(late)).toMatchObject({ kind: 'user' });
    move(3700);
    await check(fresh);
    expect((await tokens.findJwks(two.ours.tenant)).keys.map((key) => key.kid)).toEqual([kid(fresh)]);
    expect((await events()).slice(eventsBefore)).toEqual([{ actor_kind: 'system' }, { actor_kind: 'system' }]);
  });

  it('made in one process are known in the other at once', async () => {
    const mine = await make();
    const elsewhere = openTokens();
    await elsewhere.findJwks(two.ours.tenant);
    await two.admin(`UPDATE signing_keys SET created_at = created_at - interval '40 days' WHERE tenant_id = $1`, [two.ours.tenant.id]);
    await tokens.close();
    tokens = openTokens();
    const token = await tokenOf(mine);
    move(1);
    expect(await check(token, elsewhere)).toMatchObject({ kind: 'user' });
    await elsewhere.close();
  });

  it('are one when two processes need the first at once', async () => {
    await two.admin('DELETE FROM signing_keys WHERE tenant_id = $1', [two.theirs.tenant.id]);
    const [a, b] = [openTokens(), openTokens()];
    const [one, other] = await Promise.all([a.findJwks(two.theirs.tenant), b.findJwks(two.theirs.tenant)]);
    expect(one).toEqual(other);
    await Promise.all([a.close(), b.close()]);
  });

  it('that were taken away take their tokens with them', async () => {
    const token = await tokenOf(await make());
    expect(await check(token)).toMatchObject({ kind: 'user' });
    await two.admin('DELETE FROM signing_keys WHERE tenant_id = $1', [two.ours.tenant.id]);
    move(4);
    expect(await check(token)).toBe('invalid');
  });
});

describe('failed attempts', () => {
  it('are refused unseen after 100 in 5 minutes, for that address and client only', async () => {
    const [mine, other] = [await make(), await make()];
    for (let i = 0; i < 100; i++) {
      expect(await issue(mine, two.ours.tenant, origin, other.secret)).toMatchObject({ status: 401 });
      move(1);
    }
    expect(await issue(mine)).toMatchObject({ status: 429, retryAfterSeconds: 200 });
    expect(await issue(other)).toHaveProperty('accessToken');
    expect(await issue(mine, two.ours.tenant, { ...origin, sourceIp: '192.0.2.99' })).toHaveProperty('accessToken');
    move(200);
    expect(await issue(mine)).toHaveProperty('accessToken');
  });

  it('do not count when they succeed', async () => {
    const mine = await make();
    for (let i = 0; i < 120; i++) {
      expect(await issue(mine)).toHaveProperty('accessToken');
    }
  });

  it('become events, a flood of them a few with counts', async () => {
    const mine = await make();
    const kinds = () =>
      two.admin(
        `SELECT source_ip, credential_id, target_id, data FROM events WHERE kind = 'credential.token_refused' AND request_id = 'flood' ORDER BY id`,
      );
    const others = () => two.admin(`SELECT data FROM events WHERE data->>'reason' = 'many different attempts' ORDER BY id`);
    const { length: othersBefore } = await others();
    const from = { sourceIp: '192.0.2.50', requestId: 'flood' };
    for (let i = 0; i < 7; i++) {
      await issue(mine, two.ours.tenant, from, 'wrong');
    }
    for (let i = 0; i < 300; i++) {
      await tokens.issue(two.ours.tenant, { clientId: `guess-${i}`, proof: 'secret', secret: 'x' }, from);
    }
    await tokens.close();
    const events = await kinds();
    // 20 at a time, and it takes one or two times.
    expect(events.length).toBeLessThanOrEqual(40);
    expect(events).toContainEqual({
      source_ip: '192.0.2.50',
      credential_id: mine.row.id,
      target_id: mine.row.id,
      data: { clientId: mine.row.clientId, reason: 'the secret is wrong', count: expect.any(Number) },
    });
    const rest = (await others()).slice(othersBefore);
    const countOf = (event: Record<string, unknown>) => (event.data as { count: number }).count;
    expect([...events, ...rest].reduce((sum, event) => sum + countOf(event), 0)).toBe(307);
    expect(await two.admin(`SELECT 1 FROM events WHERE request_id = 'flood' AND tenant_id = $1`, [two.theirs.tenant.id])).toEqual([]);
  });
});

describe('times of last use', () => {
  it('are written soon, and then at most once a minute', async () => {
    const mine = await make();
    const used = async () => (await two.admin('SELECT last_used_at FROM personal_clients WHERE id = $1', [mine.row.id]))[0]?.last_used_at;
    const first = new Date(clock);
    const token = await tokenOf(mine);
    await expect.poll(used).toEqual(first);
    move(30);
    await check(token);
    move(31);
    const second = new Date(clock);
    await check(token);
    await expect.poll(used).toEqual(second);
  });
});
