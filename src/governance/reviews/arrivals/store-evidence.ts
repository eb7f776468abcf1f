/** What came after the snapshot of a review as evidence: the event of the close has the digest of these rows (`review_arrivals`). */
import type { Context } from '../../../context.ts';
import { digestColumns, hashedLines, idJson, lineJson, wholeJson } from '../../../lib/log/line-sql.ts';
import type { RowDigest } from '../../../lib/log/row-digest.ts';
import { type Sql, sql } from '../../../lib/sql.ts';
import type { EvidenceSource } from '../../../foundation/log-proofs/index.ts';

/** The table, by the name that events have for it. */
const table = 'review_arrivals';

const line = lineJson({
  account: idJson('t.account_id'),
  app: idJson('t.app_id'),
  entitlement: idJson('t.entitlement_id'),
  revision: wholeJson('t.added_revision'),
});

const getLines = (tenantId: string, condition: Sql): Sql =>
  sql`SELECT t.event_id, t.app_id || '/' || t.account_id || '/' || t.entitlement_id AS id, ${line} AS line FROM review_arrivals t
    WHERE t.tenant_id = ${tenantId} AND ${condition} ORDER BY t.event_id, t.app_id, t.account_id, t.entitlement_id`;

/** Returns the digest of what was kept under an event. */
export async function findArrivalDigest({ db, tenantId }: Context, eventId: string): Promise<Record<string, RowDigest>> {
  const digest = await db.one<RowDigest>(
    sql`SELECT ${digestColumns} FROM (${hashedLines('', getLines(tenantId, sql`t.event_id = ${eventId}`))}) n`,
  );
  return { [table]: digest };
}

/** A row as a line of a bundle, with its key. */
export interface ArrivalLine {
  readonly key: readonly [appId: string, accountId: string, entitlementId: string];
  readonly line: string;
}

/** Returns the next lines of what was kept of a review, behind a key. */
export function listArrivalLines(
  { db, tenantId }: Context,
  reviewId: string,
  after: readonly string[],
  limit: number,
): Promise<ArrivalLine[]> {
  const [appId = '', accountId = '', entitlementId = ''] = after;
  return db.rows<ArrivalLine>(
    sql`SELECT ARRAY[t.app_id, t.account_id, t.entitlement_id] AS key, ${line} AS line FROM review_arrivals t
      WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND (t.app_id, t.account_id, t.entitlement_id) > (${appId}, ${accountId}, ${entitlementId})
      ORDER BY t.app_id, t.account_id, t.entitlement_id LIMIT ${limit}`,
  );
}

/** Evidence of what came after snapshots. */
export const evidence: readonly EvidenceSource[] = [
  {
    table,
    list: ({ db, tenantId }, eventIds) =>
      db.rows(
        sql`SELECT o.event_id AS "eventId", o.id, o.line FROM (${getLines(tenantId, sql`t.event_id = ANY (${eventIds}::text[])`)}) o`,
      ),
    listDigests: ({ db, tenantId }, eventIds) =>
      db.rows(
        sql`SELECT n.event_id AS "eventId", ${digestColumns}
          FROM (${hashedLines('o.event_id', getLines(tenantId, sql`t.event_id = ANY (${eventIds}::text[])`))}) n GROUP BY n.event_id`,
      ),
    listStray: async () => [],
    listEventIds: ({ db, tenantId }, after, limit) =>
      db.rows(
        sql`SELECT DISTINCT t.event_id AS id FROM review_arrivals t WHERE t.tenant_id = ${tenantId} AND t.event_id > ${after} ORDER BY 1 LIMIT ${limit}`,
      ),
  },
];
