/** Failed attempts at the token endpoint: counted per address and client, asked to pause beyond a limit, recorded without a flood. */
import { describe, expect, it } from 'vitest';
import { origin, useTokens } from '../../../test/support/token-test.ts';
import { silentLogger, systemActor } from '../../context.ts';
import { createRefusals } from './refusals.ts';

const t = useTokens();
const { assertion, issue, make, move, present } = t;

describe('failed attempts', () => {
  it('are asked to pause after 100 in 5 minutes, for that address and client only', async () => {
    const [mine, other] = [await make(), await make()];
    const wrong = (from = origin) => issue(mine, t.two.ours.tenant, from, other.secret);
    for (let i = 0; i < 100; i++) {
      expect(await wrong()).toMatchObject({ status: 401 });
      move(1);
    }
    expect(await wrong()).toMatchObject({ status: 429, retryAfterSeconds: 200 });
    expect(await wrong({ ...origin, sourceIp: '192.0.2.99' })).toMatchObject({ status: 401 });
    expect(await issue(other, t.two.ours.tenant, origin, mine.secret)).toMatchObject({ status: 401 });
    move(200);
    expect(await wrong()).toMatchObject({ status: 401 });
  });

  it('never lock out who has the key, with either proof, from the same address', async () => {
    const [mine, other] = [await make(), await make()];
    for (let i = 0; i < 150; i++) {
      await issue(mine, t.two.ours.tenant, origin, other.secret);
    }
    expect(await issue(mine)).toHaveProperty('accessToken');
    expect(await present(mine, assertion(mine))).toHaveProperty('accessToken');
    expect(await present(mine, assertion(mine, { aud: 'elsewhere.example' }))).toMatchObject({ status: 429 });
    expect(await issue(mine, t.two.ours.tenant, origin, other.secret)).toMatchObject({ status: 429 });
  });

  it('do not count when they succeed', async () => {
    const mine = await make();
    for (let i = 0; i < 120; i++) {
      expect(await issue(mine)).toHaveProperty('accessToken');
    }
  });

  const eventsOf = (requestId: string) =>
    t.two.admin(
      `SELECT source_ip, credential_id, target_id, data FROM events WHERE kind = 'credential.token_refused' AND request_id = $1`,
      [requestId],
    );
  const sumOf = (events: readonly Record<string, unknown>[]) =>
    events.reduce((sum, { data }) => sum + (data as { count: number }).count, 0);

  it('become events of their tenant, with the number of those that are alike', async () => {
    const mine = await make();
    const from = { sourceIp: '192.0.2.50', requestId: 'wrong' };
    for (let i = 0; i < 7; i++) {
      await issue(mine, t.two.ours.tenant, from, 'wrong');
    }
    await t.tokens.close();
    const events = await eventsOf('wrong');
    expect(events).toContainEqual({
      source_ip: '192.0.2.50',
      credential_id: mine.row.id,
      target_id: mine.row.id,
      data: { clientId: mine.row.clientId, reason: 'the secret is wrong', count: expect.any(Number) },
    });
    expect(sumOf(events)).toBe(7);
    expect(await t.two.admin(`SELECT 1 FROM events WHERE request_id = 'wrong' AND tenant_id = $1`, [t.two.theirs.tenant.id])).toEqual([]);
  });

  it('become a few events with counts where they are a flood', async () => {
    const refusals = createRefusals({
      now: () => t.clock,
      log: silentLogger,
      anonymousContext: (of) => ({ ...t.at(t.two.ours.system), actor: { ...systemActor(of.requestId), ...of, kind: 'anonymous' } }),
    });
    // In one turn of the event loop: nothing is written in between, however busy the machine is.
    for (let i = 0; i < 307; i++) {
      const clientId = i < 7 ? 'often' : `guess-${i}`;
      refusals.note({
        tenantId: t.two.ours.tenant.id,
        sourceIp: '192.0.2.51',
        clientId,
        credentialId: '',
        reason: 'wrong',
        requestId: 'flood',
      });
    }
    await refusals.close();
    const events = await eventsOf('flood');
    expect(events).toHaveLength(20);
    expect(events).toContainEqual(expect.objectContaining({ data: { clientId: 'often', reason: 'wrong', count: 7 } }));
    const others = await t.two.admin(`SELECT data FROM events WHERE data->>'reason' = 'many different attempts'`);
    expect(others).toHaveLength(1);
    expect(sumOf([...events, ...others])).toBe(307);
  });
});
