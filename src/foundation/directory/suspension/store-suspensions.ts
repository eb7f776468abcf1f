/**
 * SQL of what is suspended: the table `suspensions`, which a trigger of `users` fills as people stop being enabled, and others empty as roles and
 * delegations are given anew and credentials revoked.
 */
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';

/** Kind of what is suspended (`suspensions.kind`). */
export type SuspensionKind = 'ROLE' | 'CREDENTIAL' | 'DELEGATION';
/** Reason (`suspensions.cause`): UPGRADED where somebody had left before anything was suspended. */
export type SuspensionCause = 'DISABLED' | 'DELETED' | 'UPGRADED';

/** Something that a person held when they left. */
export interface SuspensionRow {
  readonly userId: string;
  readonly kind: SuspensionKind;
  /** The role, the credential, or the person in whose place somebody decided. */
  readonly objectId: string;
  /** Of a delegation: who decided, and the times. */
  readonly delegatedUserId: string;
  readonly startsAt: Date | null;
  readonly expiresAt: Date | null;
  readonly givenAt: Date;
  readonly suspendedAt: Date;
  readonly cause: SuspensionCause;
  /** The source that said so; empty where none did. */
  readonly sourceId: string;
}

/** More credentials than these are counted in an event, not named. */
const maxNamed = 100;

/** Events of what was suspended in this transaction, one for each person: what each lost, and why. */
export const getUntoldSql = ({ tenantId }: Context): Sql => sql`SELECT s.user_id AS target_id, jsonb_build_object(
      'cause', min(s.cause), 'sourceId', min(s.source_id),
      'roleIds', coalesce(jsonb_agg(s.object_id ORDER BY s.object_id) FILTER (WHERE s.kind = 'ROLE'), '[]'),
      'credentialIds', coalesce(jsonb_path_query_array(jsonb_agg(s.object_id ORDER BY s.object_id) FILTER (WHERE s.kind = 'CREDENTIAL'),
        '$[0 to $last]', jsonb_build_object('last', ${maxNamed - 1}::integer)), '[]'),
      'credentials', count(*) FILTER (WHERE s.kind = 'CREDENTIAL'),
      'delegatedUserId', coalesce(min(s.delegated_user_id) FILTER (WHERE s.kind = 'DELEGATION' AND s.object_id = s.user_id), ''),
      'delegators', count(*) FILTER (WHERE s.kind = 'DELEGATION' AND s.object_id <> s.user_id)) AS data
    FROM suspensions s WHERE s.tenant_id = ${tenantId} AND NOT s.is_told GROUP BY s.user_id`;

/** Notes that the events of all suspensions are written. */
export async function updateTold({ db, tenantId }: Context): Promise<void> {
  await db.run(sql`UPDATE suspensions SET is_told = TRUE WHERE tenant_id = ${tenantId} AND NOT is_told`);
}

/** Forgets the suspended delegation by which somebody decided in a person's place. */
export async function removeSuspendedDelegation({ db, tenantId }: Context, userId: string): Promise<void> {
  await db.run(sql`DELETE FROM suspensions WHERE tenant_id = ${tenantId} AND object_id = ${userId} AND kind = 'DELEGATION'`);
}

/** Forgets all that is suspended of a person, or because of them. */
export async function removeSuspensionsOf(context: Context, userId: string): Promise<void> {
  await context.db.run(sql`DELETE FROM suspensions WHERE tenant_id = ${context.tenantId} AND user_id = ${userId}`);
  await removeSuspendedWith(context, userId);
}

/** Forgets the suspended delegations of others from or to a person who is gone for good: nobody could restore them. */
export async function removeSuspendedWith({ db, tenantId }: Context, userId: string): Promise<void> {
  await db.run(
    sql`DELETE FROM suspensions WHERE tenant_id = ${tenantId} AND kind = 'DELEGATION' AND user_id <> ${userId}
      AND (object_id = ${userId} OR delegated_user_id = ${userId})`,
  );
}

