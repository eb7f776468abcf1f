/**
 * SQL of signing in: what stands behind a credential right now, signing keys, assertions already used, times of last use. These
 * take a connection instead of a context: they run before there is an actor, or for several requests at once.
 */
import type { Db } from '../../../db/types.ts';
import type { JsonWebKey } from 'node:crypto';
import type { SessionSettingsJson } from '../../../gen/c1/api/settings/v1/settings_pb.js';
import { isAppError } from '../../../errors.ts';
import { sql } from '../../../lib/sql.ts';
import {
  getIsIssuerGoneSql,
  getIssuedMayAnswerSql,
  getIsSuspendedSql,
  getMakersSql,
  getMergedSql,
  listDelegatorsSql,
} from '../../directory/index.ts';
import { type CredentialKind, credentialSlot } from '../record/index.ts';

/** A credential, its owner and the tenant's settings, all that deciding about a request needs. */
export interface CredentialStateRow {
  readonly id: string;
  readonly clientId: string;
  /** Empty for a connector's. */
  readonly userId: string;
  readonly sourceId: string;
  readonly issuerId: string;
  readonly publicKey: string;
  readonly scopedRoles: string[];
  readonly allowSourceCidr: string[];
  readonly expiresAt: Date | null;
  readonly isRevoked: boolean;
  /** True if its owner left since it was made, and no administrator restored it. */
  readonly isSuspended: boolean;
  readonly ownerStatus: string;
  /** The last moment at which its owner left or came back; null for never. */
  readonly awayAt: Date | null;
  /** True if whoever issued it was disabled, deleted or terminated since. */
  readonly isIssuerGone: boolean;
  /** Ids of the roles its owner holds, Basic User left out. */
  readonly ownerRoleIds: string[];
  readonly issuedAllowed: boolean;
  /** True if what its issuer issued may answer now. */
  readonly issuedMayAnswer: boolean;
  /** Makers of the service principal and its credential, or its issuer, and their makers; empty for a person's own. */
  readonly makerIds: string[];
  readonly kind: CredentialKind;
  /** The session settings of the tenant; null where none were ever set. */
  readonly sessionSettings: SessionSettingsJson | null;
  /** Those whose tasks its owner may decide in their place right now. */
  readonly delegatorIds: string[];
}

/** The state of a credential at a moment, by its client id; one query. `mailsLinks` says whether mail leaves this installation. */
export function findCredentialState(
  db: Db,
  tenantId: string,
  clientId: string,
  now: Date,
  mailsLinks: boolean,
): Promise<CredentialStateRow | undefined> {
  return db.maybe<CredentialStateRow>(
    sql`SELECT c.id, c.client_id AS "clientId", coalesce(c.user_id, '') AS "userId", c.source_id AS "sourceId", c.issuer_id AS "issuerId", c.public_key AS "publicKey",
       c.scoped_roles AS "scopedRoles", c.allow_source_cidr AS "allowSourceCidr", c.expires_at AS "expiresAt",
       (c.deleted_at IS NOT NULL OR t.deleted_at IS NOT NULL) AS "isRevoked", ${getIsSuspendedSql('c')} AS "isSuspended", coalesce(u.status, 'ENABLED') AS "ownerStatus",
       (SELECT max(greatest(d.left_at, d.returned_at)) FROM departures_known d WHERE d.tenant_id = u.tenant_id AND d.user_id = u.id) AS "awayAt",
       ${getIsIssuerGoneSql('c')} AS "isIssuerGone",
       ARRAY(SELECT r.role_id FROM roles_held r WHERE r.tenant_id = u.tenant_id AND r.user_id = u.id) AS "ownerRoleIds",
       t.issued_credentials_allowed AS "issuedAllowed", ${getIssuedMayAnswerSql('c.issuer_id', mailsLinks, credentialSlot.get().getHasProvider())} AS "issuedMayAnswer",
       CASE WHEN c.kind = 'SERVICE' OR c.issuer_id <> '' THEN ${getMakersSql('c.tenant_id', 'ARRAY[u.maker_id, c.maker_id, c.issuer_id]')} ELSE '{}' END
         || ${getMergedSql(sql`c.tenant_id`, sql`c.user_id`)} AS "makerIds", c.kind, s.document AS "sessionSettings",
       ${listDelegatorsSql(sql`u.tenant_id`, sql`u.id`, now)} AS "delegatorIds"
     FROM personal_clients c
       LEFT JOIN users_public u ON u.tenant_id = c.tenant_id AND u.id = c.user_id
       JOIN tenants_public t ON t.tenant_id = c.tenant_id
       LEFT JOIN session_settings s ON s.tenant_id = c.tenant_id
     WHERE c.tenant_id = ${tenantId} AND c.client_id = ${clientId}`,
  );
}

