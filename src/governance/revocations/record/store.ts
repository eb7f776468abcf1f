/**
 * SQL that reads removals and changes single ones. Requesting many is in store-request.ts, what syncs make of them in store-verify.ts.
 */
import { allSql, anyOf, empty, fixed, type Sql, sql } from '../../../lib/sql.ts';
import { type Conditions, listConditions } from '../../../lib/where.ts';
import type { Context } from '../../../context.ts';
import { nameAtSql } from '../../../foundation/directory/index.ts';
import { getOwnedAppsSql } from '../../../inventory/catalog/index.ts';
import { containsFolded } from '../../../foundation/search/index.ts';
import { getIsOwnAccessSql } from '../../tasks/index.ts';
import { openStates, type RevocationState } from './store-states.ts';
import { getResidualSql, getStandingSql } from './store-standing.ts';
import { getSendingSql, type SendingOfRow } from './store-sending.ts';
import { getSyncSql, type SyncRow } from './store-sync.ts';
import { revocationSlot } from './slots.ts';

/**
 * A way by which access is held besides the grant that is removed: inherited from an entitlement, by another account of the person, or under names that
 * look the same, which has both.
 */
export interface ResidualRow {
  readonly entitlementId: string;
  readonly entitlementDisplayName: string;
  readonly accountId: string;
  readonly account: string;
  readonly looksTheSame: boolean;
}

/** A removal with the names of what it is about and what is known of it now. */
export interface RevocationRow {
  readonly id: string;
  readonly reviewId: string;
  readonly reviewName: string;
  /** The person who denied it, and their comment; empty where no decision of a person did. */
  readonly reviewerId: string;
  readonly reviewerName: string;
  /** Issuer of what it was denied through; empty for nobody. */
  readonly reviewerIssuerId: string;
  readonly reviewerIssuerName: string;
  readonly denialComment: string;
  readonly certifyTaskId: string;
  readonly revokeTaskId: string;
  readonly appId: string;
  readonly appDisplayName: string;
  readonly entitlementId: string;
  readonly entitlementDisplayName: string;
  readonly resourceDisplayName: string;
  readonly accountId: string;
  readonly principalKind: 'A' | 'R';
  readonly account: string;
  readonly requestedById: string;
  /** Issuer of what it was asked for through; empty for nobody. */
  readonly requestedIssuerId: string;
  readonly description: string;
  /** Other ways by which the same access is held now. */
  readonly residual: readonly ResidualRow[];
  readonly userId: string | null;
  readonly userDisplayName: string;
  readonly state: RevocationState;
  readonly stateAt: Date;
  readonly actorId: string;
  readonly actorName: string;
  readonly syncId: string;
  /** The sync: its source and when it began; null for none. */
  readonly sync: SyncRow | null;
  readonly revision: number | null;
  readonly note: string;
  /** 0 for access given here; null before it was requested. */
  readonly sourceNo: number | null;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly sourceKind: string;
  readonly requestedAt: Date | null;
  readonly startedAt: Date | null;
  readonly dueAt: Date | null;
  readonly claimedAt: Date | null;
  readonly claimedById: string;
  /** Issuer of what it was claimed through; empty for nobody. */
  readonly claimedIssuerId: string;
  readonly claimedIssuerName: string;
  /** Issuer of what it was moved through last, where a person moved it. */
  readonly actorIssuerId: string;
  readonly actorIssuerName: string;
  readonly claimedByName: string;
  readonly createdAt: Date;
  /** True if the inventory has the access now; else the next members name what took it away. */
  readonly isPresent: boolean;
  readonly goneSyncId: string;
  readonly goneSyncAt: Date | null;
  readonly goneCause: string;
  /** The last sync of the source that was done, and the last file of it that was refused; null for none. */
  readonly lastSync: { readonly id: string; readonly startedAt: string; readonly observedFrom: string } | null;
  readonly lastRefusal: { readonly startedAt: string; readonly error: string } | null;
  /** True if the caller owns the app, or the review. */
  readonly isAppOwner: boolean;
  readonly isReviewOwner: boolean;
  /** True if its open task asks the caller. */
  readonly isAsked: boolean;
  /** Part of a connector; null where its policy names none. */
  readonly sending: SendingOfRow | null;
}

