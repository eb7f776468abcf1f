/** SQL of sign-in links: the table `sign_in_links`. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { getIsIssuerGoneSql } from '../../directory/index.ts';

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
  /** Those of the session that printed it; null where it is proof when it is opened. */
  readonly boundAt: Date | null;
  readonly provenAt: Date | null;
}

/** A link as it stands. */
export interface LinkRow extends NewLink {
  readonly usedAt: Date | null;
  /** True if the person was disabled, deleted or terminated at any moment since it was made. */
  readonly wasAway: boolean;
  /** True if it was sent to an address that is not the person's any more, or was printed by a session that may have begun so. */
  readonly hasMoved: boolean;
  /** True if whoever issued it was disabled, deleted or terminated since. */
  readonly isIssuerGone: boolean;
}

/** Adds a link. */
export async function insertLink(context: Context, link: NewLink): Promise<void> {
  await context.db.run(
    sql`INSERT INTO sign_in_links (tenant_id, id, secret_hash, user_id, issuer_id, browser_hash, to_path, created_at, expires_at, bound_at,
        proven_at)
      VALUES (${context.tenantId}, ${link.id}, ${link.secretHash}, ${link.userId}, ${link.issuerId}, ${link.browserHash}, ${link.toPath},
        ${context.now}, ${link.expiresAt}, ${link.boundAt}, ${link.provenAt})`,
  );
}

const columns = sql`k.id, k.secret_hash AS "secretHash", k.user_id AS "userId", k.issuer_id AS "issuerId", k.browser_hash AS "browserHash",
  k.to_path AS "toPath", k.expires_at AS "expiresAt", k.used_at AS "usedAt", k.bound_at AS "boundAt", k.proven_at AS "provenAt",
  ${getIsIssuerGoneSql('k')} AS "isIssuerGone",
  EXISTS (SELECT FROM departures_known d WHERE d.tenant_id = k.tenant_id AND d.user_id = k.user_id
    AND (d.left_at >= k.created_at OR d.returned_at > k.created_at)) AS "wasAway",
  (k.browser_hash IS NOT NULL OR k.bound_at IS NOT NULL AND k.issuer_id = '') AND EXISTS (SELECT FROM address_changes m
    WHERE m.tenant_id = k.tenant_id AND m.user_id = k.user_id AND m.changed_at >= k.created_at) AS "hasMoved"`;

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
