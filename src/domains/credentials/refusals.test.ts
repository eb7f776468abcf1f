/** Failed attempts at the token endpoint: counted per address and client, refused beyond a limit, recorded without a flood. */
import { describe, expect, it } from 'vitest';
import { origin, useTokens } from '../../../test/support/token-test.ts';

const t = useTokens();
const { issue, make, move } = t;

describe('failed attempts', () => {
  it('are refused unseen after 100 in 5 minutes, for that address and client only', async () => {
    const [mine, other] = [await make(), await make()];
    for (let i = 0; i < 100; i++) {
      expect(await issue(mine, t.two.ours.tenant, origin, other.secret)).toMatchObject({ status: 401 });
      move(1);
    }
    expect(await issue(mine)).toMatchObject({ status: 429, retryAfterSeconds: 200 });
    expect(await issue(other)).toHaveProperty('accessToken');
    expect(await issue(mine, t.two.ours.tenant, { ...origin, sourceIp: '192.0.2.99' })).toHaveProperty('accessToken');
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
      t.two.admin(
        `SELECT source_ip, credential_id, target_id, data FROM events WHERE kind = 'credential.token_refused' AND request_id = 'flood' ORDER BY id`,
      );
    const others = () => t.two.admin(`SELECT data FROM events WHERE data->>'reason' = 'many different attempts' ORDER BY id`);
    const { length: othersBefore } = await others();
    const from = { sourceIp: '192.0.2.50', requestId: 'flood' };
    for (let i = 0; i < 7; i++) {
      await issue(mine, t.two.ours.tenant, from, 'wrong');
    }
    for (let i = 0; i < 300; i++) {
      await t.tokens.issue(t.two.ours.tenant, { clientId: `guess-${i}`, proof: 'secret', secret: 'x' }, from);
    }
    await t.tokens.close();
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
    expect(await t.two.admin(`SELECT 1 FROM events WHERE request_id = 'flood' AND tenant_id = $1`, [t.two.theirs.tenant.id])).toEqual([]);
  });
});
