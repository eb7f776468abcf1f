/** The secret flow on a real database with two tenants: what it gives, whom it refuses, from where. */
import { describe, expect, it } from 'vitest';
import { origin, secretLabel, useTokens } from '../../../../test/support/token-test.ts';
import { until } from '../../../../test/support/until.ts';
import { allowIssuedCredentials } from '../../tenants/manage-tenants.ts';
import { type CreatedCredential, issueCredential } from '../clients/create-credential.ts';
import type { IssuedToken } from './issue-token.ts';
import { revokeCredential } from '../clients/manage-credentials.ts';

const t = useTokens();
const { at, check, issue, make, move } = t;

describe('the secret flow', () => {
  it('gives a token for an hour that stands for the person', async () => {
    const mine = await make();
    const result = (await issue(mine)) as IssuedToken;
    expect(result.expiresInSeconds).toBe(3600);
    expect(await check(result.accessToken)).toEqual({
      kind: 'credential',
      userId: t.two.ours.basicId,
      credentialId: mine.row.id,
      issuerId: '',
      roles: new Set(['BASIC_USER']),
      sourceIp: origin.sourceIp,
      requestId: 'r1',
    });
  });

  it('gives no token that outlives the credential', async () => {
    const mine = await make(t.two.ours.basic, { expiresInSeconds: 2_592_000 });
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
    await revokeCredential(at(t.two.ours.basic), revoked.row.id);
    const theirs = await make(t.two.theirs.basic);
    const unknown = { ...mine, row: { ...mine.row, clientId: 'no-body-11111111@ours.example/pcc' } };
    const answers = await Promise.all([
      issue(mine, t.two.ours.tenant, origin, other.secret),
      issue(mine, t.two.ours.tenant, origin, 'nonsense'),
      issue(unknown),
      issue(revoked),
      issue(theirs),
      issue(mine, t.two.theirs.tenant),
      issue({ ...mine, row: { ...mine.row, clientId: 'x'.repeat(5000) } }),
    ]);
    for (const answer of answers) {
      expect(answer).toEqual(answers[0]);
    }
    expect(answers[0]).toEqual({ status: 401, error: 'invalid_client', description: 'The client is unknown, or its proof is not valid.' });
  });

  it('refuses the owner who is disabled, and the credential made by others where that is off', async () => {
    const mine = await make();
    const issued = await issueCredential(at(t.two.ours.admin), { displayName: 'i', userId: t.two.ours.basicId, secretLabel });
    expect(await issue(issued)).toHaveProperty('accessToken');
    await allowIssuedCredentials(t.two.database, t.two.ours.tenant.id, false);
    await t.two.admin(`UPDATE users SET status = 'DISABLED' WHERE id = $1`, [t.two.ours.basicId]);
    move(4);
    expect(await issue(mine)).toMatchObject({ status: 401 });
    await t.two.admin(`UPDATE users SET status = 'ENABLED' WHERE id = $1`, [t.two.ours.basicId]);
    move(4);
    // Coming back gives nothing back.
    expect(await issue(mine)).toMatchObject({ status: 401 });
    await t.two.admin('DELETE FROM suspensions WHERE user_id = $1', [t.two.ours.basicId]);
    move(4);
    expect(await issue(mine)).toHaveProperty('accessToken');
    expect(await issue(issued)).toMatchObject({ status: 401 });
    await allowIssuedCredentials(t.two.database, t.two.ours.tenant.id, true);
  });

  it('takes about as long for an unknown client as for a wrong secret', async () => {
    const mine = await make();
    const other = await make();
    const unknown = { ...mine, row: { ...mine.row, clientId: 'no-body-22222222@ours.example/pcc' } };
    const time = async (of: CreatedCredential, i: number): Promise<number> => {
      const begin = performance.now();
      await issue(of, t.two.ours.tenant, { ...origin, sourceIp: `192.0.2.${i}` }, other.secret);
      return performance.now() - begin;
    };
    // The fastest ones: what else the machine does makes an attempt slower, and none faster.
    const fastest = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[4] ?? 0;
    // In turns, so that both meet the same machine; a difference that is ours is there in every round.
    await until(async () => {
      const [ofWrong, ofNone]: [number[], number[]] = [[], []];
      for (let i = 0; i < 40; i++) {
        ofNone.push(await time(unknown, i));
        ofWrong.push(await time(mine, i));
      }
      const [wrong, none] = [fastest(ofWrong), fastest(ofNone)];
      expect(Math.max(wrong, none)).toBeLessThan(4 * Math.min(wrong, none) + 0.5);
    });
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
    const mine = await make(t.two.ours.basic, { allowSourceCidr });
    const inside = allowSourceCidr[0] === '10.0.0.0/8' ? '10.0.0.1' : '2001:db8::1';
    const result = await issue(mine, t.two.ours.tenant, { ...origin, sourceIp });
    expect('accessToken' in result).toBe(allowed);
    const good = (await issue(mine, t.two.ours.tenant, { ...origin, sourceIp: inside })) as IssuedToken;
    const actor = await check(good.accessToken, t.tokens, t.two.ours.tenant, { ...origin, sourceIp });
    expect(actor === 'address').toBe(!allowed);
  });
});
