/** The keys that sign access tokens: they rotate, are one for all processes, and take their tokens with them. */
import { describe, expect, it } from 'vitest';
import { useTokens } from '../../../../test/support/token-test.ts';
import { rotateAfterMs } from './signing-keys.ts';

const t = useTokens();
const { check, make, move, openTokens, tokenOf } = t;

describe('signing keys', () => {
  const events = () =>
    t.two.admin(`SELECT actor_kind FROM events WHERE kind = 'signing_key.created' AND tenant_id = $1 ORDER BY id`, [t.two.ours.tenant.id]);

  it('are published without their private halves, rotate, and prove what they signed', async () => {
    await t.two.admin('DELETE FROM signing_keys WHERE tenant_id = $1', [t.two.ours.tenant.id]);
    const { length: eventsBefore } = await events();
    const mine = await make();
    const token = await tokenOf(mine);
    const before = await t.tokens.findJwks(t.two.ours.tenant);
    expect(before.keys).toHaveLength(1);
    expect(before.keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: expect.any(String) });
    expect(JSON.stringify(before)).not.toContain('"d"');
    expect(await t.tokens.findJwks(t.two.theirs.tenant)).not.toEqual(before);
    expect(await check(token)).toMatchObject({ kind: 'credential' });

    move(rotateAfterMs / 1000 - 1800);
    const late = await tokenOf(mine);
    move(1801);
    const fresh = await tokenOf(mine);
    const kid = (text: string) => (JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
    expect(kid(fresh)).not.toBe(kid(late));
    expect((await t.tokens.findJwks(t.two.ours.tenant)).keys.map((key) => key.kid)).toEqual([kid(fresh), kid(late)]);
    expect(await check(late)).toMatchObject({ kind: 'credential' });
    move(3700);
    await check(fresh);
    expect((await t.tokens.findJwks(t.two.ours.tenant)).keys.map((key) => key.kid)).toEqual([kid(fresh)]);
    expect((await events()).slice(eventsBefore)).toEqual([{ actor_kind: 'system' }, { actor_kind: 'system' }]);
  });

  it('made in one process are known in the other at once', async () => {
    const mine = await make();
    const elsewhere = openTokens();
    await elsewhere.findJwks(t.two.ours.tenant);
    await t.two.admin(`UPDATE signing_keys SET created_at = created_at - interval '40 days' WHERE tenant_id = $1`, [t.two.ours.tenant.id]);
    await t.tokens.close();
    t.tokens = openTokens();
    const token = await tokenOf(mine);
    move(1);
    expect(await check(token, elsewhere)).toMatchObject({ kind: 'credential' });
    await elsewhere.close();
  });

  it('are one when two processes need the first at once', async () => {
    await t.two.admin('DELETE FROM signing_keys WHERE tenant_id = $1', [t.two.theirs.tenant.id]);
    const [a, b] = [openTokens(), openTokens()];
    const [one, other] = await Promise.all([a.findJwks(t.two.theirs.tenant), b.findJwks(t.two.theirs.tenant)]);
    expect(one).toEqual(other);
    await Promise.all([a.close(), b.close()]);
  });

  it('that were taken away take their tokens with them', async () => {
    const token = await tokenOf(await make());
    expect(await check(token)).toMatchObject({ kind: 'credential' });
    await t.two.admin('DELETE FROM signing_keys WHERE tenant_id = $1', [t.two.ours.tenant.id]);
    move(4);
    expect(await check(token)).toBe('invalid');
  });
});
