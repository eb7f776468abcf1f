/** SQL of the table `source_files`: the file that the connector of a source sent last, in pieces. Those of a fetch that is not done wait beside it. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Adds a piece of the file of a fetch. */
export async function insertFilePiece(
  { db, tenantId }: Context,
  {
    sourceId,
    fetchId,
    piece,
    bytes,
  }: { readonly sourceId: string; readonly fetchId: string; readonly piece: number; readonly bytes: Buffer },
): Promise<void> {
  await db.run(
    sql`INSERT INTO source_files (tenant_id, source_id, fetch_id, piece, bytes) VALUES (${tenantId}, ${sourceId}, ${fetchId}, ${piece}, ${bytes})`,
  );
}

/** Returns the fetch whose file is kept: the last that was imported. Undefined where there is none. */
export function findFileFetch({ db, tenantId }: Context, sourceId: string): Promise<string | undefined> {
  return db.maybeValue<string>(
    sql`SELECT f.fetch_id AS id FROM source_files f JOIN fetches x ON x.tenant_id = ${tenantId} AND x.id = f.fetch_id AND x.state = 'DONE'
      WHERE f.tenant_id = ${tenantId} AND f.source_id = ${sourceId} AND f.piece = 0 ORDER BY f.fetch_id DESC LIMIT 1`,
  );
}

/** Reads the pieces of the file of a fetch in their order. */
export async function* readFilePieces({ db, tenantId }: Context, sourceId: string, fetchId: string): AsyncGenerator<Buffer> {
  for (let piece = 0; ; piece++) {
    const row = await db.maybe<{ bytes: Buffer }>(
      sql`SELECT bytes FROM source_files
        WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} AND fetch_id = ${fetchId} AND piece = ${piece}`,
    );
    if (row === undefined) {
      return;
    }
    yield row.bytes;
  }
}

/** Removes the files of these fetches of a source. */
export async function removeFiles({ db, tenantId }: Context, sourceId: string, fetchIds: readonly string[]): Promise<void> {
  await db.run(sql`DELETE FROM source_files WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} AND fetch_id = ANY (${fetchIds})`);
}

/** Removes every file of a source but that of this fetch; '' for all. */
export async function removeOtherFiles({ db, tenantId }: Context, sourceId: string, fetchId: string): Promise<void> {
  await db.run(sql`DELETE FROM source_files WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} AND fetch_id <> ${fetchId}`);
}

/** Removes the files of the sources that report these accounts: they name people. The next one is kept again. */
export async function removeFilesNaming({ db, tenantId }: Context, accountIds: readonly string[]): Promise<void> {
  await db.run(
    sql`DELETE FROM source_files f USING accounts_public a JOIN sources_public s ON s.tenant_id = ${tenantId} AND s.app_id = a.app_id
        AND s.source_no = a.source_no
      WHERE a.tenant_id = ${tenantId} AND a.id = ANY (${[...accountIds]}) AND f.tenant_id = ${tenantId} AND f.source_id = s.id`,
  );
}
