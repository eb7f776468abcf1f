/**
 * Cost of an import and a comparison, counted in rows that are read and written: it follows the file and what the app has now, or the change
 * between two syncs, however long the history behind them is.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { bodyOf, grantsHeader, makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';
import type { Db } from '../../db/types.ts';
import type { Context } from '../../context.ts';
import { importGrants } from './import-grants.ts';
import type { SyncRow } from './record/index.ts';
import { diffSyncs, replaySync } from './replay/replay-syncs.ts';

const accounts = 60;
const held = 5;
const open = accounts * held;
/** Times each grant was granted and removed before. */
const lives = 400;
const tables = ['grants', 'grant_changes', 'accounts', 'account_changes'];

interface Work {
  readonly read: number;
  readonly written: number;
}

describe('a small change', () => {
  let test: TestDatabase;
  let tenant: TestTenant;
  let syncs: readonly SyncRow[];
  let work: readonly Work[];

  /** The rows of these tables that a connection has read and written so far, as far as the others do not know it yet. */
  const countWork = (db: Db): Promise<Work> =>
    db.one<Work>(
      `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) AS read, sum(n_tup_ins + n_tup_upd + n_tup_del) AS written
       FROM pg_stat_xact_user_tables WHERE relname = ANY ($1)`,
      [tables],
    );

  /** Runs `run` in a context whose transactions are measured. */
  async function measure<T>(run: (context: Context) => Promise<T>): Promise<{ result: T; work: Work }> {
    const context = tenant.context();
    let [read, written] = [0, 0];
    const transaction: Db['transaction'] = (inside) =>
      context.db.transaction(async (db) => {
        const before = await countWork(db);
        const result = await inside(db);
        const after = await countWork(db);
        read += Number(after.read) - Number(before.read);
        written += Number(after.written) - Number(before.written);
        return result;
      });
    const result = await run({ ...context, db: { ...context.db, transaction } });
    return { result, work: { read, written } };
  }

  const line = (account: number, entitlement: number | string, used = '') => `a${account},,USER,ENABLED,role,wiki,e${entitlement},,${used}`;
  const all = Array.from({ length: open }, (_, at) => line(Math.floor(at / held), at % held));
  /** Of the rows, three are removed, two added, four changed. */
  const changed = [
    ...all.slice(7),
    ...[3, 4, 5, 6].map((at) => line(Math.floor(at / held), at % held, '2026-01-01T00:00:00Z')),
    line(1, 'new'),
    line(2, 'new'),
  ];
  const send = (context: Context, lines: readonly string[]) =>
    importGrants(context, { app: 'Wiki', allowRemovals: true }, { body: bodyOf(`${[grantsHeader, ...lines].join('\n')}\n`), encoding: '' });

  beforeAll(async () => {
    test = await openFixture();
    tenant = makeTenant(test);
    const first = await send(tenant.context(), all);
    for (const table of tables) {
      await test.admin(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    }
    // What there was before the first of these syncs.
    await test.admin(
      `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, removed_revision, source_no, created_at, updated_at, ended_at)
       SELECT tenant_id, app_id, entitlement_id, account_id, -2 * n, -2 * n + 1, 1, now(), now(), now()
       FROM grants CROSS JOIN generate_series(1, $2::int) AS n WHERE tenant_id = $1 AND NOT is_derived`,
      [tenant.tenantId, lives],
    );
    await test.admin(
      `INSERT INTO grant_changes (tenant_id, app_id, entitlement_id, account_id, revision)
       SELECT tenant_id, app_id, entitlement_id, account_id, -2 * n
       FROM grants CROSS JOIN generate_series(1, $2::int) AS n WHERE tenant_id = $1 AND removed_revision IS NULL`,
      [tenant.tenantId, lives / 4],
    );
    await test.admin(
      `INSERT INTO account_changes (tenant_id, app_id, account_id, revision, before)
       SELECT tenant_id, app_id, id, -2 * n, '{}' FROM accounts CROSS JOIN generate_series(1, $2::int) AS n WHERE tenant_id = $1`,
      [tenant.tenantId, lives],
    );
    await test.admin('ANALYZE');
    const second = await measure((context) => send(context, changed));
    const third = await measure((context) => send(context, changed.toReversed()));
    syncs = [first, second.result, third.result];
    work = [second.work, third.work];
  }, 240_000);
  afterAll(() => test.close());

  it('is counted as what it is', () => {
    expect(syncs[1]).toMatchObject({ added: 2, removed: 3, changed: 4, unchanged: open - 7 });
    expect(syncs[2]).toMatchObject({ added: 0, removed: 0, changed: 0, unchanged: open - 1 });
  });

  it('reads what the app has now, not what it had; writes what changed', () => {
    // Three removed, two added, four changed with what they said before, and so the last use of two accounts.
    expect(work[0]?.written).toBe(3 + 2 + 2 * (4 + 2));
    expect(work[0]?.read).toBeGreaterThan(open);
    expect(work[0]?.read).toBeLessThan(5 * open);
  });

  it('of nothing writes nothing', () => {
    expect(work[1]?.written).toBe(0);
    expect(work[1]?.read).toBeLessThan(5 * open);
  });

  it('is compared by reading what changed', async () => {
    const [first, second] = syncs;
    const there = await measure((context) =>
      context.db.transaction((db) => diffSyncs({ ...context, db }, second?.id ?? '', first?.id ?? '', undefined, 100)),
    );
    expect(there.result.counts).toMatchObject({ added: 2, removed: 3, changed: 4, total: 9 });
    expect(there.work.read).toBeGreaterThan(0);
    // Each of the nine is looked up with its account and what both said before, twice: for the counts and for the rows.
    expect(there.work.read).toBeLessThan(9 * 40);
    const back = await measure((context) =>
      context.db.transaction((db) => diffSyncs({ ...context, db }, first?.id ?? '', second?.id ?? '', undefined, 100)),
    );
    expect(back.result.counts).toMatchObject({ added: 3, removed: 2, changed: 4 });
    expect(back.work.read).toBe(there.work.read);
  });

  it('reads back page by page', async () => {
    const page = await measure((context) =>
      context.db.transaction((db) => replaySync({ ...context, db }, syncs[1]?.id ?? '', undefined, 20)),
    );
    expect(page.result.rows).toHaveLength(20);
    // It may step over what each of the twenty was before, and over nothing of the others.
    expect(page.work.read).toBeLessThan(20 * (lives + 30));
  });
});
