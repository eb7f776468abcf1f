/** SQL of sign-in links: the table `sign_in_links`. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** A link as it was made. */
export interface NewLink {
  readonly id: string;
  readonly secretHash: Buffer;
  readonly userId: string;
  readonly issuerId: string;
  /** Null: any browser may open it. */
  readonly browserHash: Buffer | null;
  readonly toPath: string;
  readonly expiresAt: Date;
}

/** A link as it stands. */
export interface LinkRow extends NewLink {
  readonly usedAt: Date | null;
}

/** Adds a link. */
export async function insertLink(context: Context, link: NewLink): Promise<void> {
  await context.db.run(
    sql`INSERT INTO sign_in_links (tenant_id, id, secret_hash, user_id, issuer_id, browser_hash, to_path, created_at, expires_at)
      VALUES (${context.tenantId}, ${link.id}, ${link.secretHash}, ${link.userId}, ${link.issuerId}, ${link.browserHash}, ${link.toPath},
        ${context.now}, ${link.expiresAt})`,
  );
}

const columns = sql`k.id, k.secret_hash AS "secretHash", k.user_id AS "userId", k.issuer_id AS "issuerId", k.browser_hash AS "browserHash",
  k.to_path AS "toPath", k.expires_at AS "expiresAt", k.used_at AS "usedAt"`;

/** The link with this id. */
export function findLink(context: Context, id: string): Promise<LinkRow | undefined> {
  return context.db.maybe<LinkRow>(sql`SELECT ${columns} FROM sign_in_links k WHERE k.tenant_id = ${context.tenantId} AND k.id = ${id}`);
}

/** The same, held until the end of the transaction: of two who open it at once, one finds it used. */
export function lockLink(context: Context, id: string): Promise<LinkRow | undefined> {
  return context.db.maybe<LinkRow>(
    sql`SELECT ${columns} FROM sign_in_links k WHERE k.tenant_id = ${context.tenantId} AND k.id = ${id} FOR UPDATE`,
  );
}

/** Marks a link used. */
export async function updateUsedLink(context: Context, id: string): Promise<void> {
  await context.db.run(sql`UPDATE sign_in_links SET used_at = ${context.now} WHERE tenant_id = ${context.tenantId} AND id = ${id}`);
}

/** Removes the links of a person that nobody opened and that could still be opened, and says how many. */
export function removeOpenLinksOf({ db, tenantId, now }: Context, userId: string): Promise<number> {
  return db.run(
    sql`DELETE FROM sign_in_links WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND used_at IS NULL AND expires_at > ${now}`,
  );
}
