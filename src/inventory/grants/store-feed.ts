/**
 * SQL of what happened to grants: the feed of additions and removals, newest first, and the grants that ended. Two ways lead to a page, as
 * in store-search.ts. By revision: the next revisions of the chosen apps, then what each added and removed, so a page costs in proportion
 * to itself, and to the revisions it passes over that changed nothing of this kind. By holder, where accounts or people are named: all
 * their grants ever, sorted. A few entitlements go either way: that of holders while their grants ever are few.
 *
 * App access that follows from having an account is left out, unless it is asked for as an entitlement.
 */
import { allSql, empty, fixed, joinSql, type Sql, sql } from '../../lib/sql.ts';
import { type Conditions, listConditions } from '../../lib/where.ts';
import type { Context } from '../../context.ts';

/** An app's object by both its ids. */
export interface Ref {
  readonly appId: string;
  readonly id: string;
}

/** Events to find; a member that is undefined filters nothing. Those of deleted apps are never among them. */
export interface FeedFilter {
  readonly appIds?: readonly string[] | undefined;
  readonly entitlements?: readonly Ref[] | undefined;
  readonly accounts?: readonly Ref[] | undefined;
  /** Owners of the account now. */
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
  /** A for added, R for removed: what was removed and granted again by one revision stands in this order, newest first. */
  readonly type: 'A' | 'R';
}

/** Something that was added or removed. */
export interface FeedRow extends FeedPlace {
  readonly appId: string;
  readonly addedRevision: number;
  readonly grantedAt: Date | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  /** Time of the revision. */
  readonly date: Date;
}

/** Before the first event of any feed. */
export const feedStart: FeedPlace = { revision: Number.MAX_SAFE_INTEGER, entitlementId: '', accountId: '', type: 'A' };

const columns = sql`g.app_id AS "appId", g.entitlement_id AS "entitlementId", g.account_id AS "accountId", g.added_revision AS "addedRevision",
  g.granted_at AS "grantedAt", g.created_at AS "createdAt", g.ended_at AS "endedAt", r.revision, r.made_at AS date, g.type`;

/** Event types, in the order of a page. */
type Types = readonly ('A' | 'R')[];
const revisionOf = { A: 'added_revision', R: 'removed_revision' } as const;

/** A page of additions and removals after a place, newest first. */
export function listFeed(context: Context, filter: FeedFilter, after: FeedPlace, limit: number): Promise<FeedRow[]> {
  return list(context, filter, ['A', 'R'], after, limit);
}

/** A page of removals alone: the grants that ended, the last to end first. */
export function listPastGrants(context: Context, filter: FeedFilter, after: FeedPlace, limit: number): Promise<FeedRow[]> {
  return list(context, filter, ['R'], after, limit);
}

/** More entitlements than this are looked for by their grants: each costs a look in each revision on the way. */
const maxChosen = 20;
/** More grants than this, and their revisions are read instead. */
const maxSorted = 2000;

/** A page that is asked for. */
interface Page {
  readonly tenantId: string;
  readonly filter: FeedFilter;
  readonly types: Types;
  readonly after: FeedPlace;
  readonly limit: number;
}

async function list(context: Context, filter: FeedFilter, types: Types, after: FeedPlace, limit: number): Promise<FeedRow[]> {
  const { entitlements, accounts, userIds } = filter;
  const hasHolders = accounts !== undefined || userIds !== undefined;
  const isByHolder = hasHolders || (entitlements !== undefined && !(await haveMany(context, entitlements)));
  const page: Page = { tenantId: context.tenantId, filter, types, after, limit };
  return context.db.rows<FeedRow>(isByHolder ? byHolder(page) : byRevision(page));
}

/** True if a few entitlements ever had many grants. */
async function haveMany(context: Context, entitlements: readonly Ref[]): Promise<boolean> {
  if (entitlements.length > maxChosen) {
    return false;
  }
  const found = await context.db.value<number>(
    sql`SELECT count(*) AS count FROM (${heldBy(context.tenantId, { entitlements })} LIMIT ${maxSorted + 1}) AS first`,
  );
  return found > maxSorted;
}

/** Compares with the place within its own revision; of the very same grant, its removal follows its addition. */
function follows(type: 'A' | 'R', after: FeedPlace): Sql {
  return type === 'R' && after.type === 'A' && after.entitlementId !== '' ? sql`>=` : sql`>`;
}

/** Conditions on a revision's time. */
const timeConditions: Conditions<Pick<FeedFilter, 'after' | 'before'>> = {
  after: (moment) => sql`r.made_at >= ${moment}`,
  before: (moment) => sql`r.made_at < ${moment}`,
};
const timesOf = ({ after, before }: FeedFilter): Sql[] => listConditions({ after, before }, timeConditions);

