/** SQL of what sources ask to change of people: the table `person_claims`. */
import type { Context } from '../../context.ts';
import { allSql, fixed, type Sql, sql } from '../../lib/sql.ts';
import { type Conditions, listConditions } from '../../lib/where.ts';
import type { Wanted } from './content.ts';

/** Reason a claim waits (`person_claims.kind`): the person is not the source's, or is the source's own and holds a role. */
export type ClaimKind = 'MATCH' | 'CHANGE';
/** State of a claim (`person_claims.state`). */
export type ClaimState = 'WAITING' | 'ACCEPTED' | 'REJECTED';

/** A claim as it was made and decided. */
export interface ClaimRow {
  readonly id: string;
  readonly sourceId: string;
  readonly userId: string;
  readonly kind: ClaimKind;
  readonly state: ClaimState;
  readonly wanted: Wanted;
  readonly createdAt: Date;
  readonly decidedAt: Date | null;
  readonly decidedById: string;
}

/** A claim with the names of what it is about. */
export interface ListedClaim extends ClaimRow {
  readonly userDisplayName: string;
  readonly userEmail: string;
  readonly holdsRole: boolean;
  readonly appId: string;
  readonly appDisplayName: string;
  /** The names of the manager now and of the one that the claim wants; '' for none. */
  readonly managerName: string;
  readonly wantedManagerName: string;
  /** Person's values now of the members that a claim can be about; '' for nothing. */
  readonly said: Readonly<Record<string, string>>;
}

/** More claims than these are not counted. */
export const maxCounted = 1_000;

const columns = fixed(`c.id, c.source_id AS "sourceId", c.user_id AS "userId", c.kind, c.state, c.wanted, c.created_at AS "createdAt",
  c.decided_at AS "decidedAt", c.decided_by_id AS "decidedById"`);

const listed = fixed(`u.display_name AS "userDisplayName", u.email AS "userEmail", c.app_id AS "appId",
  coalesce(a.display_name, '') AS "appDisplayName", coalesce(m.display_name, '') AS "managerName",
  coalesce(w.display_name, '') AS "wantedManagerName",
  EXISTS (SELECT FROM roles_held r WHERE r.tenant_id = c.tenant_id AND r.user_id = c.user_id) AS "holdsRole",
  jsonb_build_object('email', u.email, 'status', u.status, 'managerId', coalesce(u.manager_id, ''), 'displayName', u.display_name,
    'username', u.username, 'employeeId', u.employee_id, 'externalId', u.external_id, 'employmentType', u.employment_type,
    'department', u.department, 'jobTitle', u.job_title) AS said`);

/** A source that was deleted asks for nothing any more. */
const ofSources = fixed('JOIN sources_public s ON s.tenant_id = c.tenant_id AND s.id = c.source_id AND s.deleted_at IS NULL');

/** What a claim `c` is about, each looked up by its key. The id of the manager is a column of its own: one taken out of JSON on the spot finds no index. */
const from = fixed(`JOIN users_public u ON u.tenant_id = c.tenant_id AND u.id = c.user_id
  LEFT JOIN apps_public a ON a.tenant_id = c.tenant_id AND a.id = c.app_id
  LEFT JOIN users_public m ON m.tenant_id = u.tenant_id AND m.id = u.manager_id
  LEFT JOIN users_public w ON w.tenant_id = c.tenant_id AND w.id = c.wanted_manager_id`);

/** Claims to find; a member that is undefined filters nothing. */
export interface ClaimFilter {
  readonly state?: ClaimState | undefined;
  readonly sourceId?: string | undefined;
  readonly userId?: string | undefined;
}

const conditions: Conditions<ClaimFilter> = {
  state: (state) => sql`c.state = ${state}`,
  sourceId: (id) => sql`c.source_id = ${id}`,
  userId: (id) => sql`c.user_id = ${id}`,
};

function list(context: Context, where: readonly Sql[], limit: number): Promise<ListedClaim[]> {
  return context.db.rows<ListedClaim>(
    sql`WITH page AS MATERIALIZED (
        SELECT c.*, s.app_id, c.wanted ->> 'managerId' AS wanted_manager_id FROM person_claims c ${ofSources}
        WHERE ${allSql([sql`c.tenant_id = ${context.tenantId}`, ...where])} ORDER BY c.id LIMIT ${limit})
      SELECT ${columns}, ${listed} FROM page c ${from} ORDER BY c.id`,
  );
}

