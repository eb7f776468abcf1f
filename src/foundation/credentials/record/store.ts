/**
 * SQL of the credentials module about API credentials as they are managed: the table `personal_clients`, which holds those of people and
 * those of service principals; a function is given the kind, so that neither shows the other. What signing in reads and writes is in
 * store-tokens.ts.
 */
import { allSql, fixed, sql } from '../../../lib/sql.ts';
import { type Conditions, listConditions } from '../../../lib/where.ts';
import type { Context } from '../../../context.ts';
import { containsTextOrIs } from '../../search/index.ts';

/**
 * Owner of a credential: a person's, whose client id ends with /pcc, a service principal's (/spc), or the connector of a source (/ccc);
 * `personal_clients.kind`.
 */
export type CredentialKind = 'PERSONAL' | 'SERVICE' | 'CONNECTOR';

/** An API credential; its secret is nowhere. */
export interface CredentialRow {
  readonly id: string;
  readonly kind: CredentialKind;
  readonly clientId: string;
  /** Empty for a connector's. */
  readonly userId: string;
  /** The source whose connector signs in with it; empty for everybody else's. */
  readonly sourceId: string;
  /** The Super Administrator who made it for the person; empty where the person did. */
  readonly issuerId: string;
  readonly displayName: string;
  /** Unpadded base64url of the 32 bytes of an Ed25519 public key. */
  readonly publicKey: string;
  /** Role ids; empty for all of the owner's. */
  readonly scopedRoles: string[];
  readonly allowSourceCidr: string[];
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

const columns = `id, kind, client_id AS "clientId", coalesce(user_id, '') AS "userId", source_id AS "sourceId", issuer_id AS "issuerId", display_name AS "displayName",
  public_key AS "publicKey", scoped_roles AS "scopedRoles", allow_source_cidr AS "allowSourceCidr", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt", created_at AS "createdAt", updated_at AS "updatedAt", deleted_at AS "deletedAt"`;

/** Adds a credential, made by the actor; false where its client id is taken, and nothing has happened then. */
export async function insertCredential(context: Context, row: CredentialRow): Promise<boolean> {
  const inserted = await context.db.run(
    `INSERT INTO personal_clients (tenant_id, id, kind, client_id, user_id, issuer_id, display_name, public_key, scoped_roles, allow_source_cidr,
       expires_at, maker_id, source_id, created_at, updated_at)
     VALUES ($1, $2, $3, $4, nullif($5, ''), $6, $7, $8, $9, $10, $11, $13, $14, $12, $12)
     ON CONFLICT (tenant_id, client_id) DO NOTHING`,
    [
      context.tenantId,
      row.id,
      row.kind,
      row.clientId,
      row.userId,
      row.issuerId,
      row.displayName,
      row.publicKey,
      row.scopedRoles,
      row.allowSourceCidr,
      row.expiresAt,
      row.createdAt,
      context.actor.userId,
      row.sourceId,
    ],
  );
  return inserted === 1;
}

/** Counts credentials of a user neither revoked nor expired. */
export function countLiveCredentials(context: Context, userId: string): Promise<number> {
  return context.db.value<number>(
    `SELECT count(*) AS count FROM personal_clients
     WHERE tenant_id = $1 AND user_id = $2 AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > $3)`,
    [context.tenantId, userId, context.now],
  );
}

/** The credential of this kind with this id, unless it was revoked. */
export function findCredential(context: Context, kind: CredentialKind, id: string): Promise<CredentialRow | undefined> {
  return context.db.maybe<CredentialRow>(
    `SELECT ${columns} FROM personal_clients WHERE tenant_id = $1 AND id = $2 AND kind = $3 AND deleted_at IS NULL`,
    [context.tenantId, id, kind],
  );
}

/** The same, held against other writers until the end of the transaction. */
export function lockCredential(context: Context, kind: CredentialKind, id: string): Promise<CredentialRow | undefined> {
  return context.db.maybe<CredentialRow>(
    `SELECT ${columns} FROM personal_clients WHERE tenant_id = $1 AND id = $2 AND kind = $3 AND deleted_at IS NULL FOR UPDATE`,
    [context.tenantId, id, kind],
  );
}

/** Bounds of a credential: role ids and addresses, none for all; its end, null for none. */
export type CredentialBounds = Pick<CredentialRow, 'scopedRoles' | 'allowSourceCidr' | 'expiresAt'>;

/** The bounds of a credential of either kind, held against a revocation until the end of the transaction; undefined once it is revoked. */
export function lockBounds(context: Context, id: string): Promise<CredentialBounds | undefined> {
  return context.db.maybe<CredentialBounds>(
    `SELECT scoped_roles AS "scopedRoles", allow_source_cidr AS "allowSourceCidr", expires_at AS "expiresAt"
     FROM personal_clients WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE`,
    [context.tenantId, id],
  );
}

/** Credential search; a member that is undefined filters nothing. */
export interface CredentialFilter {
  readonly kind: CredentialKind;
  readonly userIds: readonly string[] | undefined;
  readonly sourceId?: string;
  /** Its id, or words, each found anywhere in the name or the client id, whatever their case and accents. */
  readonly query: string | undefined;
}

const conditions: Conditions<CredentialFilter> = {
  kind: (kind) => sql`kind = ${kind}`,
  userIds: (ids) => sql`user_id = ANY (${ids})`,
  sourceId: (id) => sql`source_id = ${id}`,
  query: containsTextOrIs(`display_name || ' ' || client_id`, 'id'),
};

/** A page of credentials that are not revoked, by id. */
export function listCredentials(
  context: Context,
  filter: CredentialFilter,
  after: string | undefined,
  limit: number,
): Promise<CredentialRow[]> {
  // Only what is asked for is said: those of one person are then found by their index, however many others there are.
  const where = [
    sql`tenant_id = ${context.tenantId} AND id > ${after ?? ''} AND deleted_at IS NULL`,
    ...listConditions(filter, conditions),
  ];
  return context.db.rows<CredentialRow>(
    sql`SELECT ${fixed(columns)} FROM personal_clients WHERE ${allSql(where)} ORDER BY id LIMIT ${limit}`,
  );
}

/** The names and ends of credentials, by id, revoked or not. */
export async function listCredentialNames(
  context: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<CredentialRow, 'displayName' | 'expiresAt'>>> {
  const rows = await context.db.rows<Pick<CredentialRow, 'id' | 'displayName' | 'expiresAt'>>(
    sql`SELECT id, display_name AS "displayName", expires_at AS "expiresAt" FROM personal_clients
      WHERE tenant_id = ${context.tenantId} AND id = ANY (${ids})`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Writes the members an owner may change. */
export async function updateCredential(
  context: Context,
  id: string,
  change: Pick<CredentialRow, 'displayName' | 'allowSourceCidr' | 'scopedRoles'>,
): Promise<void> {
  await context.db.run(
    `UPDATE personal_clients SET display_name = $3, allow_source_cidr = $4, scoped_roles = $5, updated_at = $6 WHERE tenant_id = $1 AND id = $2`,
    [context.tenantId, id, change.displayName, change.allowSourceCidr, change.scopedRoles, context.now],
  );
}

/** Revokes: marks it deleted and keeps the row. */
export async function removeCredential(context: Context, id: string): Promise<void> {
  await context.db.run(`UPDATE personal_clients SET deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND id = $2`, [
    context.tenantId,
    id,
    context.now,
  ]);
}

/** Revokes all that a user holds, of either kind; the ids of those that were still good. */
export async function removeCredentialsOf(context: Context, userId: string): Promise<string[]> {
  const found = await context.db.column<string>(
    `UPDATE personal_clients SET deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND deleted_at IS NULL RETURNING id`,
    [context.tenantId, userId, context.now],
  );
  return found.sort();
}

/** Search of all credentials; a member that is undefined filters nothing. */
export interface AllCredentialsFilter {
  readonly kind: CredentialKind | undefined;
  readonly userIds: readonly string[] | undefined;
  readonly query: string | undefined;
  /** LIVE, which the suspended are not, and EXPIRED at `at`; WITHOUT_END has no end at all. */
  readonly state: { readonly name: 'LIVE' | 'EXPIRED' | 'WITHOUT_END'; readonly at: Date } | undefined;
  readonly expiresBefore: Date | undefined;
  /** Neither used nor made since then. */
  readonly unusedSince: Date | undefined;
}

const ofEverybody: Conditions<AllCredentialsFilter> = {
  kind: (kind) => sql`p.kind = ${kind}`,
  userIds: (ids) => sql`p.user_id = ANY (${ids})`,
  query: containsTextOrIs(`p.display_name || ' ' || p.client_id || ' ' || u.display_name || ' ' || u.email`, 'p.id'),
  state: ({ name, at }) =>
    name === 'WITHOUT_END'
      ? sql`p.expires_at IS NULL`
      : name === 'EXPIRED'
        ? sql`p.expires_at <= ${at}`
        : sql`(p.expires_at IS NULL OR p.expires_at > ${at}) AND x.suspended_at IS NULL`,
  expiresBefore: (end) => sql`p.expires_at < ${end}`,
  unusedSince: (since) => sql`p.created_at < ${since} AND (p.last_used_at IS NULL OR p.last_used_at < ${since})`,
};

/** A credential and whose it is: a connector's is nobody's. */
export interface OwnedCredentialRow extends Omit<CredentialRow, 'kind' | 'publicKey' | 'sourceId' | 'updatedAt' | 'deletedAt'> {
  readonly kind: Exclude<CredentialKind, 'CONNECTOR'>;
  readonly ownerName: string;
  readonly ownerEmail: string;
  readonly ownerStatus: string;
  /** The moment since which it is suspended; null where it is not. */
  readonly suspendedAt: Date | null;
}

/** A page of the credentials of everybody that are not revoked, the newest first; those of people who were deleted are as good as revoked. */
export function listAllCredentials(
  context: Context,
  filter: AllCredentialsFilter,
  before: string,
  limit: number,
): Promise<OwnedCredentialRow[]> {
  const { tenantId } = context;
  const where = [
    sql`p.tenant_id = ${tenantId} AND p.deleted_at IS NULL`,
    ...(before === '' ? [] : [sql`p.id < ${before}`]),
    ...listConditions(filter, ofEverybody),
  ];
  return context.db.rows<OwnedCredentialRow>(
    sql`SELECT p.id, p.kind, p.client_id AS "clientId", p.user_id AS "userId", p.issuer_id AS "issuerId", p.display_name AS "displayName",
        p.scoped_roles AS "scopedRoles", p.allow_source_cidr AS "allowSourceCidr", p.expires_at AS "expiresAt", p.last_used_at AS "lastUsedAt",
        p.created_at AS "createdAt", u.display_name AS "ownerName", u.email AS "ownerEmail", u.status AS "ownerStatus",
        x.suspended_at AS "suspendedAt"
      FROM personal_clients p JOIN users_public u ON u.tenant_id = p.tenant_id AND u.id = p.user_id AND u.status <> 'DELETED'
        LEFT JOIN suspensions_public x ON x.tenant_id = p.tenant_id AND x.user_id = p.user_id AND x.kind = 'CREDENTIAL' AND x.object_id = p.id
      WHERE ${allSql(where)} ORDER BY p.id DESC LIMIT ${limit}`,
  );
}