function byRevision({ tenantId, filter, types, after, limit }: Page): Sql {
  const { appIds, entitlements } = filter;
  const where = [
    sql`r.tenant_id = ${tenantId} AND r.revision <= ${after.revision}`,
    // A look for each revision on the way, so that they are still read from the newest on and no further than the page needs.
    sql`(SELECT p.deleted_at IS NULL FROM apps_public p WHERE p.tenant_id = ${tenantId} AND p.id = r.app_id)`,
    ...(appIds === undefined ? [] : [sql`r.app_id = ANY (${appIds})`]),
    ...(entitlements === undefined ? [] : [sql`r.app_id = ANY (ARRAY(SELECT c.app_id FROM chosen c))`]),
    ...timesOf(filter),
  ];
  /** The part of the place that holds in its own revision; every other one begins at its first grant. */
  const placeIn = (id: string): Sql => sql`CASE WHEN r.revision = ${after.revision} THEN ${id} ELSE '' END`;
  const ofRevision = (type: 'A' | 'R', which: Sql): Sql =>
    sql`SELECT n.*, ${fixed(`'${type}'`)} AS type FROM grants_public n
       WHERE n.tenant_id = ${tenantId} AND n.${fixed(revisionOf[type])} = r.revision AND ${which} AND (n.entitlement_id, n.account_id)
         ${follows(type, after)} (${placeIn(after.entitlementId)}, ${placeIn(after.accountId)})
       ORDER BY n.entitlement_id, n.account_id LIMIT ${limit}`;
  const ofChosen = sql`n.is_derived = c.is_app_access AND n.entitlement_id = c.id`;
  const parts = types.map((type) =>
    entitlements === undefined
      ? sql`(${ofRevision(type, sql`NOT n.is_derived`)})`
      : sql`SELECT s.* FROM chosen c CROSS JOIN LATERAL (${ofRevision(type, ofChosen)}) AS s WHERE c.app_id = r.app_id`,
  );
  return sql`${entitlements === undefined ? empty : sql`WITH chosen AS MATERIALIZED (${chosenOf(tenantId, entitlements)})`}
    SELECT ${columns}
    FROM (SELECT r.revision, r.made_at, r.app_id FROM revisions_public r WHERE ${allSql(where)} ORDER BY r.revision DESC) AS r
    CROSS JOIN LATERAL (${joinSql(parts, ' UNION ALL ')}) AS g
    ORDER BY r.revision DESC, g.entitlement_id, g.account_id, g.type LIMIT ${limit}`;
}

function chosenOf(tenantId: string, entitlements: readonly Ref[]): Sql {
  return sql`SELECT e.app_id, e.id, e.is_app_access FROM ${refsOf(entitlements)} AS x
    JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = x.app_id AND e.id = x.id`;
}

/** Each of these objects once, by its app and id. */
function refsOf(refs: readonly Ref[], where: Sql = empty): Sql {
  const [appIds, ids] = [refs.map((ref) => ref.appId), refs.map((ref) => ref.id)];
  return sql`(SELECT DISTINCT x.app_id, x.id FROM unnest(${appIds}::text[], ${ids}::text[]) AS x (app_id, id) ${where})`;
}

/** The revisions are looked up for the page alone; before, only where times are asked for. */
function byHolder({ tenantId, filter, types, after, limit }: Page): Sql {
  const held = heldBy(tenantId, filter);
  const times = timesOf(filter);
  const parts = types.map((type) => {
    const revision = fixed(`n.${revisionOf[type]}`);
    const isInTime = sql`AND EXISTS (
      SELECT FROM revisions_public r WHERE r.tenant_id = ${tenantId} AND r.revision = ${revision} AND ${allSql(times)})`;
    return sql`(SELECT n.*, ${fixed(`'${type}'`)} AS type, ${revision} AS revision FROM (${held}) AS n
      WHERE ${revision} <= ${after.revision} AND (${revision} < ${after.revision}
          OR (n.entitlement_id, n.account_id) ${follows(type, after)} (${after.entitlementId}, ${after.accountId}))
        ${times.length === 0 ? empty : isInTime}
      ORDER BY ${revision} DESC, n.entitlement_id, n.account_id LIMIT ${limit})`;
  });
  return sql`SELECT ${columns}
    FROM (${joinSql(parts, ' UNION ALL ')}) AS g
    JOIN revisions_public r ON r.tenant_id = ${tenantId} AND r.revision = g.revision
    ORDER BY g.revision DESC, g.entitlement_id, g.account_id, g.type LIMIT ${limit}`;
}

/** All grants ever of the chosen entitlements, accounts and people. That an app is there is asked once for each that is chosen, not for each grant. */
function heldBy(tenantId: string, { appIds, entitlements, accounts, userIds }: FeedFilter): Sql {
  const isOfLiveApp = (alias: 'x' | 'u'): Sql =>
    sql`EXISTS (SELECT FROM apps_public p WHERE p.tenant_id = ${tenantId} AND p.id = ${fixed(alias)}.app_id AND p.deleted_at IS NULL)`;
  const refs = (list: readonly Ref[]): Sql => refsOf(list, sql`WHERE ${isOfLiveApp('x')}`);
  const joins = [
    ...(entitlements === undefined ? [] : [sql`JOIN ${refs(entitlements)} AS e ON e.app_id = g.app_id AND e.id = g.entitlement_id`]),
    ...(accounts === undefined ? [] : [sql`JOIN ${refs(accounts)} AS a ON a.app_id = g.app_id AND a.id = g.account_id`]),
    ...(userIds === undefined
      ? []
      : [
          sql`JOIN (SELECT u.app_id, u.id FROM accounts_public u
            WHERE u.tenant_id = ${tenantId} AND u.user_id = ANY (${userIds}) AND ${isOfLiveApp('u')}) AS o
            ON o.app_id = g.app_id AND o.id = g.account_id`,
        ]),
  ];
  const where = [
    sql`g.tenant_id = ${tenantId}`,
    ...(appIds === undefined ? [] : [sql`g.app_id = ANY (${appIds})`]),
    ...(entitlements === undefined ? [sql`NOT g.is_derived`] : []),
  ];
  return sql`SELECT g.* FROM grants_public g ${joinSql(joins, ' ')} WHERE ${allSql(where)}`;
}
