/** Data removed after its time, and data that stays: files of reports, the content of events, the event log's proofs, and other tenants. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTree } from '../../../../test/support/log-tree.ts';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { inTransaction, noReactions, silentLogger, type Context } from '../../../context.ts';
import type { Job } from '../../../jobs/index.ts';
import type { JobCursor } from '../../../jobs/types.ts';
import { newId, newIdPrefix } from '../../../wire/ids.ts';
import '../../../slots.ts';
import { confirmRequest } from '../../../foundation/second-persons/index.ts';
import { sealLog } from '../../../foundation/audit/seal.ts';
import { createKeeper } from './keeper.ts';
import { changeRetention, createRetentionJob, getRetention, isRetentionDue, retentionKind } from './retention.ts';
import { findReport, insertChunk, insertReport, updateReportDone } from '../store.ts';

let two: TwoTenants;
let ours: Context;
const at = (time: string, context = ours): Context => ({ ...context, now: new Date(time) });
const minimum = 7;

/** The job to its end, each chunk a transaction of its own. */
async function run(context: Context, most = Number.POSITIVE_INFINITY, cursor: JobCursor = {}): Promise<JobCursor | 'finished'> {
  let standing: JobCursor = cursor;
  for (let chunks = 0; chunks < most; chunks++) {
    const result = await inTransaction(context, (inside) =>
      createRetentionJob(minimum).handler(inside, { cursor: standing, done: 0 } as unknown as Job),
    );
    if (result === 'finished') {
      return result;
    }
    standing = JSON.parse(JSON.stringify(result.cursor)) as JobCursor;
  }
  return standing;
}

/** Events of long ago, with the ids they would have had: a process gives out none that are older than its last. */
async function record(time: string, count = 1, tenantId = ours.tenantId, writtenAt = time): Promise<void> {
  await two.admin(
    `INSERT INTO events (tenant_id, id, occurred_at, kind, actor_kind, source_ip, data)
     SELECT $1, $2::text || lpad(n::text, 8, '0'), $3, 'thing.done', 'user', '192.0.2.1', jsonb_build_object('number', n, 'secret', 'personal')
     FROM generate_series(1, $4::int) n`,
    [tenantId, newIdPrefix(new Date(writtenAt)), time, count],
  );
}

const contents = (context = ours): Promise<{ month: string; full: number; empty: number }[]> =>
  context.db.rows(
    `SELECT to_char(occurred_at, 'YYYY-MM') AS month, count(*) FILTER (WHERE erased_at IS NULL) AS full, count(erased_at) AS empty
     FROM events WHERE tenant_id = $1 AND kind = 'thing.done' GROUP BY 1 ORDER BY 1`,
    [context.tenantId],
  );

beforeAll(async () => {
  two = await useTwoTenants();
  ours = two.ours.system;
});
afterAll(() => two.close());

