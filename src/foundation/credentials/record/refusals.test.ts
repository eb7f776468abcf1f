/** Failed attempts at the token endpoint: counted per address and client, asked to pause beyond a limit, recorded without a flood. */
import { describe, expect, it } from 'vitest';
import { origin, useTokens } from '../../../../test/support/token-test.ts';
import { until } from '../../../../test/support/until.ts';
import { silentLogger, systemActor } from '../../../context.ts';
import { createRates, rates as limits } from '../../rates/index.ts';
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

  const systemOf = (tenantId: string) => (tenantId === t.two.theirs.tenant.id ? t.two.theirs : t.two.ours).system;
  const openRefusals = () =>
    createRefusals({
      now: () => t.clock,
      rates: createRates(t.two.database, () => t.clock),
      log: silentLogger,
      anonymousContext: (of) => ({ ...t.at(systemOf(of.tenantId)), actor: { ...systemActor(of.requestId), ...of, kind: 'anonymous' } }),
    });

  it('become a few events with counts where they are a flood', async () => {
    move(3_600);
    const refusals = openRefusals();
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

  it('are asked to pause by place where client ids are made up, over all processes, while a good one goes through', async () => {
    move(86_400);
    const mine = await make();
    const second = t.openTokens();
    let made = 0;
    const guess = async (sourceIp: string, tokens = t.tokens): Promise<number> => {
      const clientId = `made-up-${++made}@ours.example/pcc`;
      const result = await tokens.issue(t.two.ours.tenant, { clientId, proof: 'secret', secret: 'x' }, { sourceIp, requestId: 'made-up' });
      return 'error' in result ? result.status : 200;
    };
    for (let i = 0; i < 300; i++) {
      expect([await guess(`2001:db8::${i.toString(16)}`), await guess('2001:db8::ffff', second)]).toEqual([401, 401]);
    }
    expect([await guess('2001:db8::1'), await guess('2001:db8::2', second), await guess('2001:db8:0:1::1')]).toEqual([429, 429, 401]);
    expect(await issue(mine, t.two.ours.tenant, { sourceIp: '2001:db8::1', requestId: 'good' })).toHaveProperty('accessToken');
    const windows = async (): Promise<unknown> => (await t.two.admin('SELECT count(*)::int AS count FROM rate_windows'))[0]?.['count'];
    const before = await windows();
    expect([await guess('2001:db8::1'), await guess('2001:db8::2', second), await windows()]).toEqual([429, 429, before]);
    expect(await t.tokens.countFailure(t.two.ours.tenant, '2001:db8::3')).toBe(300);
    move(300);
    expect(await guess('2001:db8::1')).toBe(401);
    await second.close();
  });

  it('become one summary a minute once the tenant has had its events of the day', async () => {
    move(2 * 86_400);
    const refusals = openRefusals();
    const counter = createRates(t.two.database, () => t.clock);
    const { tenant } = t.two.ours;
    await counter.count(tenant.id, limits.failureEventsOfDay, '', limits.failureEventsOfDay.most - 3);
    const flood = (count: number, into = refusals): void => {
      for (let i = 0; i < count; i++) {
        const clientId = `late-${i}`;
        into.note({ tenantId: tenant.id, sourceIp: '192.0.2.52', clientId, credentialId: '', reason: 'late', requestId: 'late' });
      }
    };
    const counts = async (): Promise<number[]> => {
      const rows = await t.two.admin(
        `SELECT data FROM events WHERE kind = 'credential.token_refused' AND occurred_at >= $1 AND tenant_id = $2 ORDER BY (data->>'count')::int`,
        [new Date(t.clock - 3_600_000), tenant.id],
      );
      return rows.map(({ data }) => (data as { count: number }).count);
    };
    flood(10);
    await until(async () => expect(await counts()).toEqual([1, 1, 1, 7]));
    move(10);
    flood(10);
    // Tenants are written in the order of their first refusal: once the other's is there, ours were looked at.
    const theirs = { tenantId: t.two.theirs.tenant.id, sourceIp: '192.0.2.52', clientId: 'theirs', credentialId: '' };
    refusals.note({ ...theirs, reason: 'theirs', requestId: 'theirs' });
    await until(async () => expect(await eventsOf('theirs')).toHaveLength(1));
    expect(await counts()).toEqual([1, 1, 1, 7]);
    move(60);
    const other = openRefusals();
    flood(1, other);
    await until(async () => expect(await counts()).toEqual([1, 1, 1, 1, 7]));
    // What was held is not lost with its process.
    await Promise.all([refusals.close(), other.close()]);
    expect(await counts()).toEqual([1, 1, 1, 1, 7, 10]);
  });
});
