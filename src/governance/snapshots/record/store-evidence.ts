/** The rows of snapshots as evidence: what checks of the event log hold against the events that recorded them. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { listOvertaken } from '../../../foundation/audit/index.ts';
import type { EvidenceRow, EvidenceSource } from '../../../foundation/log-proofs/index.ts';
import { listDigests, listLines, listPolicyLines, policyTable, type SnapshotLine } from './store-digests.ts';
import { snapshotTables } from './store-lines.ts';

/** Events behind which a snapshot stands no more. */
const endings = ['review.reset', 'review.prepare_failed', 'review.dropped', 'review.prepare_requested'] as const;

async function listOf(
  context: Context,
  eventIds: readonly string[],
  list: (reviewIds: readonly string[]) => Promise<SnapshotLine[]>,
): Promise<EvidenceRow[]> {
  const { db, tenantId } = context;
  const heads = await db.rows<{ reviewId: string; eventId: string }>(
    sql`SELECT s.review_id AS "reviewId", s.event_id AS "eventId" FROM review_snapshots s
      WHERE s.tenant_id = ${tenantId} AND s.event_id = ANY (${eventIds}::text[])`,
  );
  const eventOf = new Map(heads.map(({ reviewId, eventId }) => [reviewId, eventId]));
  const lines = heads.length === 0 ? [] : await list([...eventOf.keys()]);
  return lines.map(({ reviewId, id, line }) => ({ eventId: eventOf.get(reviewId) ?? '', id, line }));
}

/** Those of these events of snapshots, or of items made of them, whose rows are rightly gone: the review was reset, or its prepare failed. */
export const listSuperseded = (context: Context, eventIds: readonly string[]): Promise<string[]> =>
  listOvertaken(context, eventIds, endings);

const shared = { listStray: async () => [], listSuperseded };

/** Evidence of snapshots: each table, and the events that their heads name. */
export const evidence: readonly EvidenceSource[] = [
  {
    ...shared,
    table: policyTable,
    list: (context, eventIds) => listOf(context, eventIds, (reviewIds) => listPolicyLines(context, reviewIds)),
    // Every table has the same heads: one of them tells of those that name no event.
    listEventIds: ({ db, tenantId }, after, limit) =>
      db.rows(
        sql`SELECT s.event_id AS id FROM review_snapshots s WHERE s.tenant_id = ${tenantId} AND s.event_id > ${after} ORDER BY s.event_id LIMIT ${limit}`,
      ),
  },
  ...snapshotTables.map(
    (table): EvidenceSource => ({
      ...shared,
      table: table.table,
      list: (context, eventIds) => listOf(context, eventIds, (reviewIds) => listLines(context, table, reviewIds)),
      listDigests: (context, eventIds) => listDigests(context, table, eventIds),
      listEventIds: async () => [],
    }),
  ),
];
