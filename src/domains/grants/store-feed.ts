/**
 * SQL of what happened to grants: the feed of additions and removals, newest first, and the grants that ended. Two ways lead to a page, as
 * in store-search.ts. By revision: the next revisions of the chosen apps, then what each added and removed, so a page costs in proportion
 * to itself, and to the revisions it passes over that changed nothing of this kind. By holder, where accounts or people are named: all
 * their grants ever, sorted. A few entitlements go either way: that of holders while their grants ever are few.
 *
 * App access that follows from having an account is left out, unless it is asked for as an entitlement.
 */
import type { Context } from '../../context.ts';

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
  /** When the revision was made. */
  readonly date: Date;
}

/** Before the first event of any feed. */
export const feedStart: FeedPlace = { revision: Number.MAX_SAFE_INTEGER, entitlementId: '', accountId: '', type: 'A' };

const columns = `g.app_id AS "appId", g.entitlement_id AS "entitlementId", g.account_id AS "accountId", g.added_revision AS "addedRevision",
  g.granted_at AS "grantedAt", g.created_at AS "createdAt", g.ended_at AS "endedAt", r.revision, r.made_at AS date, g.type`;

/** Which types, in the order of a page. */
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
const mostChosen = 20;
/** More grants than this, and their revisions are read instead. */
const mostSorted = 2000;

async function list(context: Context, filter: FeedFilter, types: Types, after: FeedPlace, limit: number): Promise<FeedRow[]> {
  const values: unknown[] = [context.tenantId, limit, after.revision, after.entitlementId, after.accountId];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const { entitlements, accounts, userIds } = filter;
  const hasHolders = accounts !== undefined || userIds !== undefined;
  const isByHolder = hasHolders || (entitlements !== undefined && !(await findAreMany(context, entitlements)));
  return context.db.rows<FeedRow>((isByHolder ? byHolder : byRevision)(filter, types, after, add), values);
}

/** Whether a few entitlements have many grants ever. */
async function findAreMany(context: Context, entitlements: readonly Ref[]): Promise<boolean> {
  if (entitlements.length > mostChosen) {
    return false;
  }
  const values: unknown[] = [context.tenantId];
  const held = heldBy({ entitlements }, (value) => `$${values.push(value)}`);
  const { count } = await context.db.one<{ count: number }>(
    `SELECT count(*) AS count FROM (${held} LIMIT $${values.push(mostSorted + 1)}) AS first`,
    values,
  );
  return count > mostSorted;
}

/** What follows the place within its own revision; of the very same grant, its removal follows its addition. */
function follows(type: 'A' | 'R', after: FeedPlace): string {
  return type === 'R' && after.type === 'A' && after.entitlementId !== '' ? '>=' : '>';
}

/** When a revision was made. */
function timeConditions({ after, before }: FeedFilter, add: (value: unknown) => string): string[] {
  return [...(after === undefined ? [] : [`r.made_at >= ${add(after)}`]), ...(before === undefined ? [] : [`r.made_at < ${add(before)}`])];
}

function byRevision(filter: FeedFilter, types: Types, after: FeedPlace, add: (value: unknown) => string): string {
  const { appIds, entitlements } = filter;
  const where = [
    'r.tenant_id = $1',
    'r.revision <= $3',
    // A look for each revision on the way, so that they are still read from the newest on and no further than the page needs.
    '(SELECT p.deleted_at IS NULL FROM apps p WHERE p.tenant_id = $1 AND p.id = r.app_id)',
    ...(appIds === undefined ? [] : [`r.app_id = ANY (${add(appIds)})`]),
    ...(entitlements === undefined ? [] : ['r.app_id = ANY (ARRAY(SELECT c.app_id FROM chosen c))']),
    ...timeConditions(filter, add),
  ];
  const ofRevision = (type: 'A' | 'R', which: string): string =>
    `SELECT n.*, '${type}' AS type FROM grants n
       WHERE n.tenant_id = $1 AND n.${revisionOf[type]} = r.revision AND ${which} AND (n.entitlement_id, n.account_id)
         ${follows(type, after)} (CASE WHEN r.revision = $3 THEN $4 ELSE '' END, CASE WHEN r.revision = $3 THEN $5 ELSE '' END)
       ORDER BY n.entitlement_id, n.account_id LIMIT $2`;
  const ofChosen = 'n.is_derived = c.is_app_access AND n.entitlement_id = c.id';
  const parts = types.map((type) =>
    entitlements === undefined
      ? `(${ofRevision(type, 'NOT n.is_derived')})`
      : `SELECT s.* FROM chosen c CROSS JOIN LATERAL (${ofRevision(type, ofChosen)}) AS s WHERE c.app_id = r.app_id`,
  );
  return `${entitlements === undefined ? '' : `WITH chosen AS MATERIALIZED (${chosenOf(entitlements, add)})`}
    SELECT ${columns}
    FROM (SELECT r.revision, r.made_at, r.app_id FROM inventory_revisions r WHERE ${where.join(' AND ')} ORDER BY r.revision DESC) AS r
    CROSS JOIN LATERAL (${parts.join(' UNION ALL ')}) AS g
    ORDER BY r.revision DESC, g.entitlement_id, g.account_id, g.type LIMIT $2`;
}