/** The name that the person of a column of `r` had at the moment of another column; empty for nobody. */
export const getPersonNameSql = ({ tenantId }: Context, column: string, at: string): Sql =>
  sql`coalesce(${nameAtSql(tenantId, column, at)}, '')`;

/** The issuer of what somebody acted through, where that was another person: of two columns of `r`, as SQL. NULL otherwise, by which a person is looked up. */
export const otherIssuerSql = (issuer: string, person: string): string => `nullif(${issuer}, ${person})`;

/** Returns the same; '' for nobody. */
export const issuerSql = (issuer: string, person: string): string => `coalesce(${otherIssuerSql(issuer, person)}, '')`;

/** The comment of the denial that `r` follows: the last one of its task before it was made, read by the key of the actions. */
function getDenialComment({ tenantId }: Context): Sql {
  return sql`CASE WHEN r.denied_by_id = '' THEN '' ELSE coalesce((SELECT x.comment FROM task_actions_public x
    WHERE x.tenant_id = ${tenantId} AND x.task_id = r.certify_task_id AND x.created_at <= r.created_at
      AND (x.kind = 'DENIED' OR x.kind = 'AMENDED' AND x.data->>'decision' = 'DENY')
    ORDER BY x.id DESC LIMIT 1), '') END`;
}

/** Condition that the caller owns the app of `r`. */
export function getOwnsAppSql(context: Context): Sql {
  return sql`r.app_id = ANY (${getOwnedAppsSql(context)})`;
}

/**
 * The ids of open tasks of removals that ask the caller, or somebody whose delegate they are: not about their own access then, which they may not decide.
 * Grows with the sets that these people are in.
 */
function getAskedTasks({ tenantId, actor }: Context): Sql {
  const people = actor.userId === '' ? [] : [actor.userId, ...(actor.delegatorIds ?? [])];
  const isDecided = people.length <= 1 ? empty : sql` AND (m.user_id = ${actor.userId} OR NOT ${getIsOwnAccessSql(actor)})`;
  return sql`SELECT t.id FROM assignees_public m
    JOIN task_reviews_public b ON b.tenant_id = ${tenantId} AND b.id = m.review_id AND b.kind = 'REVOKE'
    JOIN tasks_public t ON t.tenant_id = ${tenantId} AND t.assignment_id = m.assignment_id AND t.state = 'OPEN'
    WHERE m.tenant_id = ${tenantId} AND m.user_id = ANY (${people})${isDecided}`;
}

/** Condition that the task of `r` asks the caller. */
function asksCaller(context: Context): Sql {
  return sql`(r.revoke_task_id <> '' AND r.revoke_task_id IN (${getAskedTasks(context)}))`;
}

/** Condition that the caller owns the review of `r`. */
function ownsReview({ tenantId, actor }: Context): Sql {
  return sql`EXISTS (SELECT FROM task_reviews_public b WHERE b.tenant_id = ${tenantId} AND b.id = r.review_id AND b.state <> 'CANCELLED'
    AND ${actor.userId} <> '' AND ${actor.userId} = ANY (b.manager_ids))`;
}

/**
 * Condition that the caller may know of `r`: owners of an app, and whoever its task asks, hear of what has to be removed, not of what a review may
 * still decide otherwise.
 */
function getVisible(context: Context, seesAll: boolean): Sql {
  return seesAll ? sql`TRUE` : anyOf([ownsReview(context), sql`r.state <> 'HELD' AND ${getOwnsAppSql(context)}`, asksCaller(context)]);
}

