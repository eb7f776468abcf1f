/**
 * Facts that must hold of a closed review, whatever was killed on the way: looked up in its reports, through the API and in the database itself,
 * against the file that was imported and the journal of what was acknowledged.
 */
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import { type Campaign, fetchReport, keyOf } from './campaign.ts';
import { until } from '../support/until.ts';
import { type Place, queryDatabase } from './server-process.ts';

interface ReportObject {
  taskId: string;
  state: string;
  outcome: string;
  endReason: string;
  task: number;
  certifiers: { email: string }[];
  decisions: { decision: string; comment: string; submissionId: string }[];
}

/** Every item of the file once in both reports, every acknowledged decision in them as it was acknowledged, and nothing else. */
export async function checkReports(admin: Client, campaign: Campaign, adminEmail: string): Promise<number> {
  const rows = parse<Record<string, string>>(await fetchReport(admin, campaign.reviewId, 'CSV'), { columns: true });
  const objects = JSON.parse(await fetchReport(admin, campaign.reviewId, 'JSON')) as ReportObject[];
  const keys = rows.map((row) => keyOf(row['Account'] ?? '', row['Resource'] ?? '', row['Entitlement'] ?? ''));
  expect(keys.length).toBe(campaign.keys.size);
  expect(new Set(keys)).toEqual(campaign.keys);
  expect(objects.length).toBe(campaign.keys.size);
  expect(new Set(objects.map((one) => one.taskId)).size).toBe(objects.length);
  expect(new Set(rows.map((row) => row['Task'])).size).toBe(rows.length);
  const wrong: unknown[] = [];
  const held = new Set<string>();
  for (const one of objects) {
    const entry = campaign.journal.get(one.taskId);
    const last = one.decisions.at(-1);
    const isUndecided = one.outcome === 'CANCELLED' && one.endReason === 'SKIPPED_AT_CLOSE' && one.decisions.length === 0;
    if (entry === undefined) {
      const isFine = isUndecided || (campaign.uncertain.has(one.taskId) && one.endReason === 'DECIDED' && one.decisions.length === 1);
      if (!isFine || one.state !== 'CLOSED') {
        wrong.push(one);
      }
      continue;
    }
    held.add(one.taskId);
    const isHeld =
      one.state === 'CLOSED' &&
      one.endReason === 'DECIDED' &&
      one.outcome === (entry.decision === 'DENY' ? 'DECERTIFIED' : 'CERTIFIED') &&
      one.decisions.length === 1 &&
      last?.decision === (entry.decision === 'DENY' ? 'DENIED' : 'CERTIFIED') &&
      last.comment === entry.comment &&
      (last.submissionId === '') === (entry.comment !== '') &&
      one.certifiers[0]?.email === (entry.email || adminEmail);
    if (!isHeld) {
      wrong.push({ one, entry });
    }
  }
  expect(wrong.slice(0, 3)).toEqual([]);
  expect([...campaign.journal.keys()].filter((id) => !held.has(id))).toEqual([]);
  return rows.length;
}

/** Checks what no report shows: events that add up to what they report, each task ended once, counters past every number that was used. */
export async function checkDatabase(place: Place, campaign: Campaign): Promise<void> {
  const id = campaign.reviewId;
  const [facts] = await queryDatabase<Record<string, unknown>>(
    place,
    `SELECT
       (SELECT count(*) FROM tasks t WHERE t.review_id = $1) AS tasks,
       (SELECT count(*) FROM tasks t WHERE t.review_id = $1 AND (t.state <> 'CLOSED' OR t.ended_at IS NULL OR t.end_reason = '')) AS unended,
       (SELECT count(DISTINCT (t.account_id, t.entitlement_id)) FROM tasks t WHERE t.review_id = $1) AS items,
       (SELECT count(*) - count(DISTINCT (t.tenant_id, t.numeric_id)) FROM tasks t) AS "sameNumbers",
       (SELECT count(*) FROM tasks t JOIN tenant_counters c ON c.tenant_id = t.tenant_id AND c.name = 'task_number'
         WHERE t.numeric_id > c.value) AS "pastCounter",
       (SELECT sum((e.data ->> 'count')::int) FROM events e WHERE e.target_id = $1 AND e.kind = 'review.tasks_made') AS "toldMade",
       (SELECT coalesce(sum((e.data ->> 'count')::int), 0) FROM events e WHERE e.target_id = $1 AND e.kind = 'review.tasks_ended')
         + (SELECT count(*) FROM task_actions x WHERE x.review_id = $1 AND x.kind IN ('APPROVED', 'DENIED')) AS "toldEnded",
       (SELECT count(*) FROM tasks t WHERE t.review_id = $1
         AND (SELECT count(*) FROM task_actions x WHERE x.tenant_id = t.tenant_id AND x.task_id = t.id AND x.kind IN ('APPROVED', 'DENIED'))
           <> CASE t.end_reason WHEN 'DECIDED' THEN 1 ELSE 0 END) AS "wronglyActed",
       (SELECT count(*) FROM task_actions x WHERE x.review_id = $1 AND x.submission_id <> ''
         AND NOT EXISTS (SELECT FROM submissions s WHERE s.tenant_id = x.tenant_id AND s.id = x.submission_id)) AS "lostSubmissions",
       (SELECT count(*) FROM events e WHERE e.target_id = $1 AND e.kind IN ('review.prepared', 'review.started', 'review.closed')) AS moves,
       (SELECT count(*) FROM jobs j WHERE j.state = 'FAILED') AS "failedJobs"`,
    [id],
  );
  const items = campaign.keys.size;
  const numbers = Object.fromEntries(Object.entries(facts ?? {}).map(([name, value]) => [name, Number(value)]));
  expect(numbers).toEqual({
    tasks: items,
    unended: 0,
    items,
    sameNumbers: 0,
    pastCounter: 0,
    toldMade: items,
    toldEnded: items,
    wronglyActed: 0,
    lostSubmissions: 0,
    moves: 3,
    failedJobs: 0,
  });
  // What follows the close goes on behind it, and comes to its end by itself.
  await until(async () => {
    const waiting = await queryDatabase(place, "SELECT kind FROM jobs WHERE state = 'WAITING' AND subject_id = $1", [id]);
    expect(waiting).toEqual([]);
  });
}

/** Counts an app's rows in the database: an import that was not acknowledged is there whole or not at all. */
export async function countImported(place: Place, app: string): Promise<{ grants: number; accounts: number; imports: number }> {
  const [found] = await queryDatabase<{ grants: string; accounts: string; imports: string }>(
    place,
    `SELECT (SELECT count(*) FROM grants g JOIN entitlements e ON e.tenant_id = g.tenant_id AND e.app_id = g.app_id AND e.id = g.entitlement_id
         WHERE g.app_id = a.id AND NOT e.is_app_access AND g.removed_revision IS NULL) AS grants,
       (SELECT count(*) FROM accounts c WHERE c.app_id = a.id) AS accounts,
       (SELECT count(*) FROM syncs i WHERE i.app_id = a.id) AS imports
     FROM apps a WHERE a.display_name = $1`,
    [app],
  );
  return { grants: Number(found?.grants ?? 0), accounts: Number(found?.accounts ?? 0), imports: Number(found?.imports ?? 0) };
}
