/** Member counts of profiles: at once where few can be, by a job where many can, and again when that may have changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSourcedApp } from '../../../test/support/identity.ts';
import { buffersOf, watchPlans } from '../../../test/support/plans.ts';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { type ChunkResult, findJob, type Job } from '../../jobs/index.ts';
import { inTransaction, type Context } from '../../context.ts';
import { takeRevision } from '../ledger/index.ts';
import { addEntries, dropEntries } from './change-entries.ts';
import { createProfile, deleteProfile } from './change-profile.ts';
import { cheapLookups, countJob, countKind, readMemberCounts } from './count-members.ts';
import { countMembers } from './store-members.ts';

const many = cheapLookups + 100;

describe('the members of access profiles', () => {
  let test: TwoTenants;
  let context: Context;
  let appId: string;
  beforeAll(async () => {
    test = await useTwoTenants();
    context = test.ours.admin;
    appId = (await addSourcedApp(context, 'Wiki')).id;
    await context.db.run(
      `INSERT INTO users (tenant_id, id, email, email_key, created_at, updated_at)
       SELECT $1, 'u' || n, n || '@m.example', n || '@m.example', $2, $2 FROM generate_series(1, $3::int) AS n`,
      [context.tenantId, context.now, many],
    );
    await context.db.run(
      `INSERT INTO accounts (tenant_id, app_id, id, external_id, user_id, match_count, source_no, created_at, updated_at)
       SELECT $1, $2, 'a' || n, 'a' || n, 'u' || n, 1, 1, $3, $3 FROM generate_series(1, $4::int) AS n`,
      [context.tenantId, appId, context.now, many],
    );
    // All hold `all`, every second one `half`, ten of them `few`.
    for (const [id, step, size] of [
      ['all', 1, many],
      ['half', 2, many / 2],
      ['few', many / 10, 10],
    ] as const) {
      await context.db.run(
        `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, grant_count, created_at, updated_at)
         VALUES ($1, $2, $3, $3, $3, $4, $5, $5)`,
        [context.tenantId, appId, id, size, context.now],
      );
      await context.db.run(
        `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, created_at, updated_at)
         SELECT $1, $2, $3, 'a' || n, 1, $5, $5 FROM generate_series($4::int, $6::int, $4::int) AS n`,
        [context.tenantId, appId, id, step, context.now, many],
      );
    }
  });
  afterAll(() => test.close());

  const ref = (id: string) => ({ appId, id });
  const make = async (...gives: string[]): Promise<string> => {
    const { id } = await createProfile(context, { displayName: 'P' });
    await addEntries(context, id, 'REQUESTABLE', gives.map(ref), 'x');
    return id;
  };
  const waiting = async (): Promise<Job | undefined> => {
    const row = await context.db.maybe<{ id: string }>(`SELECT id FROM jobs WHERE tenant_id = $1 AND kind = $2 AND state = 'WAITING'`, [
      context.tenantId,
      countKind,
    ]);
    return row && findJob(context.db, context.tenantId, row.id);
  };
  /** Does what waits to the end, as the runner would, and returns how many profiles were counted; undefined where nothing waits. */
  async function work(at: Context = context): Promise<number | undefined> {
    let job = await waiting();
    if (job === undefined) {
      return undefined;
    }
    for (;;) {
      const current: Job = job;
      const result: ChunkResult = await inTransaction({ ...at, actor: test.ours.system.actor }, (inside) =>
        countJob.handler(inside, current),
      );
      if (result === 'finished') {
        await test.admin(`UPDATE jobs SET state = 'DONE' WHERE id = $1`, [job.id]);
        return job.done;
      }
      job = { ...job, cursor: result.cursor, done: result.done };
    }
  }
  const counts = async (ids: string[], at: Context = context): Promise<number[]> => {
    const found = await readMemberCounts(at, ids);
    return ids.map((id) => found.get(id) ?? -1);
  };

  it('are counted at once where the rarest of what it gives is rare, and are none where it gives nothing', async () => {
    const ids = [await make('all', 'few'), await make('half'), await make()];
    expect(await counts(ids)).toEqual([10, many / 2, 0]);
    expect(await waiting()).toBeUndefined();
    expect(await counts(['nothing'])).toEqual([-1]);
  });

  it('are counted by a job where very many hold all of it, and again when what it gives or who holds it changes', async () => {
    const ids = [await make('all'), await make('all', 'half'), await make('few')];
    expect(await counts(ids)).toEqual([0, 0, 10]);
    expect(await work()).toBe(2);
    expect(await counts(ids)).toEqual([many, many / 2, 10]);
    expect(await work()).toBeUndefined();

    await addEntries(context, ids[0] as string, 'REQUESTABLE', [ref('half')], 'x');
    await dropEntries(context, ids[1] as string, 'REQUESTABLE', [ref('half')]);
    expect(await counts(ids)).toEqual([many, many / 2, 10]);
    expect(await work()).toBe(2);
    expect(await counts(ids)).toEqual([many / 2, many, 10]);

    await addEntries(context, ids[1] as string, 'VISIBLE', [ref('few')], 'x');
    await counts(ids);
    expect(await waiting()).toBeUndefined();
    await context.db.run(`UPDATE grants SET removed_revision = 2 WHERE tenant_id = $1 AND entitlement_id = 'all' AND account_id = 'a1'`, [
      context.tenantId,
    ]);
    await inTransaction(context, (inside) => takeRevision(inside, appId, 'MANUAL'));
    await counts(ids);
    expect(await work()).toBe(2);
    expect(await counts(ids)).toEqual([many / 2, many - 1, 10]);
  });

  it('are counted again after five minutes, since people come and go without a revision; deleted profiles never', async () => {
    const id = await make('all');
    await counts([id]);
    await work();
    await context.db.run(`UPDATE users SET status = 'DISABLED' WHERE tenant_id = $1 AND id = 'u3'`, [context.tenantId]);
    const [before = 0] = await counts([id]);
    expect(await waiting()).toBeUndefined();
    const later: Context = { ...context, now: new Date(context.now.getTime() + 5 * 60_000 + 1) };
    expect(await counts([id], later)).toEqual([before]);
    const gone = await make('all');
    await deleteProfile(context, gone);
    expect(await work(later)).toBeGreaterThan(0);
    expect(await counts([id], later)).toEqual([before - 1]);
    const rows = await context.db.rows('SELECT counted_at FROM access_profiles WHERE tenant_id = $1 AND id = $2', [context.tenantId, gone]);
    expect(rows).toEqual([{ counted_at: null }]);
  });

  it("are a tenant's own", async () => {
    const id = await make('all');
    expect(await counts([id], test.theirs.admin)).toEqual([-1]);
  });

  it('are found by looking few holders up, also while nothing is known of what the tables hold', async () => {
    const id = await make('few', 'half', 'all');
    const { context: watched, plans } = watchPlans(context);
    const counts = await countMembers(watched, [id]);
    expect(counts.get(id)).toBeGreaterThan(0);
    // Ten holders, three entitlements, a few pages of an index for each.
    expect(buffersOf(plans)).toBeLessThan(800);
  });
});