function columns(context: Context): Sql {
  return sql`r.id, r.review_id AS "reviewId", coalesce(v.document ->> 'displayName', '') AS "reviewName", r.denied_by_id AS "reviewerId",
    ${getPersonNameSql(context, 'r.denied_by_id', 'r.created_at')} AS "reviewerName",
    ${fixed(issuerSql('r.denied_issuer_id', 'r.denied_by_id'))} AS "reviewerIssuerId",
    ${getPersonNameSql(context, otherIssuerSql('r.denied_issuer_id', 'r.denied_by_id'), 'r.created_at')} AS "reviewerIssuerName",
    ${getDenialComment(context)} AS "denialComment", r.certify_task_id AS "certifyTaskId", r.revoke_task_id AS "revokeTaskId", r.app_id AS "appId",
    coalesce(p.display_name, '') AS "appDisplayName", r.entitlement_id AS "entitlementId", coalesce(e.display_name, '') AS "entitlementDisplayName",
    coalesce(q.display_name, '') AS "resourceDisplayName", r.account_id AS "accountId", coalesce(a.external_id, n.display_name, r.account_id) AS account,
    r.principal_kind AS "principalKind", r.requested_by_id AS "requestedById", ${fixed(issuerSql('r.requested_issuer_id', 'r.requested_by_id'))} AS "requestedIssuerId", r.description, ${getResidualSql(context)} AS residual,
    r.user_id AS "userId", ${getPersonNameSql(context, 'r.user_id', 'r.created_at')} AS "userDisplayName", r.state, r.state_at AS "stateAt",
    r.actor_id AS "actorId", ${getPersonNameSql(context, 'r.actor_id', 'r.state_at')} AS "actorName", r.sync_id AS "syncId", r.revision, r.note, r.source_no AS "sourceNo",
    ${getSyncSql(context)} AS sync, ${getSendingSql(context)} AS sending,
    coalesce(s.id, '') AS "sourceId", coalesce(s.display_name, '') AS "sourceName", coalesce(s.kind, '') AS "sourceKind",
    r.requested_at AS "requestedAt", r.started_at AS "startedAt", r.due_at AS "dueAt", r.claimed_at AS "claimedAt", r.claimed_by_id AS "claimedById",
    ${getPersonNameSql(context, 'r.claimed_by_id', 'r.claimed_at')} AS "claimedByName", ${fixed(issuerSql('r.claimed_issuer_id', 'r.claimed_by_id'))} AS "claimedIssuerId",
    ${getPersonNameSql(context, otherIssuerSql('r.claimed_issuer_id', 'r.claimed_by_id'), 'r.claimed_at')} AS "claimedIssuerName",
    ${fixed(issuerSql('r.actor_issuer_id', 'r.actor_id'))} AS "actorIssuerId",
    ${getPersonNameSql(context, otherIssuerSql('r.actor_issuer_id', 'r.actor_id'), 'r.state_at')} AS "actorIssuerName",
    r.created_at AS "createdAt", h.is_present AS "isPresent", h.sync_id AS "goneSyncId", h.cause AS "goneCause",
    (SELECT y.observed_from FROM syncs_public y WHERE y.tenant_id = ${context.tenantId} AND y.id = h.sync_id) AS "goneSyncAt",
    (SELECT json_build_object('id', y.id, 'startedAt', y.started_at, 'observedFrom', y.observed_from) FROM syncs_public y WHERE y.tenant_id = ${context.tenantId} AND y.source_id = s.id
      AND y.state = 'DONE' AND y.is_complete ORDER BY y.id DESC LIMIT 1) AS "lastSync",
    (SELECT json_build_object('startedAt', y.started_at, 'error', y.error) FROM syncs_public y WHERE y.tenant_id = ${context.tenantId} AND y.source_id = s.id
      AND y.state = 'FAILED' ORDER BY y.id DESC LIMIT 1) AS "lastRefusal",
    ${getOwnsAppSql(context)} AS "isAppOwner", ${ownsReview(context)} AS "isReviewOwner", ${asksCaller(context)} AS "isAsked"`;
}

/** What `r` is about, each by its id alone: with the app besides, an index that finds all of an app looks as good to a planner without statistics. */
const names = ({ tenantId }: Context): Sql => sql`LEFT JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = r.app_id
  LEFT JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.id = r.entitlement_id
  LEFT JOIN resources_public q ON q.tenant_id = ${tenantId} AND q.id = e.resource_id
  LEFT JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.id = r.account_id
  LEFT JOIN resources_public n ON n.tenant_id = ${tenantId} AND n.id = r.account_id
  LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = r.user_id`;

/** The rows of a page of removals with their names, in no order. */
export function getNamedSql(context: Context, page: Sql): Sql {
  return sql`SELECT ${columns(context)} FROM (${page}) r ${names(context)}
    LEFT JOIN ${fixed(revocationSlot.get().reviews)} v ON v.tenant_id = ${context.tenantId} AND v.id = r.review_id AND r.review_id <> ''
    LEFT JOIN sources_public s ON s.tenant_id = ${context.tenantId} AND s.app_id = r.app_id AND s.source_no = r.source_no AND r.source_no > 0
    CROSS JOIN LATERAL ${getStandingSql(context)} h`;
}