describe('the settings', () => {
  it('keep files for three years and events for ever, until somebody says otherwise', async () => {
    expect(await getRetention(ours)).toEqual({ reportDays: 1_095, eventYears: 0, reviewYears: 7 });
    expect(await changeRetention(ours, { reportDays: 30 }, minimum)).toEqual({
      retention: { reportDays: 30, eventYears: 0, reviewYears: 7 },
    });
    expect(await getRetention(two.theirs.system)).toEqual({ reportDays: 1_095, eventYears: 0, reviewYears: 7 });
  });

  it('refuse what is out of bounds, and less than the operator permits', async () => {
    await expect(changeRetention(ours, { eventYears: 6, reportDays: 0 }, minimum)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      violations: [{ field: 'retention.reportDays' }, { field: 'retention.eventYears', description: expect.stringContaining('7 to 100') }],
    });
    await expect(changeRetention(ours, { eventYears: 101 }, minimum)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('files of reports', () => {
  it('go when their days are over; the report stays with its hashes, and an event says so', async () => {
    const make = async (time: string): Promise<string> => {
      const id = newId(new Date(time));
      const context = at(time);
      await insertReport(context, { id, reviewId: 'r', format: 'CSV', columns: [], createdById: '' });
      await insertChunk(context, id, 0, Buffer.from('rows'));
      await updateReportDone(context, id, 4, { SHA256: 'abc' });
      return id;
    };
    const [old, young] = [await make('2026-01-01T00:00:00Z'), await make('2026-02-15T00:00:00Z')];
    const now = at('2026-03-01T00:00:00Z');
    expect(await isRetentionDue(now, minimum)).toBe(true);
    expect(await run(now)).toBe('finished');
    expect(await findReport(ours, old)).toMatchObject({
      state: 'ERROR',
      error: expect.stringContaining('after 30 days'),
      hashes: { SHA256: 'abc' },
    });
    expect(await findReport(ours, young)).toMatchObject({ state: 'OK' });
    expect(await ours.db.rows('SELECT report_id AS id FROM report_chunks WHERE tenant_id = $1', [ours.tenantId])).toEqual([{ id: young }]);
    expect(
      await ours.db.rows("SELECT target_id AS id FROM events WHERE tenant_id = $1 AND kind = 'report.expired'", [ours.tenantId]),
    ).toEqual([{ id: old }]);
    expect(await isRetentionDue(now, minimum)).toBe(false);
  });
});

describe('the content of events', () => {
  beforeAll(async () => {
    await record('2017-03-05T00:00:00Z', 3);
    await record('2017-03-31T23:59:59.999Z', 1, ours.tenantId, '2017-04-01T00:00:00.004Z');
    await record('2018-02-28T23:59:59.999Z', 1_200);
    await record('2019-03-01T00:00:00Z', 2);
    await record('2017-03-05T00:00:00Z', 2, two.theirs.system.tenantId);
    for (const context of [ours, two.theirs.system]) {
      await sealLog(context, { forMs: 10_000, waitsForLock: true });
    }
  });

  it('stays where nobody set anything', async () => {
    expect(await isRetentionDue(at('2026-03-15T00:00:00Z'), minimum)).toBe(false);
    await run(at('2026-03-15T00:00:00Z'));
    expect((await contents()).map(({ empty }) => empty)).toEqual([0, 0, 0]);
  });

  it('goes in whole months, also after a stop in the middle; every leaf and the tree hold', async () => {
    const now = at('2026-03-15T00:00:00Z');
    const { request } = await changeRetention(now, { eventYears: 7 }, minimum);
    expect(await getRetention(now)).toMatchObject({ eventYears: 0 });
    await confirmRequest(now, request?.id ?? '', { by: 'somebody else' });
    const half = await run(now, 3);
    expect(half).toMatchObject({ count: 1_000 });
    expect(await run(now, Number.POSITIVE_INFINITY, half as JobCursor)).toBe('finished');
    // March of 2019 is seven years old in part, so it stays.
    expect(await contents()).toEqual([
      { month: '2017-03', full: 0, empty: 4 },
      { month: '2018-02', full: 0, empty: 1_200 },
      { month: '2019-03', full: 2, empty: 0 },
    ]);
    expect(
      await ours.db.rows(
        "SELECT count(*) AS count FROM events WHERE tenant_id = $1 AND erased_at IS NOT NULL AND (data <> '{}' OR source_ip <> '' OR salt IS NOT NULL)",
        [ours.tenantId],
      ),
    ).toEqual([{ count: 0 }]);
    const told = await ours.db.rows<{ data: object }>(
      "SELECT data FROM events WHERE tenant_id = $1 AND kind = 'events.emptied' ORDER BY id",
      [ours.tenantId],
    );
    expect(told.map(({ data }) => data)).toEqual([
      { month: '2017-03', count: 3 },
      { month: '2017-04', count: 1 },
      { month: '2018-02', count: 1_200 },
    ]);
    await sealLog(ours, { forMs: 10_000, waitsForLock: true });
    expect(await checkTree(ours)).toBeGreaterThan(1_200);
    expect(await contents(two.theirs.system)).toEqual([{ month: '2017-03', full: 2, empty: 0 }]);
    expect(await isRetentionDue(now, minimum)).toBe(false);
  });

  it('is kept for as long as the operator says, also where a tenant set less before', async () => {
    const now = at('2026-04-15T00:00:00Z');
    await changeRetention(now, { reportDays: 500 }, minimum);
    expect(await isRetentionDue(now, 7)).toBe(true);
    expect(await isRetentionDue(now, 8)).toBe(false);
  });

  it('is looked for by a process now and then, which has one job do it', async () => {
    const keeper = createKeeper({
      database: two.database,
      log: silentLogger,
      react: noReactions,
      clock: () => new Date('2026-05-01T00:00:00Z'),
      minimumEventYears: 7,
    });
    await Promise.all([keeper.look(), keeper.look()]);
    expect(await two.admin("SELECT tenant_id FROM jobs WHERE kind = $1 AND state = 'WAITING'", [retentionKind])).toEqual([
      { tenant_id: ours.tenantId },
    ]);
    keeper.stop();
  });
});
