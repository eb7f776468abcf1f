/** SQL of the table `fetch_rows`: what held fetches brought, in pieces. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** A piece of a content. */
export interface Piece {
  readonly fetchId: string;
  readonly content: number;
  readonly piece: number;
  readonly bytes: Buffer;
}

/** Adds a piece. */
export async function insertPiece({ db, tenantId }: Context, { fetchId, content, piece, bytes }: Piece): Promise<void> {
  await db.run(
    sql`INSERT INTO fetch_rows (tenant_id, fetch_id, content, piece, bytes) VALUES (${tenantId}, ${fetchId}, ${content}, ${piece}, ${bytes})`,
  );
}

/** Reads the pieces of a content in their order. */
export async function* readPieces({ db, tenantId }: Context, fetchId: string, content: number): AsyncGenerator<Buffer> {
  for (let piece = 0; ; piece++) {
    const row = await db.maybe<{ bytes: Buffer }>(
      sql`SELECT bytes FROM fetch_rows WHERE tenant_id = ${tenantId} AND fetch_id = ${fetchId} AND content = ${content} AND piece = ${piece}`,
    );
    if (row === undefined) {
      return;
    }
    yield row.bytes;
  }
}

/** Removes what these fetches brought. */
export async function removePieces({ db, tenantId }: Context, fetchIds: readonly string[]): Promise<void> {
  await db.run(sql`DELETE FROM fetch_rows WHERE tenant_id = ${tenantId} AND fetch_id = ANY (${fetchIds})`);
}