/** An assertion that is being used. */
export interface AssertionUse {
  /** SHA-256, 64 hexadecimal digits. */
  readonly digest: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Remembers these assertions in one statement, durably, and returns the digests that had not been used before. None is there twice in
 * `uses`.
 */
export async function insertAssertionUses(db: Db, tenantId: string, uses: readonly AssertionUse[]): Promise<ReadonlySet<string>> {
  // In one order everywhere: two processes that insert the same two the other way round would wait for each other.
  const sorted = [...uses].sort((a, b) => (a.digest < b.digest ? -1 : 1));
  const digests = sorted.map((use) => use.digest);
  // Texts and numbers: the driver is several times faster with them than with buffers and dates.
  const insert = `INSERT INTO assertion_uses (tenant_id, digest, expires_at)
     SELECT $1, decode(use.digest, 'hex'), to_timestamp(use.expires_at) FROM unnest($2::text[], $3::float8[]) AS use (digest, expires_at)`;
  const values = [tenantId, digests, sorted.map((use) => use.expiresAt)];
  try {
    // Nearly always all are new, and then this costs two thirds of asking which of them are.
    await db.run(insert, values);
    return new Set(digests);
  } catch (error) {
    if (!isAppError(error, 'CONFLICT')) {
      throw error;
    }
  }
  return new Set(await db.column<string>(`${insert} ON CONFLICT DO NOTHING RETURNING encode(digest, 'hex') AS digest`, values));
}

/** Forgets up to `limit` assertions that ended before `before`; says how many. */
export function removeAssertionUses(db: Db, tenantId: string, before: Date, limit: number): Promise<number> {
  return db.run(
    `DELETE FROM assertion_uses WHERE tenant_id = $1 AND digest IN
       (SELECT digest FROM assertion_uses WHERE tenant_id = $1 AND expires_at < $2 ORDER BY expires_at LIMIT $3)`,
    [tenantId, before, limit],
  );
}

/** Writes times of last use, never an earlier one over a later one. */
export async function updateLastUsed(db: Db, tenantId: string, used: ReadonlyMap<string, Date>): Promise<void> {
  await db.run(
    `UPDATE personal_clients c SET last_used_at = used.at FROM unnest($2::text[], $3::timestamptz[]) AS used (id, at)
     WHERE c.tenant_id = $1 AND c.id = used.id AND (c.last_used_at IS NULL OR c.last_used_at < used.at)`,
    [tenantId, [...used.keys()], [...used.values()]],
  );
  // The first use of a connector's credential ends the one before it a day later.
  await db.run(
    `UPDATE personal_clients o SET expires_at = n.last_used_at + interval '24 hours', updated_at = n.last_used_at FROM personal_clients n
     WHERE n.tenant_id = $1 AND n.id = ANY ($2) AND n.kind = 'CONNECTOR' AND o.tenant_id = n.tenant_id AND o.source_id = n.source_id
       AND o.source_id <> '' AND o.id < n.id AND o.expires_at IS NULL AND o.deleted_at IS NULL`,
    [tenantId, [...used.keys()]],
  );
}

/** A key pair that signs access tokens. */
export interface SigningKeyRow {
  readonly id: string;
  readonly publicJwk: JsonWebKey;
  readonly privateJwk: JsonWebKey;
  readonly createdAt: Date;
  /** From then on it signs nothing new. */
  readonly retiredAt: Date | null;
}

/** The keys that sign or were retired after `retiredSince`, newest first. */
export function listSigningKeys(db: Db, tenantId: string, retiredSince: Date): Promise<SigningKeyRow[]> {
  return db.rows<SigningKeyRow>(
    `SELECT id, public_jwk AS "publicJwk", private_jwk AS "privateJwk", created_at AS "createdAt", retired_at AS "retiredAt"
     FROM signing_keys WHERE tenant_id = $1 AND (retired_at IS NULL OR retired_at > $2) ORDER BY id DESC`,
    [tenantId, retiredSince],
  );
}

/** Waits for whoever else rotates the keys of this tenant, until the end of the transaction. */
export async function lockSigningKeys(db: Db, tenantId: string): Promise<void> {
  await db.rows(`SELECT pg_advisory_xact_lock(hashtextextended($1, 2))`, [`countersign.signing_keys.${tenantId}`]);
}

/** Adds a key. */
export async function insertSigningKey(db: Db, tenantId: string, row: SigningKeyRow): Promise<void> {
  await db.run(`INSERT INTO signing_keys (tenant_id, id, public_jwk, private_jwk, created_at) VALUES ($1, $2, $3, $4, $5)`, [
    tenantId,
    row.id,
    JSON.stringify(row.publicJwk),
    JSON.stringify(row.privateJwk),
    row.createdAt,
  ]);
}

/** Retires every key that still signs, but this one. */
export async function endOtherSigningKeys(db: Db, tenantId: string, exceptId: string, now: Date): Promise<void> {
  await db.run(`UPDATE signing_keys SET retired_at = $3 WHERE tenant_id = $1 AND id <> $2 AND retired_at IS NULL`, [
    tenantId,
    exceptId,
    now,
  ]);
}
