/** Waiting until nothing is done in the background any more, for tests that compare what is there before and after. */
import { expect } from 'vitest';
import { jobsChannel } from '../../src/jobs/store.ts';
import type { TestDatabase } from './database.ts';
import { until } from './until.ts';

/**
 * Resolves once no job, call for one or delivery of these tenants is due; of all tenants unless they are named. Calls that wait a moment for others
 * like them need not wait here: what they set in motion would come between two looks. So would a job that another attempt or its next chunk brings
 * back in a moment: "now" of a statement is older than what it sees.
 */
export function untilAtRest(test: TestDatabase, tenantIds: readonly string[] = []): Promise<void> {
  const hurry = `WITH soon AS (
      UPDATE jobs SET run_at = now() WHERE state = 'CALLED' AND run_at > now() AND run_at < now() + interval '5 seconds' AND (tenant_id = ANY ($1) OR $1 = '{}') RETURNING 1
    ) SELECT pg_notify($2, '') FROM soon LIMIT 1`;
  const sql = `SELECT kind FROM jobs WHERE state IN ('CALLED', 'WAITING') AND (run_at < now() + interval '5 seconds' OR lease_token <> '')
    AND (tenant_id = ANY ($1) OR $1 = '{}')`;
  return until(async () => {
    // What is done in the background may call for more.
    await test.admin(hurry, [tenantIds, jobsChannel]);
    expect(await test.admin(sql, [tenantIds])).toEqual([]);
  });
}
