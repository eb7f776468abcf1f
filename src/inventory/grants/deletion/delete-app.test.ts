/** Deleting an app that is large: at once out of sight, ended piece by piece at one revision, and gone on with after whatever stopped it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isLong } from '../../../../test/support/runs.ts';
import type { TestDatabase } from '../../../../test/support/database.ts';
import { makeTenant, openFixture, type TestTenant } from '../../../../test/support/inventory.ts';
import { createRunner, findJob, type Job, type Runner } from '../../../jobs/index.ts';
import { findLatestJob } from '../../../jobs/store.ts';
import type { JobCursor } from '../../../jobs/types.ts';
import { inTransaction, noReactions, silentLogger } from '../../../context.ts';
import { createApp } from '../../catalog/apps/create-app.ts';
import { accountsChunk, deleteApp, endAccessJob, endAccessKind, grantsChunk } from './delete-app.ts';
import { jobKinds } from '../index.ts';
import { takeRevision } from '../../ledger/index.ts';

const deletedAt = new Date('2026-03-01T12:00:00Z');
const later = new Date('2026-03-01T12:05:00Z');
/** One more than a chunk of accounts, each with one grant and the app access that follows; two chunks of grants, then. */
const accounts = accountsChunk + 1;

describe('deleting a large app', () => {
  let test: TestDatabase;
  let tenant: TestTenant;
  let appId = '';
  let runner: Runner | undefined;
  let number = 0;

  const rows = <Row extends Record<string, unknown>>(sql: string): Promise<Row[]> => tenant.context().db.rows<Row>(sql, [appId]);
  const count = async (sql: string): Promise<number> => (await rows<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`))[0]?.n ?? 0;
  const openGrants = (): Promise<number> => count('grants WHERE app_id = $1 AND removed_revision IS NULL');
  const liveAccounts = (): Promise<number> => count(`accounts WHERE app_id = $1 AND status <> 'DELETED'`);
  const job = async (): Promise<Job> => {
    const found = await findLatestJob(test.database.system(), tenant.tenantId, endAccessKind, appId);
    if (found === undefined) {
      throw new Error('there is no job');
    }
    return found;
  };
  /** A chunk whose outcome is not kept unless it is said to be, as after a kill before the commit. */
  const chunk = async (at: JobCursor, isKept: boolean): Promise<JobCursor | 'finished'> => {
    const killed = new Error('killed');
    let result: JobCursor | 'finished' = 'finished';
    await inTransaction(tenant.context(later), async (inside) => {
      const done = await endAccessJob.handler(inside, { ...(await job()), cursor: at });
      result = done === 'finished' ? done : done.cursor;
      if (!isKept) {
        throw killed;
      }
    }).catch((error: unknown) => {
      if (error !== killed) {
        throw error;
      }
    });
    return result;
  };

  beforeAll(async () => {
    test = await openFixture();
  });
  afterAll(() => test.close());
  afterEach(() => runner?.drain());
  beforeEach(async () => {
    tenant = makeTenant(test);
    const context = tenant.context();
    appId = (await createApp(context, { displayName: `Large ${number++}` }, [])).id;
    await inTransaction(context, async (inside) => {
      const revision = await takeRevision(inside, appId, 'IMPORT');
      const values = [context.tenantId, appId, context.now, accounts];
      await inside.db.run(
        `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, alias, grant_count, created_at, updated_at)
         VALUES ($1, $2, 'e', 'e', 'e', 'taken', $4, $3, $3)`,
        values,
      );
      await inside.db.run(
        `INSERT INTO accounts (tenant_id, app_id, id, external_id, created_at, updated_at)
         SELECT $1, $2, 'a' || n, n, $3, $3 FROM generate_series(1, $4) n`,
        values,
      );
      await inside.db.run(
        `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, is_derived, created_at, updated_at)
         SELECT $1, $2, e.id, 'a' || n, $5, e.is_app_access, $3, $3
         FROM generate_series(1, $4) n, entitlements e WHERE e.tenant_id = $1 AND e.app_id = $2`,
        [...values, revision],
      );
      await inside.db.run('UPDATE apps SET user_count = $3 WHERE tenant_id = $1 AND id = $2', [context.tenantId, appId, accounts]);
    });
    expect(2 * accounts).toBeGreaterThan(grantsChunk);
  });

  it('leaves its end to a job, which reports each piece and writes all of it down as one revision', async () => {
    await deleteApp(tenant.context(deletedAt), appId);
    expect([await openGrants(), await liveAccounts()]).toEqual([2 * accounts, accounts]);
    expect((await rows(`SELECT data FROM events WHERE target_id = $1 AND kind = 'app.deleted'`))[0]?.data).toMatchObject({
      userCount: accounts,
      grantCount: accounts,
    });
    runner = createRunner({
      database: test.database,
      handlers: jobKinds,
      log: silentLogger,
      react: noReactions,
      pollMs: 20,
      clock: () => later,
    });
    runner.start();
    const { id } = await job();
    await expect
      .poll(async () => (await findJob(test.database.system(), tenant.tenantId, id))?.state, { timeout: 60_000, interval: 50 })
      .toBe('DONE');
    expect([await openGrants(), await liveAccounts()]).toEqual([0, 0]);
    const revisions = await rows<{ revision: number; cause: string }>(
      'SELECT revision, cause FROM inventory_revisions WHERE app_id = $1 ORDER BY revision',
    );
    expect(revisions).toMatchObject([{ cause: 'IMPORT' }, { cause: 'MANUAL' }]);
    const { revision } = revisions[1] as { revision: number };
    // When it ended is when the app was deleted, not when the job came to it.
    expect(
      await rows('SELECT DISTINCT removed_revision AS revision, ended_at AS at, updated_at AS "updatedAt" FROM grants WHERE app_id = $1'),
    ).toEqual([{ revision, at: deletedAt, updatedAt: later }]);
    expect(await rows('SELECT DISTINCT deleted_at AS at FROM accounts WHERE app_id = $1')).toEqual([{ at: deletedAt }]);
    expect(
      await rows(`SELECT revision, before ->> 'status' AS status, count(*) AS n FROM account_changes WHERE app_id = $1 GROUP BY 1, 2`),
    ).toEqual([{ revision, status: 'ENABLED', n: accounts }]);
    const events = await rows<{ data: { revision: number; ended: Record<string, number> } }>(
      `SELECT data FROM events WHERE target_id = $1 AND kind = 'app.access_ended' ORDER BY id`,
    );
    expect(events).toHaveLength(4);
    expect(events.every(({ data }) => data.revision === revision)).toBe(true);
    const sum = (name: string): number => events.reduce((total, { data }) => total + (data.ended[name] ?? 0), 0);
    expect([sum('grants'), sum('appAccess'), sum('accounts')]).toEqual([accounts, accounts, accounts]);
  });

  it.runIf(isLong)('goes on where it was committed, after a kill in any of its chunks', async () => {
    await deleteApp(tenant.context(deletedAt), appId);
    let cursor: JobCursor | 'finished' = (await job()).cursor;
    const left: [number, number][] = [];
    while (cursor !== 'finished') {
      const before = [await openGrants(), await liveAccounts()];
      await chunk(cursor, false);
      expect([await openGrants(), await liveAccounts()]).toEqual(before);
      cursor = await chunk(cursor, true);
      left.push([await openGrants(), await liveAccounts()]);
    }
    expect(left).toEqual([
      [2 * accounts - grantsChunk, accounts],
      [0, accounts],
      [0, 1],
      [0, 0],
    ]);
    expect(await count('account_changes WHERE app_id = $1')).toBe(accounts);
    expect(await count(`events WHERE target_id = $1 AND kind = 'app.access_ended'`)).toBe(4);
  });

  it('frees the name and the aliases at once, and leaves another app alone', async () => {
    await deleteApp(tenant.context(deletedAt), appId);
    const [{ name } = { name: '' }] = await rows<{ name: string }>('SELECT display_name AS name FROM apps WHERE id = $1');
    const again = await createApp(tenant.context(), { displayName: name }, []);
    const { db, tenantId, now } = tenant.context();
    await db.run(
      `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, alias, created_at, updated_at)
       VALUES ($1, $2, 'other', 'e', 'e', 'taken', $3, $3)`,
      [tenantId, again.id, now],
    );
    await db.run(
      `INSERT INTO accounts (tenant_id, app_id, id, external_id, created_at, updated_at) VALUES ($1, $2, 'other', '1', $3, $3)`,
      [tenantId, again.id, now],
    );
    for (let cursor: JobCursor | 'finished' = (await job()).cursor; cursor !== 'finished'; ) {
      cursor = await chunk(cursor, true);
    }
    expect(await db.rows('SELECT status FROM accounts WHERE app_id = $1', [again.id])).toEqual([{ status: 'ENABLED' }]);
    expect(await db.rows('SELECT id FROM apps WHERE deleted_at IS NULL', [])).toEqual([{ id: again.id }]);
  });
});
