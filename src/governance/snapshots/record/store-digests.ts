/** SQL of the digests of a snapshot's rows, for its event and for checks of the log; and of its head, which names the event. */
import { digestColumns, hashedLines } from '../../../lib/log/line-sql.ts';
import { digestLines, lineOf, type RowDigest } from '../../../lib/log/row-digest.ts';
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { type SnapshotTable, snapshotTables } from './store-lines.ts';

/** Keeps which event records the rows of a snapshot. */
export async function insertHead({ db, tenantId, now }: Context, snapshotId: string, eventId: string, revision: number): Promise<void> {
  await db.run(
    sql`INSERT INTO review_snapshots (tenant_id, review_id, event_id, revision, taken_at) VALUES (${tenantId}, ${snapshotId}, ${eventId}, ${revision}, ${now})`,
  );
}

/** A snapshot and the event that recorded it. */
export interface Head {
  readonly reviewId: string;
  readonly eventId: string;
  readonly revision: number;
  readonly takenAt: Date;
}

/** Returns the head of the snapshot of a review; undefined where it has none, or one of before heads were kept. */
export function findHead({ db, tenantId }: Context, snapshotId: string): Promise<Head | undefined> {
  return db.maybe<Head>(
    sql`SELECT s.review_id AS "reviewId", s.event_id AS "eventId", s.revision, s.taken_at AS "takenAt" FROM review_snapshots s
      WHERE s.tenant_id = ${tenantId} AND s.review_id = ${snapshotId}`,
  );
}

/** Returns the digest of the rows of a table for each snapshot that one of these events recorded. */
export function listDigests(
  { db, tenantId }: Context,
  { getLines }: SnapshotTable,
  eventIds: readonly string[],
): Promise<(RowDigest & { readonly eventId: string })[]> {
  const isWanted = sql`t.review_id = ANY (ARRAY(SELECT s.review_id FROM review_snapshots s WHERE s.tenant_id = ${tenantId} AND s.event_id = ANY (${eventIds}::text[])))`;
  return db.rows(
    sql`SELECT s.event_id AS "eventId", d.rows, d.sha256, d.marks FROM (
       SELECT n.review_id, ${digestColumns} FROM (${hashedLines('o.review_id', getLines(tenantId, isWanted))}) n GROUP BY n.review_id) d
     JOIN review_snapshots s ON s.tenant_id = ${tenantId} AND s.review_id = d.review_id`,
  );
}

/** Returns the digest of the rows of a table that were frozen for a snapshot. */
function findDigest({ db, tenantId }: Context, { getLines }: SnapshotTable, snapshotId: string): Promise<RowDigest> {
  return db.one<RowDigest>(sql`SELECT ${digestColumns} FROM (${hashedLines('', getLines(tenantId, sql`t.review_id = ${snapshotId}`))}) n`);
}

/** A row of a snapshot as a line. */
export interface SnapshotLine {
  readonly reviewId: string;
  readonly id: string;
  readonly line: string;
}

/** Returns the lines of a table of these snapshots, in the order of their keys. */
export function listLines({ db, tenantId }: Context, { getLines }: SnapshotTable, reviewIds: readonly string[]): Promise<SnapshotLine[]> {
  return db.rows<SnapshotLine>(
    sql`SELECT o.review_id AS "reviewId", o.id, o.line FROM (${getLines(tenantId, sql`t.review_id = ANY (${reviewIds}::text[])`)}) o`,
  );
}

/** Returns the lines of the policies of these snapshots: their documents are written by the process, since they are deep and few. */
export async function listPolicyLines({ db, tenantId }: Context, reviewIds: readonly string[]): Promise<SnapshotLine[]> {
  const rows = await db.rows<{ reviewId: string; id: string; document: object; isRoot: boolean }>(
    sql`SELECT p.review_id AS "reviewId", p.policy_id AS id, p.document, p.is_root AS "isRoot" FROM review_policies p
      WHERE p.tenant_id = ${tenantId} AND p.review_id = ANY (${reviewIds}::text[]) ORDER BY p.review_id, p.policy_id`,
  );
  return rows.map(({ reviewId, id, document, isRoot }) => ({ reviewId, id, line: lineOf({ document, id, isRoot }) }));
}

/** Returns the ids of the policies that a snapshot froze. */
export function listSnapshotPolicyIds({ db, tenantId }: Context, snapshotId: string): Promise<string[]> {
  return db.column<string>(
    sql`SELECT p.policy_id AS id FROM review_policies p WHERE p.tenant_id = ${tenantId} AND p.review_id = ${snapshotId} ORDER BY p.policy_id`,
  );
}

/** The table of policies, whose lines the process writes. */
export const policyTable = 'review_policies';

/** Returns the digest of all rows of a snapshot, by table. */
export async function findAllDigests(context: Context, snapshotId: string): Promise<Record<string, RowDigest>> {
  const digests: Record<string, RowDigest> = {
    [policyTable]: digestLines((await listPolicyLines(context, [snapshotId])).map(({ line }) => line)),
  };
  for (const table of snapshotTables) {
    digests[table.table] = await findDigest(context, table, snapshotId);
  }
  return digests;
}
