/** SQL of sessions: the tables `sessions` and `session_limits`. */
import type { SessionSettingsJson } from '../../../gen/c1/api/settings/v1/settings_pb.js';
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';
import { getIsIssuerGoneSql, getIssuedMayAnswerSql, getMakersSql, getMergedSql, listDelegatorsSql } from '../../directory/index.ts';
import type { SessionLimits } from './limits.ts';
import { getHasProviderSql } from './reads.ts';

/** A session as it was begun. */
export interface NewSession {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly userId: string;
  readonly issuerId: string;
  /** As in `sessions.how`. */
  readonly how: 'LINK' | 'MAIL' | 'PROVIDER' | 'DEVICE';
  readonly providerId: string;
  readonly address: string;
  readonly browser: string;
  /** The moment from which its length counts; null for its beginning. */
  readonly boundAt: Date | null;
  /** The moment at which the person proved who they are; null for its beginning. */
  readonly provenAt: Date | null;
}

/** A session that did not end. */
export interface SessionRow extends Omit<NewSession, 'boundAt' | 'provenAt'> {
  readonly boundAt: Date;
  readonly provenAt: Date;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

const columns = sql`s.id, s.token_hash AS "tokenHash", s.user_id AS "userId", s.issuer_id AS "issuerId", s.how, s.provider_id AS "providerId",
  s.address, s.browser, s.created_at AS "createdAt", s.last_used_at AS "lastUsedAt", coalesce(s.bound_at, s.created_at) AS "boundAt",
  coalesce(s.proven_at, s.created_at) AS "provenAt"`;

/** True if the person of the session `s` was away at any moment since it began: it is over for good. */
const wasAway = sql`EXISTS (SELECT FROM departures_known d WHERE d.tenant_id = s.tenant_id AND d.user_id = s.user_id
  AND (d.left_at >= s.created_at OR d.returned_at > s.created_at))`;

/** A session with all that deciding about a request needs. */
export interface SessionState extends SessionRow {
  readonly userStatus: string;
  readonly userType: string;
  /** True if the person was disabled, deleted or terminated at any moment since it began. */
  readonly wasAway: boolean;
  /**
   * True if it began with a link by mail or a provider, which prove an address, or with a code or a link of their own that somebody may have confirmed or
   * printed in such a session, and the address is not the person's any more.
   */
  readonly hasMoved: boolean;
  /** True if whoever issued it was disabled, deleted or terminated since. */
  readonly isIssuerGone: boolean;
  /** Ids of the roles the person holds, Basic User left out. */
  readonly roleIds: string[];
  /** Those whose tasks the person may decide in their place right now. */
  readonly delegatorIds: string[];
  /** People who issued it, and who made those who did; empty for a person's own. */
  readonly makerIds: readonly string[];
  readonly issuedAllowed: boolean;
  /** True if what its issuer issued may answer now. */
  readonly issuedMayAnswer: boolean;
  /** The session settings of the tenant; null where none were ever set. */
  readonly settings: SessionSettingsJson | null;
  /** Null where the tenant set no limits. */
  readonly idleSeconds: number | null;
  readonly lengthSeconds: number | null;
}

/** The session with this digest of its token, unless it ended; one query, since every request of a browser asks it. */
export function findSession(context: Context, tokenHash: Buffer, mailsLinks: boolean): Promise<SessionState | undefined> {
  const { tenantId, now } = context;
  return context.db.maybe<SessionState>(
    sql`SELECT ${columns}, u.status AS "userStatus", u.user_type AS "userType", t.issued_credentials_allowed AS "issuedAllowed", ${getIssuedMayAnswerSql('s.issuer_id', mailsLinks, getHasProviderSql())} AS "issuedMayAnswer", g.document AS settings,
        l.idle_seconds AS "idleSeconds", l.length_seconds AS "lengthSeconds",
        ${wasAway} AS "wasAway",
        (s.how <> 'LINK' OR s.bound_at IS NOT NULL AND s.issuer_id = '') AND EXISTS (SELECT FROM address_changes m
          WHERE m.tenant_id = s.tenant_id AND m.user_id = s.user_id AND m.changed_at >= s.created_at) AS "hasMoved",
        ${getIsIssuerGoneSql('s')} AS "isIssuerGone",
        CASE WHEN s.issuer_id <> '' THEN ${getMakersSql('s.tenant_id', 'ARRAY[s.issuer_id]')} ELSE '{}' END
          || ${getMergedSql(sql`s.tenant_id`, sql`s.user_id`)} AS "makerIds",
        ARRAY(SELECT r.role_id FROM roles_held r WHERE r.tenant_id = s.tenant_id AND r.user_id = s.user_id) AS "roleIds",
        ${listDelegatorsSql(sql`s.tenant_id`, sql`s.user_id`, now)} AS "delegatorIds"
      FROM sessions s
        JOIN users_public u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
        JOIN tenants_public t ON t.tenant_id = s.tenant_id AND t.deleted_at IS NULL
        LEFT JOIN session_settings g ON g.tenant_id = s.tenant_id
        LEFT JOIN session_limits l ON l.tenant_id = s.tenant_id
      WHERE s.tenant_id = ${tenantId} AND s.token_hash = ${tokenHash} AND s.ended_at IS NULL`,
  );
}

/** The limits of the tenant; undefined where none were set. */
export function findLimits(context: Context): Promise<SessionLimits | undefined> {
  return context.db.maybe<SessionLimits>(
    sql`SELECT l.idle_seconds AS "idleSeconds", l.length_seconds AS "lengthSeconds" FROM session_limits l WHERE l.tenant_id = ${context.tenantId}`,
  );
}

/** Adds a session that begins now. */
export async function insertSession(context: Context, row: NewSession): Promise<void> {
  await context.db.run(
    sql`INSERT INTO sessions (tenant_id, id, token_hash, user_id, issuer_id, how, provider_id, address, browser, bound_at, proven_at, created_at, last_used_at)
      VALUES (${context.tenantId}, ${row.id}, ${row.tokenHash}, ${row.userId}, ${row.issuerId}, ${row.how}, ${row.providerId}, ${row.address},
        ${row.browser}, ${row.boundAt}, ${row.provenAt}, ${context.now}, ${context.now})`,
  );
}

/** The addresses from which a person began their own sessions, as long as these are kept. */
export function listOwnAddresses(context: Context, userId: string): Promise<string[]> {
  return context.db.column<string>(
    sql`SELECT DISTINCT s.address FROM sessions s WHERE s.tenant_id = ${context.tenantId} AND s.user_id = ${userId} AND s.issuer_id = ''`,
  );
}

/** Notes that a session is used now, where that was noted last before `before`. */
export async function updateLastUsed(context: Context, id: string, before: Date): Promise<void> {
  await context.db.run(
    sql`UPDATE sessions SET last_used_at = ${context.now} WHERE tenant_id = ${context.tenantId} AND id = ${id} AND last_used_at <= ${before}`,
  );
}

/** Ends a session; says whether it was still there. */
export async function endSession(context: Context, id: string): Promise<boolean> {
  const ended = await context.db.run(
    sql`UPDATE sessions SET ended_at = ${context.now} WHERE tenant_id = ${context.tenantId} AND id = ${id} AND ended_at IS NULL`,
  );
  return ended > 0;
}

/** Ends the sessions of a person but `exceptId`, or `only` this one of them, and returns their ids. */
export function endSessionsOf(context: Context, userId: string, exceptId: string, only = ''): Promise<string[]> {
  return context.db.column<string>(
    sql`UPDATE sessions SET ended_at = ${context.now} WHERE tenant_id = ${context.tenantId} AND user_id = ${userId} AND id <> ${exceptId}
      AND (${only} = '' OR id = ${only}) AND ended_at IS NULL RETURNING id`,
  );
}

/** Ends the sessions that began with an identity provider, and returns their ids. */
export async function endSessionsOfProvider(context: Context, providerId: string): Promise<string[]> {
  const found = await context.db.column<string>(
    sql`UPDATE sessions SET ended_at = ${context.now} WHERE tenant_id = ${context.tenantId} AND provider_id = ${providerId} AND ended_at IS NULL
      RETURNING id`,
  );
  return found.sort();
}

/** Condition that a session `s` is neither ended nor, by these limits or by a departure, over, and comes after a page that ended at `before`, the newest first. */
function livesBefore({ tenantId, now }: Context, limits: SessionLimits, before: string): Sql {
  const since = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
  const behind = before === '' ? sql`TRUE` : sql`s.id < ${before}`;
  return sql`s.tenant_id = ${tenantId} AND s.ended_at IS NULL AND coalesce(s.bound_at, s.created_at) > ${since(limits.lengthSeconds)}
    AND s.last_used_at > ${since(limits.idleSeconds)} AND NOT ${wasAway} AND ${behind}`;
}

/** Sessions of a person that are neither ended nor, by these limits, over; the newest first. */
export function listSessions(
  context: Context,
  userId: string,
  limits: SessionLimits,
  before: string,
  limit: number,
): Promise<SessionRow[]> {
  return context.db.rows<SessionRow>(
    sql`SELECT ${columns} FROM sessions s WHERE ${livesBefore(context, limits, before)} AND s.user_id = ${userId}
      ORDER BY s.id DESC LIMIT ${limit}`,
  );
}

/** A session and whose it is. */
export interface OwnedSessionRow extends SessionRow {
  readonly displayName: string;
  readonly email: string;
  /** Empty for a link. */
  readonly providerName: string;
}

/** The same of everybody, or of these people: of those alone who may still have one. */
export function listAllSessions(
  context: Context,
  userIds: readonly string[] | undefined,
  limits: SessionLimits,
  before: string,
  limit: number,
): Promise<OwnedSessionRow[]> {
  const whose = userIds === undefined ? sql`TRUE` : sql`s.user_id = ANY (${userIds})`;
  return context.db.rows<OwnedSessionRow>(
    sql`SELECT ${columns}, u.display_name AS "displayName", u.email, coalesce(c.document ->> 'displayName', '') AS "providerName"
      FROM sessions s
        JOIN users_public u ON u.tenant_id = s.tenant_id AND u.id = s.user_id AND u.status = 'ENABLED'
        LEFT JOIN auth_configs c ON c.tenant_id = s.tenant_id AND c.id = s.provider_id
      WHERE ${livesBefore(context, limits, before)} AND ${whose}
      ORDER BY s.id DESC LIMIT ${limit}`,
  );
}

/** A session of anybody by its id, unless it ended. */
export function findLiveSession(context: Context, id: string): Promise<SessionRow | undefined> {
  return context.db.maybe<SessionRow>(
    sql`SELECT ${columns} FROM sessions s WHERE s.tenant_id = ${context.tenantId} AND s.id = ${id} AND s.ended_at IS NULL`,
  );
}

/** True if access that administrators issue for others is allowed in the tenant. */
export async function findIssuedAllowed(context: Context): Promise<boolean> {
  const found = await context.db.maybeValue<boolean>(
    sql`SELECT t.issued_credentials_allowed AS allowed FROM tenants_public t WHERE t.tenant_id = ${context.tenantId}`,
  );
  return found === true;
}

/** A session by its id, unless it ended. */
export function findOwnSession(context: Context, id: string): Promise<SessionRow | undefined> {
  return context.db.maybe<SessionRow>(
    sql`SELECT ${columns} FROM sessions s
      WHERE s.tenant_id = ${context.tenantId} AND s.id = ${id} AND s.user_id = ${context.actor.userId} AND s.ended_at IS NULL`,
  );
}

/** Sets the limits of the tenant. */
export async function updateLimits(context: Context, limits: SessionLimits): Promise<void> {
  await context.db.run(
    sql`INSERT INTO session_limits (tenant_id, idle_seconds, length_seconds, updated_at)
      VALUES (${context.tenantId}, ${limits.idleSeconds}, ${limits.lengthSeconds}, ${context.now})
      ON CONFLICT (tenant_id) DO UPDATE SET idle_seconds = excluded.idle_seconds, length_seconds = excluded.length_seconds,
        updated_at = excluded.updated_at`,
  );
}