/** A page of claims by id. */
export function listClaims(context: Context, filter: ClaimFilter, after: string, limit: number): Promise<ListedClaim[]> {
  return list(context, [sql`c.id > ${after}`, ...listConditions(filter, conditions)], limit);
}

/** The claim with this id. */
export async function findClaim(context: Context, id: string): Promise<ListedClaim | undefined> {
  return (await list(context, [sql`c.id = ${id}`], 1))[0];
}

/** The claim with this id, held until the end of the transaction. */
export function lockClaim(context: Context, id: string): Promise<ClaimRow | undefined> {
  return context.db.maybe<ClaimRow>(
    sql`SELECT ${columns} FROM person_claims c WHERE c.tenant_id = ${context.tenantId} AND c.id = ${id} FOR UPDATE`,
  );
}

/** The latest claim of a source on a person, held until the end of the transaction. */
export function lockClaimOn(context: Context, userId: string, sourceId: string): Promise<ClaimRow | undefined> {
  return context.db.maybe<ClaimRow>(
    sql`SELECT ${columns} FROM person_claims c WHERE c.tenant_id = ${context.tenantId} AND c.user_id = ${userId} AND c.source_id = ${sourceId}
      FOR UPDATE`,
  );
}

/**
 * Ids of waiting claims of a source that may be accepted together, the oldest first: not of people who hold a role, not of an address, and none
 * that lets somebody in again.
 */
export function listEasyClaims(context: Context, sourceId: string, limit: number): Promise<string[]> {
  return context.db.column<string>(
    sql`SELECT c.id FROM person_claims c WHERE c.tenant_id = ${context.tenantId} AND c.source_id = ${sourceId} AND c.state = 'WAITING'
      AND NOT c.wanted ? 'email' AND c.wanted ->> 'status' IS DISTINCT FROM 'ENABLED'
      AND NOT EXISTS (SELECT FROM roles_held r WHERE r.tenant_id = c.tenant_id AND r.user_id = c.user_id)
      ORDER BY c.id LIMIT ${limit}`,
  );
}

/** Counts waiting claims, of a source or of all; at most `maxCounted`. */
export function countWaiting(context: Context, sourceId?: string): Promise<number> {
  const ofSource = sourceId === undefined ? sql`TRUE` : sql`c.source_id = ${sourceId}`;
  return context.db.value<number>(
    sql`SELECT count(*) AS count FROM (SELECT FROM person_claims c
      WHERE c.tenant_id = ${context.tenantId} AND c.source_id = ANY (ARRAY(
        SELECT s.id FROM sources_public s WHERE s.tenant_id = ${context.tenantId} AND s.deleted_at IS NULL)) AND c.state = 'WAITING' AND ${ofSource} LIMIT ${maxCounted}) AS waiting`,
  );
}

/** Adds a claim that waits. */
export async function insertClaim(
  context: Context,
  claim: Pick<ClaimRow, 'id' | 'sourceId' | 'userId' | 'kind' | 'wanted'>,
): Promise<void> {
  await context.db.run(
    sql`INSERT INTO person_claims (tenant_id, id, source_id, user_id, kind, state, wanted, created_at)
      VALUES (${context.tenantId}, ${claim.id}, ${claim.sourceId}, ${claim.userId}, ${claim.kind}, 'WAITING', ${JSON.stringify(claim.wanted)},
        ${context.now})`,
  );
}

/** Decides a claim. */
export async function updateClaim(context: Context, id: string, state: Exclude<ClaimState, 'WAITING'>): Promise<void> {
  await context.db.run(
    sql`UPDATE person_claims SET state = ${state}, decided_at = ${context.now}, decided_by_id = ${context.actor.userId}
      WHERE tenant_id = ${context.tenantId} AND id = ${id}`,
  );
}

/** Removes a claim: its source asks for it no longer. */
export async function removeClaim(context: Context, id: string): Promise<void> {
  await context.db.run(sql`DELETE FROM person_claims WHERE tenant_id = ${context.tenantId} AND id = ${id}`);
}
