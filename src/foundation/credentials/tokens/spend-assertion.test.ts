/** The assertion flow on a real database: each assertion counts once, in every process, and only with the right key. */
import { describe, expect, it } from 'vitest';
import { assertionClaims, keyOfSecret, signJwt } from '../../../../test/support/assertions.ts';
import { origin, useTokens } from '../../../../test/support/token-test.ts';

const t = useTokens();
const { assertion, make, move, openTokens, present } = t;

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
    expect(await present(mine, assertion(mine, { jti: 'same', exp: t.clock / 1000 + 100 }))).toMatchObject({ status: 401 });
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
    const results = await Promise.all(Array.from({ length: 20 }, (_, i) => present(mine, text, i % 2 === 0 ? t.tokens : elsewhere)));
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
    const mine = await make(t.two.ours.basic, { allowSourceCidr: ['10.0.0.0/8'] });
    const text = assertion(mine);
    expect(await present(mine, text)).toMatchObject({ status: 401 });
    expect(await present(mine, text, t.tokens, { ...origin, sourceIp: '10.0.0.1' })).toHaveProperty('accessToken');
  });

  it('knows only the key of that client', async () => {
    const [a, b] = [await make(), await make()];
    const forged = signJwt(keyOfSecret(b.secret), assertionClaims(a.row.clientId, 'ours.example', new Date(t.clock)));
    expect(await present(a, forged)).toMatchObject({ status: 401, description: 'The client is unknown, or its proof is not valid.' });
    expect(await present(a, assertion(b))).toMatchObject({ status: 401 });
  });

  it('tells who holds the key what is wrong', async () => {
    const mine = await make();
    expect(await present(mine, assertion(mine, { exp: t.clock / 1000 + 400 }))).toMatchObject({
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
      const rows = await t.two.admin('SELECT count(*)::int AS count FROM assertion_uses WHERE expires_at < $1', [
        new Date(t.clock - 1_200_000),
      ]);
      return rows[0]?.count;
    };
    await expect.poll(forgotten, { timeout: 60_000 }).toBe(0);
  });
});