/** The removal with this id, whoever may know of it. */
export function findRevocation(context: Context, id: string): Promise<RevocationRow | undefined> {
  return context.db.maybe<RevocationRow>(
    getNamedSql(context, sql`SELECT * FROM revocations x WHERE x.tenant_id = ${context.tenantId} AND x.id = ${id}`),
  );
}

/** Locks a removal to the end of the transaction, if it is there. */
export async function lockRevocation(context: Context, id: string): Promise<void> {
  await context.db.rows(sql`SELECT r.id FROM revocations r WHERE r.tenant_id = ${context.tenantId} AND r.id = ${id} FOR UPDATE`);
}

/** Removals wanted; a member that is undefined filters nothing. */
export interface RevocationFilter {
  readonly states?: readonly RevocationState[] | undefined;
  readonly reviewId?: string | undefined;
  readonly appId?: string | undefined;
  /** The open ones of the caller's apps. */
  readonly mine?: true | undefined;
  /** Those whose open task asks the caller. */
  readonly asksMe?: true | undefined;
  readonly overdue?: true | undefined;
  readonly query?: string | undefined;
}

function conditions(context: Context): Conditions<RevocationFilter> {
  return {
    states: (states) => sql`r.state = ANY (${states})`,
    reviewId: (id) => sql`r.review_id = ${id}`,
    appId: (id) => sql`r.app_id = ${id}`,
    mine: () => sql`r.state = ANY (${openStates}) AND ${getOwnsAppSql(context)}`,
    asksMe: () => sql`${asksCaller(context)}`,
    overdue: () => sql`r.due_at < ${context.now} AND r.state = ANY (${openStates})`,
    query: (query) =>
      sql`EXISTS (SELECT FROM (SELECT 1) one ${names(context)} WHERE ${containsFolded(
        `search_fold(coalesce(a.external_id || ' ' || a.display_name, '') || ' ' || coalesce(u.display_name || ' ' || u.email, '') || ' '
        || coalesce(e.display_name, '') || ' ' || coalesce(q.display_name, '') || ' ' || coalesce(p.display_name, ''))`,
      )(query)})`,
  };
}

/**
 * A page of removals in the order of their age, read from an index that has it: those of each state, of each app that the caller owns, or of each
 * review. Of each no more than a page is read.
 */
function getPage(context: Context, seesAll: boolean, filter: RevocationFilter, after: readonly string[] | undefined, limit: number): Sql {
  const { tenantId, actor } = context;
  const behind = after === undefined ? sql`TRUE` : sql`(r.created_at, r.id) > (${after[0]}::timestamptz, ${after[1]})`;
  const where = allSql([sql`r.tenant_id = ${tenantId}`, behind, ...listConditions(filter, conditions(context))]);
  const inOrder = sql`ORDER BY r.created_at, r.id LIMIT ${limit}`;
  const part = (more: Sql): Sql => sql`(SELECT r.* FROM revocations r WHERE ${where} AND ${more} ${inOrder})`;
  const ofApps = sql`SELECT n.* FROM unnest(${getOwnedAppsSql(context)}) AS o (app_id)
    CROSS JOIN LATERAL ${part(sql`r.app_id = o.app_id AND r.state <> 'HELD'`)} n`;
  const asked = sql`SELECT n.* FROM (${getAskedTasks(context)}) k (id) CROSS JOIN LATERAL ${part(sql`r.revoke_task_id = k.id AND r.revoke_task_id <> ''`)} n`;
  if (filter.asksMe === true) {
    return sql`SELECT * FROM (${asked}) r ${inOrder}`;
  }
  if (filter.mine === true) {
    return sql`SELECT * FROM (${ofApps}) r ${inOrder}`;
  }
  if (!seesAll) {
    const ofReviews = sql`SELECT n.* FROM task_reviews_public b CROSS JOIN LATERAL ${part(sql`r.review_id = b.id AND r.review_id <> ''`)} n
      WHERE b.tenant_id = ${tenantId} AND b.state <> 'CANCELLED' AND ${actor.userId} <> '' AND ${actor.userId} = ANY (b.manager_ids)`;
    return sql`SELECT * FROM (${ofApps} UNION ${ofReviews} UNION ${asked}) r ${inOrder}`;
  }
  const states = filter.states ?? (filter.overdue === true ? openStates : undefined);
  if (states === undefined || filter.appId !== undefined || filter.reviewId !== undefined) {
    return sql`SELECT r.* FROM revocations r WHERE ${where} ${filter.reviewId === undefined ? empty : sql`AND r.review_id <> ''`} ${inOrder}`;
  }
  // The state is named once: named by the filter besides, another index looked better.
  const { states: _, overdue, ...rest } = filter;
  const ofState = allSql([
    sql`r.tenant_id = ${tenantId} AND r.state = s.state`,
    behind,
    ...(overdue === true ? [sql`r.due_at < ${context.now}`, sql`s.state = ANY (${openStates})`] : []),
    ...listConditions(rest, conditions(context)),
  ]);
  return sql`SELECT r.* FROM unnest(${[...states]}::text[]) AS s (state)
    CROSS JOIN LATERAL (SELECT r.* FROM revocations r WHERE ${ofState} ${inOrder}) r ${inOrder}`;
}