/** One that is named. */
export type SuspensionKey = Pick<SuspensionRow, 'kind' | 'objectId'>;

/** Condition that the suspension `s` is of the person and, where some are named, one of them. */
function getIsChosenSql({ tenantId }: Context, userId: string, chosen: readonly SuspensionKey[]): Sql {
  const isNamed =
    chosen.length === 0
      ? sql`TRUE`
      : sql`(s.kind, s.object_id) IN (SELECT * FROM unnest(${chosen.map(({ kind }) => kind)}::text[], ${chosen.map(({ objectId }) => objectId)}::text[]))`;
  return sql`s.tenant_id = ${tenantId} AND s.user_id = ${userId} AND ${isNamed}`;
}

/** A suspension as it is listed. */
export interface ListedSuspension extends SuspensionRow {
  /** The other person of a delegation; empty where it is none. */
  readonly otherName: string;
}

/** A page of what of a person is suspended, by kind and object. */
export function listSuspensions(
  context: Context,
  userId: string,
  after: SuspensionKey | undefined,
  limit: number,
): Promise<ListedSuspension[]> {
  const behind = after === undefined ? sql`TRUE` : sql`(s.kind, s.object_id) > (${after.kind}, ${after.objectId})`;
  return context.db.rows<ListedSuspension>(
    sql`SELECT s.user_id AS "userId", s.kind, s.object_id AS "objectId", s.delegated_user_id AS "delegatedUserId", s.starts_at AS "startsAt",
        s.expires_at AS "expiresAt", s.given_at AS "givenAt", s.suspended_at AS "suspendedAt", s.cause, s.source_id AS "sourceId",
        coalesce(nullif(o.display_name, ''), o.email, '') AS "otherName"
      FROM suspensions s LEFT JOIN users o ON s.kind = 'DELEGATION' AND o.tenant_id = s.tenant_id
        AND o.id = CASE WHEN s.object_id = s.user_id THEN s.delegated_user_id ELSE s.object_id END
      WHERE s.tenant_id = ${context.tenantId} AND s.user_id = ${userId} AND ${behind}
      ORDER BY s.kind, s.object_id LIMIT ${limit}`,
  );
}

/** A person of whom something is suspended. */
export interface SuspendedPersonRow {
  readonly userId: string;
  readonly displayName: string;
  readonly email: string;
  readonly status: string;
  readonly roles: number;
  readonly credentials: number;
  readonly delegations: number;
  readonly suspendedAt: Date;
}

/** A page of the people of whom something is suspended, by id: of those alone who are enabled again, or of all. */
export function listSuspendedPeople(context: Context, onlyEnabled: boolean, after: string, limit: number): Promise<SuspendedPersonRow[]> {
  return context.db.rows<SuspendedPersonRow>(
    sql`SELECT u.id AS "userId", u.display_name AS "displayName", u.email, u.status, n.roles, n.credentials, n.delegations,
        n.suspended_at AS "suspendedAt"
      FROM (SELECT s.user_id, count(*) FILTER (WHERE s.kind = 'ROLE')::int AS roles, count(*) FILTER (WHERE s.kind = 'CREDENTIAL')::int AS credentials,
          count(*) FILTER (WHERE s.kind = 'DELEGATION')::int AS delegations, max(s.suspended_at) AS suspended_at
        FROM suspensions s JOIN users p ON p.tenant_id = s.tenant_id AND p.id = s.user_id AND (p.status = 'ENABLED' OR NOT ${onlyEnabled}::boolean)
        WHERE s.tenant_id = ${context.tenantId} AND s.user_id > ${after} GROUP BY s.user_id ORDER BY s.user_id LIMIT ${limit}) n
      JOIN users u ON u.tenant_id = ${context.tenantId} AND u.id = n.user_id ORDER BY u.id`,
  );
}