function chosenOf(entitlements: readonly Ref[], add: (value: unknown) => string): string {
  return `SELECT e.app_id, e.id, e.is_app_access FROM ${refsOf(entitlements, add)} AS x
    JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = x.app_id AND e.id = x.id`;
}

/** Each of these objects once, by its app and id. */
function refsOf(refs: readonly Ref[], add: (value: unknown) => string, where = ''): string {
  const [appIds, ids] = [add(refs.map((ref) => ref.appId)), add(refs.map((ref) => ref.id))];
  return `(SELECT DISTINCT x.app_id, x.id FROM unnest(${appIds}::text[], ${ids}::text[]) AS x (app_id, id) ${where})`;
}

/** The revisions are looked up for the page alone; before, only where times are asked for. */
function byHolder(filter: FeedFilter, types: Types, after: FeedPlace, add: (value: unknown) => string): string {
  const held = heldBy(filter, add);
  const times = timeConditions(filter, add);
  const parts = types.map((type) => {
    const revision = `n.${revisionOf[type]}`;
    const isInTime = `EXISTS (SELECT FROM inventory_revisions r WHERE r.tenant_id = $1 AND r.revision = ${revision} AND ${times.join(' AND ')})`;
    return `(SELECT n.*, '${type}' AS type, ${revision} AS revision FROM (${held}) AS n
      WHERE ${revision} <= $3 AND (${revision} < $3 OR (n.entitlement_id, n.account_id) ${follows(type, after)} ($4, $5))
        ${times.length === 0 ? '' : `AND ${isInTime}`}
      ORDER BY ${revision} DESC, n.entitlement_id, n.account_id LIMIT $2)`;
  });
  return `SELECT ${columns}
    FROM (${parts.join(' UNION ALL ')}) AS g JOIN inventory_revisions r ON r.tenant_id = $1 AND r.revision = g.revision
    ORDER BY g.revision DESC, g.entitlement_id, g.account_id, g.type LIMIT $2`;
}

/** All grants ever of the chosen entitlements, accounts and people. That an app is there is asked once for each that is chosen, not for each grant. */
function heldBy({ appIds, entitlements, accounts, userIds }: FeedFilter, add: (value: unknown) => string): string {
  const isOfLiveApp = (alias: string): string =>
    `EXISTS (SELECT FROM apps p WHERE p.tenant_id = $1 AND p.id = ${alias}.app_id AND p.deleted_at IS NULL)`;
  const refs = (list: readonly Ref[]): string => refsOf(list, add, `WHERE ${isOfLiveApp('x')}`);
  const joins: string[] = [];
  const where = ['g.tenant_id = $1'];
  if (appIds !== undefined) {
    where.push(`g.app_id = ANY (${add(appIds)})`);
  }
  if (entitlements === undefined) {
    where.push('NOT g.is_derived');
  } else {
    joins.push(`JOIN ${refs(entitlements)} AS e ON e.app_id = g.app_id AND e.id = g.entitlement_id`);
  }
  if (accounts !== undefined) {
    joins.push(`JOIN ${refs(accounts)} AS a ON a.app_id = g.app_id AND a.id = g.account_id`);
  }
  if (userIds !== undefined) {
    const owned = `SELECT u.app_id, u.id FROM accounts u WHERE u.tenant_id = $1 AND u.user_id = ANY (${add(userIds)}) AND ${isOfLiveApp('u')}`;
    joins.push(`JOIN (${owned}) AS o ON o.app_id = g.app_id AND o.id = g.account_id`);
  }
  return `SELECT g.* FROM grants g ${joins.join(' ')} WHERE ${where.join(' AND ')}`;
}