/** A page of the removals that the caller may know of, the oldest first, behind one by when it was made and its id. */
export function listRevocations(
  context: Context,
  seesAll: boolean,
  filter: RevocationFilter,
  after: readonly string[] | undefined,
  limit: number,
): Promise<RevocationRow[]> {
  const page = getPage(context, seesAll, filter, after, limit);
  return context.db.rows<RevocationRow>(sql`${getNamedSql(context, page)} ORDER BY r.created_at, r.id`);
}

/** Removals in a state, counted by age. */
export interface StateCounts {
  readonly state: RevocationState;
  readonly total: number;
  readonly underSevenDays: number;
  readonly underThirtyDays: number;
  readonly older: number;
  readonly overdue: number;
}

/** Counts the removals that the caller may know of by state. */
export function countRevocations(context: Context, seesAll: boolean, filter: RevocationFilter): Promise<StateCounts[]> {
  const where = [sql`r.tenant_id = ${context.tenantId}`, getVisible(context, seesAll), ...listConditions(filter, conditions(context))];
  const before = (days: number): Date => new Date(context.now.getTime() - days * 86_400_000);
  return context.db.rows<StateCounts>(
    sql`SELECT r.state, count(*) AS total, count(*) FILTER (WHERE r.created_at > ${before(7)}) AS "underSevenDays",
       count(*) FILTER (WHERE r.created_at <= ${before(7)} AND r.created_at > ${before(30)}) AS "underThirtyDays",
       count(*) FILTER (WHERE r.created_at <= ${before(30)}) AS older,
       count(*) FILTER (WHERE r.due_at < ${context.now} AND r.state = ANY (${openStates})) AS overdue
     FROM revocations r WHERE ${allSql(where)} GROUP BY r.state ORDER BY r.state`,
  );
}

/** Sets the program, a sync or a push as what moves a removal: whoever moved it before, and their issuer, stand there no longer. */
export const byNobody = fixed(`actor_id = '', actor_issuer_id = ''`);

/** Sets the caller as who moves a removal, with the issuer of what they act through. */
export const byActor = ({ actor }: Context): Sql => sql`actor_id = ${actor.userId}, actor_issuer_id = ${actor.issuerId}`;

/** Moves one removal to a state by somebody's act, if it still is in `from`; whoever claims it is kept. */
export async function updateState(
  context: Context,
  id: string,
  from: RevocationState,
  change: { readonly state: RevocationState; readonly note: string; readonly isClaim?: boolean },
): Promise<boolean> {
  const { tenantId, now, actor } = context;
  const { state, note, isClaim = false } = change;
  const claim = isClaim ? sql`claimed_by_id = ${actor.userId}, claimed_issuer_id = ${actor.issuerId}, claimed_at = ${now},` : empty;
  const ended = openStates.includes(state) ? empty : sql`due_at = NULL,`;
  const changed = await context.db.run(
    sql`UPDATE revocations r SET state = ${state}, state_at = ${now}, ${byActor(context)}, sync_id = '', revision = NULL, note = ${note}, ${claim} ${ended} updated_at = ${now}
     WHERE r.tenant_id = ${tenantId} AND r.id = ${id} AND r.state = ${from}`,
  );
  return changed === 1;
}
