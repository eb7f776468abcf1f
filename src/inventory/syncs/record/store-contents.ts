/**
 * SQL of the table `sync_contents`: what the last file of each source said, as digests of groups of its rows. How digests are made is in
 * row-groups.ts, what is done with them in find-extent.ts.
 */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** Facts known of the last file of a source. */
export interface SyncContent {
  /** The sync it is of. */
  readonly syncId: string;
  /** Way the rows were read (ReadFile.reading). */
  readonly reading: string;
  readonly digestKey: Buffer;
  readonly digests: Buffer;
}

/** Finds what is known of the last file of a source; undefined for nothing. */
export function findContent(context: Context, sourceId: string): Promise<SyncContent | undefined> {
  return context.db.maybe<SyncContent>(
    sql`SELECT sync_id AS "syncId", reading, digest_key AS "digestKey", digests FROM sync_contents
      WHERE tenant_id = ${context.tenantId} AND source_id = ${sourceId}`,
  );
}

/** Finds the key for digests of the files of a source, so that they can be compared; undefined where there are none. */
export function findDigestKey(context: Context, sourceId: string): Promise<Buffer | undefined> {
  return context.db.maybeValue<Buffer>(
    sql`SELECT digest_key AS "digestKey" FROM sync_contents WHERE tenant_id = ${context.tenantId} AND source_id = ${sourceId}`,
  );
}

/** Keeps what the last file of a source said. */
export async function updateContent(context: Context, sourceId: string, content: SyncContent): Promise<void> {
  const { syncId, reading, digestKey, digests } = content;
  await context.db.run(
    sql`INSERT INTO sync_contents (tenant_id, source_id, sync_id, reading, digest_key, digests)
      VALUES (${context.tenantId}, ${sourceId}, ${syncId}, ${reading}, ${digestKey}, ${digests})
      ON CONFLICT (tenant_id, source_id) DO UPDATE SET sync_id = EXCLUDED.sync_id, reading = EXCLUDED.reading,
        digest_key = EXCLUDED.digest_key, digests = EXCLUDED.digests`,
  );
}

/** Keeps that a later sync of the source said the same. */
export async function updateContentSync(context: Context, sourceId: string, syncId: string): Promise<void> {
  await context.db.run(sql`UPDATE sync_contents SET sync_id = ${syncId} WHERE tenant_id = ${context.tenantId} AND source_id = ${sourceId}`);
}
