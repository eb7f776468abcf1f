/**
 * Cost of listing the sessions of a company among 200,000, most of which have ended, counted in pages of the database that are touched, as the role
 * of production. With COUNTERSIGN_PLANS the plans are printed, for people.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buffersOf, textPlanOf, watchPlans } from '../../../test/support/plans.ts';
import { openTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Context } from '../../context.ts';
import { listAllSessions } from './session/store.ts';

const sessions = 200_000;
const limits = { idleSeconds: 3600, lengthSeconds: 86_400 };
const isPrinted = (process.env['COUNTERSIGN_PLANS'] ?? '') !== '';

describe('listing the sessions of a company', () => {
  let two: TwoTenants;
  let context: Context;

  /** Of each so many sessions one lives, and the oldest 300 do. */
  async function fill(liveEvery: number): Promise<void> {
    await two.admin('TRUNCATE sessions');
    for (const { tenant, basicId } of [two.ours, two.theirs]) {
      await two.admin(
        `INSERT INTO sessions (tenant_id, id, token_hash, user_id, how, created_at, last_used_at, ended_at)
         SELECT $1, lpad(n::text, 27, '0'), sha256(n::text::bytea), $2, 'LINK', $3::timestamptz, $3, CASE WHEN n <= 300 OR n % $5::integer = 0 THEN NULL ELSE $3 END
         FROM generate_series(1, $4::integer) n`,
        [tenant.id, basicId, context.now, sessions, liveEvery],
      );
    }
    await two.admin('VACUUM ANALYZE sessions');
  }

  beforeAll(async () => {
    two = await openTwoTenants();
    context = two.ours.system;
  });
  afterAll(() => two.close());

  it.each<[string, number, number]>([
    ['few live, and all of them are old', 1_000_000, 300],
    ['one in a hundred lives', 100, 2_297],
    ['half of them live', 2, 100_150],
  ])('costs in proportion to a page, where %s', { timeout: 240_000 }, async (name, liveEvery, live) => {
    await fill(liveEvery);
    for (const userIds of [undefined, [two.ours.basicId, two.ours.adminId]]) {
      let before = '';
      let found = 0;
      for (let page = 0; page < 5; page += 1) {
        const { context: watched, plans } = watchPlans(context);
        const rows = await listAllSessions(watched, userIds, limits, before, 101);
        if (isPrinted && page === 0) {
          const began = performance.now();
          await listAllSessions(context, userIds, limits, before, 101);
          const took = (performance.now() - began).toFixed(1);
          console.log(`${name}, ${userIds === undefined ? 'of everybody' : 'of two people'}: ${took} ms, ${buffersOf(plans)} pages`);
          const explaining = { ...context, db: { ...context.db, rows: async (sql: never) => [await textPlanOf(context, 'ANALYZE', sql)] } };
          console.log(String((await listAllSessions(explaining as never, userIds, limits, before, 101))[0]));
        }
        expect(buffersOf(plans)).toBeLessThan(1_000);
        found += Math.min(rows.length, 100);
        before = rows[99]?.id ?? '';
        if (rows.length < 101) {
          break;
        }
      }
      expect(found).toBe(Math.min(live, 500));
    }
  });
});
