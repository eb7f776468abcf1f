/** The loop that seals where nobody reads: all tenants at first, then those this process works for; and its end. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { frozenNow, useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { until } from '../../../test/support/until.ts';
import { type Context, noReactions, silentLogger } from '../../context.ts';
import { recordOccurrence } from '../../../test/support/any-event.ts';
import { createSealer } from './sealer.ts';

let two: TwoTenants;

beforeAll(async () => {
  two = await useTwoTenants();
});
afterAll(() => two.close());

const countUnsealed = async ({ tenantId }: Context): Promise<number> => {
  const sql = `SELECT count(*)::int AS count FROM events e WHERE e.tenant_id = $1
    AND NOT EXISTS (SELECT FROM log_leaves l WHERE l.tenant_id = $1 AND l.event_id = e.id)`;
  return (await two.admin(sql, [tenantId]))[0]?.count as number;
};

const untilSealed = (context: Context): Promise<void> => until(async () => expect(await countUnsealed(context)).toBe(0));

it('seals all tenants at first, then those it expects events of, and stops', async () => {
  const [ours, theirs] = [two.ours.system, two.theirs.system];
  const options = { database: two.database, log: silentLogger, react: noReactions, clock: () => frozenNow };
  const onSealed = vi.fn(async () => undefined);
  const sealer = createSealer({ ...options, onSealed });
  sealer.start();
  sealer.start();
  try {
    await untilSealed(ours);
    await untilSealed(theirs);
    const times = await two.admin('SELECT DISTINCT sealed_at FROM log_seals WHERE tenant_id = ANY ($1)', [
      [ours.tenantId, theirs.tenantId],
    ]);
    expect(times).toEqual([{ sealed_at: frozenNow }]);

    // A round through all tenants may come in between, but not every time.
    await until(async () => {
      await recordOccurrence(ours, { kind: 'tick' });
      await recordOccurrence(theirs, { kind: 'tick' });
      sealer.expectEvents(ours.tenantId);
      await untilSealed(ours);
      expect(await countUnsealed(theirs)).toBeGreaterThan(0);
    });
  } finally {
    expect(await sealer.drain(60_000)).toBe(true);
  }
  onSealed.mockClear();
  const next = createSealer(options);
  next.start();
  try {
    // It works once a second, as the one before would: the second time is a second later.
    for (let time = 0; time < 2; time++) {
      await recordOccurrence(ours, { kind: 'tick' });
      next.expectEvents(ours.tenantId);
      await untilSealed(ours);
    }
  } finally {
    expect(await next.drain(60_000)).toBe(true);
  }
  expect(onSealed).not.toHaveBeenCalled();
});

it('goes on with the others where the log of one cannot be sealed', async () => {
  const [ours, theirs] = [two.ours.system, two.theirs.system];
  const warnings: object[] = [];
  const log = { ...silentLogger, warn: (fields: object) => warnings.push(fields) };
  await two.admin(`UPDATE logs SET frontier = '\\x00' WHERE tenant_id = $1`, [ours.tenantId]);
  await recordOccurrence(ours, { kind: 'tick' });
  await recordOccurrence(theirs, { kind: 'tick' });
  const sealer = createSealer({ database: two.database, log, react: noReactions, clock: () => frozenNow });
  sealer.start();
  await untilSealed(theirs);
  expect(await sealer.drain(60_000)).toBe(true);
  expect(warnings).toContainEqual(expect.objectContaining({ tenant: ours.tenantId }));
});
