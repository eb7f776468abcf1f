/**
 * SQL of what happened to grants: the feed of additions and removals, newest first, and the grants that ended. Two ways lead to a page, as
 * in store-search.ts. By revision: the next revisions of the chosen apps, then what each added and removed, so a page costs in proportion
 * to itself, and to the revisions it passes over that changed nothing of this kind. By holder or entitlement, where such are named: all
 * their grants ever, sorted.
 *
 * App access that follows from having an account is left out, unless it is asked for as an entitlement.
 */
import type { Scope } from '../../scope.ts';

/** An app's object by both its ids. */
export interface Ref {
  readonly appId: string;
  readonly id: string;
}

/** Which events; a member that is undefined filters nothing. Those of deleted apps are never among them. */
export interface FeedFilter {
  readonly appIds?: readonly string[] | undefined;
  readonly entitlements?: readonly Ref[] | undefined;
  readonly accounts?: readonly Ref[] | undefined;
  /** Who owns the account now. */
  readonly userIds?: readonly string[] | undefined;
  /** From this moment on. */
  readonly after?: Date | undefined;
  /** Before this moment. */
  readonly before?: Date | undefined;
}

/** The key of an event: of one revision, additions and removals by entitlement and account. */
export interface FeedPlace {
  readonly revision: number;
  readonly entitlementId: string;
  readonly accountId: string;
  /** A for added, R for removed: what was taken and given back by one revision stands in this order, newest first. */
  readonly type: 'A' | 'R';
}

/** Something that was added or removed. */
export interface FeedRow extends FeedPlace {
  readonly appId: string;
  readonly addedRevision: number;
  readonly grantedAt: Date | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  /** When the revision was made. */
  readonly date: Date;
}

/** Before the first event of any feed. */
export const feedStart: FeedPlace = { revision: Number.MAX_SAFE_INTEGER, entitlementId: '', accountId: '', type: 'A' };

const columns = `g.app_id AS "appId", g.entitlement_id AS "entitlementId", g.account_id AS "accountId", g.added_revision AS "addedRevision",
  g.granted_at AS "grantedAt", g.created_at AS "createdAt", g.ended_at AS "endedAt", r.revision, r.made_at AS date`;

/** Which types, in the order of a page. */
type Types = readonly ('A' | 'R')[];
const revisionOf = { A: 'added_revision', R: 'removed_revision' } as const;

/** A page of additions and removals after a place, newest first. */
export function listFeed(scope: Scope, filter: FeedFilter, after: FeedPlace, limit: number): Promise<FeedRow[]> {
  return list(scope, filter, ['A', 'R'], after, limit);
}

/** A page of removals alone: the grants that ended, the last to end first. */
export function listPastGrants(scope: Scope, filter: FeedFilter, after: FeedPlace, limit: number): Promise<FeedRow[]> {
  return list(scope, filter, ['R'], after, limit);
}

function list(scope: Scope, filter: FeedFilter, types: Types, after: FeedPlace, limit: number): Promise<FeedRow[]> {
  const values: unknown[] = [scope.tenantId, limit, after.revision, after.entitlementId, after.accountId];
  const add = (value: unknown): string => `$${values.push(value)}`;
  // A look for each revision on the way, so that they are still read from the newest on and no further than the page needs.
  const isOfLiveApp = '(SELECT p.deleted_at IS NULL FROM apps p WHERE p.tenant_id = $1 AND p.id = r.app_id)';
  const revisions = ['r.tenant_id = $1', 'r.revision <= $3', isOfLiveApp];
  if (filter.appIds !== undefined) {
    revisions.push(`r.app_id = ANY (${add(filter.appIds)})`);
  }
  if (filter.after !== undefined) {
    revisions.push(`r.made_at >= ${add(filter.after)}`);
  }
  if (filter.before !== undefined) {
    revisions.push(`r.made_at < ${add(filter.before)}`);
  }
  const where = revisions.join(' AND ');
  const held = heldBy(filter, add);
  const sql = held === undefined ? byRevision(where, types, after) : byHolder(where, types, after, held);
  return scope.db.rows<FeedRow>(sql, values);
}

/** What follows the place within its own revision; of the very same grant, its removal follows its addition. */
function follows(type: 'A' | 'R', after: FeedPlace): string {
  return type === 'R' && after.type === 'A' && after.entitlementId !== '' ? '>=' : '>';
}

function byRevision(where: string, types: Types, after: FeedPlace): string {
  const parts = types.map(
    (type) => `(SELECT n.*, '${type}' AS type FROM grants n
       WHERE n.tenant_id = $1 AND n.${revisionOf[type]} = r.revision AND NOT n.is_derived AND (n.entitlement_id, n.account_id)
         ${follows(type, after)} (CASE WHEN r.revision = $3 THEN $4 ELSE '' END, CASE WHEN r.revision = $3 THEN $5 ELSE '' END)
       ORDER BY n.entitlement_id, n.account_id LIMIT $2)`,
  );
  return `SELECT ${columns}, g.type
    FROM (SELECT r.revision, r.made_at FROM inventory_revisions r WHERE ${where} ORDER BY r.revision DESC) AS r
    CROSS JOIN LATERAL (${parts.join(' UNION ALL ')}) AS g
    ORDER BY r.revision DESC, g.entitlement_id, g.account_id, g.type LIMIT $2`;
}

function byHolder(where: string, types: Types, after: FeedPlace, held: string): string {
  const parts = types.map(
    (type) => `SELECT ${columns}, '${type}' AS type FROM held g JOIN inventory_revisions r ON r.revision = g.${revisionOf[type]}
       WHERE ${where} AND (r.revision < $3 OR (g.entitlement_id, g.account_id) ${follows(type, after)} ($4, $5))`,
  );
  return `WITH held AS MATERIALIZED (${held}) SELECT * FROM (${parts.join(' UNION ALL ')}) AS x
    ORDER BY revision DESC, "entitlementId", "accountId", type LIMIT $2`;
}

/** All grants ever of the chosen entitlements, accounts and people; undefined where none are chosen. */
function heldBy(filter: FeedFilter, add: (value: unknown) => string): string | undefined {
  const { entitlements, accounts, userIds } = filter;
  if (entitlements === undefined && accounts === undefined && userIds === undefined) {
    return undefined;
  }
  const refs = (list: readonly Ref[]): string =>
    `(SELECT DISTINCT x.app_id, x.id FROM unnest(${add(list.map((ref) => ref.appId))}::text[], ${add(list.map((ref) => ref.id))}::text[]) AS x (app_id, id))`;
  const joins: string[] = [];
  const where = ['g.tenant_id = $1'];
  if (entitlements === undefined) {
    where.push('NOT g.is_derived');
  } else {
    joins.push(`JOIN ${refs(entitlements)} AS e ON e.app_id = g.app_id AND e.id = g.entitlement_id`);
  }
  if (accounts !== undefined) {
    joins.push(`JOIN ${refs(accounts)} AS a ON a.app_id = g.app_id AND a.id = g.account_id`);
  }
  if (userIds !== undefined) {
    joins.push(`JOIN accounts u ON u.tenant_id = $1 AND u.app_id = g.app_id AND u.id = g.account_id AND u.user_id = ANY (${add(userIds)})`);
  }
  return `SELECT g.* FROM grants g ${joins.join(' ')} WHERE ${where.join(' AND ')}`;
}