/** Counts what of a person is suspended, of those named or of all. */
export function countSuspensions(context: Context, userId: string, chosen: readonly SuspensionKey[]): Promise<number> {
  return context.db.value<number>(sql`SELECT count(*) AS count FROM suspensions s WHERE ${getIsChosenSql(context, userId, chosen)}`);
}

/** Gives the suspended roles back from now on, and returns their ids; a trigger forgets that they were suspended. */
export async function restoreRoles(context: Context, userId: string, chosen: readonly SuspensionKey[]): Promise<string[]> {
  const found = await context.db.column<string>(
    sql`INSERT INTO user_roles (tenant_id, user_id, role_id, created_at)
      SELECT s.tenant_id, s.user_id, s.object_id, ${context.now} FROM suspensions s
      WHERE ${getIsChosenSql(context, userId, chosen)} AND s.kind = 'ROLE' ON CONFLICT DO NOTHING RETURNING role_id AS id`,
  );
  return found.sort();
}

/** Lets the suspended credentials answer again, and returns their ids. */
export async function restoreCredentials(context: Context, userId: string, chosen: readonly SuspensionKey[]): Promise<string[]> {
  const found = await context.db.column<string>(
    sql`DELETE FROM suspensions s WHERE ${getIsChosenSql(context, userId, chosen)} AND s.kind = 'CREDENTIAL' RETURNING s.object_id AS id`,
  );
  return found.sort();
}

/**
 * Puts suspended delegations in force again, the person's own or those to them, and returns how many. One stays suspended where a person of it is not enabled or
 * whoever made it is among `exceptIds`; whoever has another delegate by now has none that is suspended. What is over meanwhile is forgotten.
 */
export async function restoreDelegations(
  context: Context,
  userId: string,
  chosen: readonly SuspensionKey[],
  which: 'own' | 'others',
  exceptIds: readonly string[],
): Promise<number> {
  const { db, tenantId, now } = context;
  const isWhich = which === 'own' ? sql`s.object_id = s.user_id` : sql`s.object_id <> s.user_id`;
  const isChosen = sql`${getIsChosenSql(context, userId, chosen)} AND s.kind = 'DELEGATION' AND ${isWhich}`;
  await db.run(sql`DELETE FROM suspensions s WHERE ${isChosen} AND s.expires_at <= ${now}`);
  return db.run(
    sql`WITH restored AS (
        INSERT INTO delegations (tenant_id, user_id, delegated_user_id, starts_at, expires_at, created_at, updated_at)
        SELECT s.tenant_id, s.object_id, s.delegated_user_id, s.starts_at, s.expires_at, s.given_at, ${now} FROM suspensions s
        JOIN users a ON a.tenant_id = s.tenant_id AND a.id = s.object_id AND a.status = 'ENABLED'
        JOIN users b ON b.tenant_id = s.tenant_id AND b.id = s.delegated_user_id AND b.status = 'ENABLED'
        WHERE ${isChosen} AND s.object_id <> ALL (${exceptIds})
        ON CONFLICT (tenant_id, user_id) DO UPDATE SET delegated_user_id = excluded.delegated_user_id, starts_at = excluded.starts_at,
          expires_at = excluded.expires_at, updated_at = excluded.updated_at WHERE delegations.expires_at <= ${now}
        RETURNING user_id)
      DELETE FROM suspensions s USING restored r WHERE s.tenant_id = ${tenantId} AND s.kind = 'DELEGATION' AND s.object_id = r.user_id`,
  );
}

/** Who decided in a person's place, of a delegation that is suspended; undefined for nobody. */
export function findSuspendedDelegate({ db, tenantId }: Context, userId: string): Promise<string | undefined> {
  return db.maybeValue<string>(
    sql`SELECT s.delegated_user_id AS id FROM suspensions s
      WHERE s.tenant_id = ${tenantId} AND s.user_id = ${userId} AND s.kind = 'DELEGATION' AND s.object_id = ${userId}`,
  );
}
