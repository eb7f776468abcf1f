/**
 * SQL that finds reviewers for many subjects at once: task_assignments, task_assignment_members and task_subject_assignments.
 * Which levels apply is resolve-reviewers.ts. Cost: one statement per route, in proportion to the subjects (people times apps, or the objects
 * whose owners are asked), never to the grants.
 */
import { fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getOwnerPeopleSql } from '../../../inventory/catalog/index.ts';
import { type Plans, type Reads, readCondition } from '../../policies/index.ts';
import type { AssignmentReason, ReviewerReason } from '../task/index.ts';
import type { ReviewerRule } from './resolve-reviewers.ts';
import { getEligibleSql } from './store-eligible.ts';
import { getHolds, getItemObjectSql, getMayBeOnSql } from './store-routes.ts';
import { endHashJoins, setHashJoins } from '../../snapshots/index.ts';

/** A level with the people it names already looked up. */
export interface ResolvedRule extends ReviewerRule {
  readonly enabledIds: readonly string[];
  /** True if it is the step's own, rather than a fallback. */
  readonly isOwn: boolean;
}

/**
 * The SQL array of people that one level finds for the subject `s`: nobody of its `besides`, where it has them, and nobody whom the person reviewed was
 * merged into, who may not decide that even where the policy lets people review themselves.
 */
function peopleOf(rule: ResolvedRule, hasBesides: boolean): Sql {
  const distinct = (people: Sql): Sql =>
    hasBesides
      ? sql`CASE WHEN s.besides = '{}' THEN ${people} ELSE ARRAY(SELECT p FROM unnest(${people}) AS p WHERE p <> ALL (s.besides)) END`
      : people;
  const others = (people: Sql): Sql =>
    distinct(sql`array_remove(${rule.allowSelf ? people : sql`array_remove(${people}, s.user_id)`}, u.merged_into_id)`);
  switch (rule.reason) {
    case 'MANAGER':
      return others(sql`CASE WHEN m.id IS NOT NULL THEN ARRAY[m.id] END`);
    case 'APP_OWNERS':
    case 'FALLBACK_APP_OWNERS':
      return others(sql`o.ids`);
    case 'ENTITLEMENT_OWNERS':
      return others(sql`eo.ids`);
    case 'RESOURCE_OWNERS':
      return others(sql`ro.ids`);
    case 'EXPRESSION':
      return others(sql`s.found`);
    case 'SELF':
      return distinct(sql`CASE WHEN ${getEligibleSql('u')} THEN ARRAY[u.id] END`);
    case 'USERS':
    case 'GROUP':
    case 'FALLBACK_GROUPS':
    case 'FALLBACK_USERS':
    case 'REVIEW_OWNERS':
    case 'ADMINISTRATORS':
      return others(sql`${rule.enabledIds}::text[]`);
  }
}

/** The owners of what is asked about, where a level asks them: joined to the subject `s`. */
function ownersOf(tenantId: string, rules: readonly ResolvedRule[]): Sql {
  const asks = (...reasons: readonly ReviewerReason[]) => rules.some(({ reason }) => reasons.includes(reason));
  const owners = (kind: 'app' | 'entitlement' | 'resource', alias: string): Sql => {
    const id = kind === 'app' ? sql`s.app_id` : sql`s.object_id`;
    const [things, as] = [sql`SELECT DISTINCT s.app_id, ${id} FROM subjects s`, fixed(alias)];
    return sql`LEFT JOIN (SELECT w.app_id, w.id, array_agg(w.user_id ORDER BY w.user_id) AS ids
      FROM (${getOwnerPeopleSql({ tenantId }, kind, things)}) w
      JOIN users_public x ON x.tenant_id = ${tenantId} AND x.id = w.user_id AND ${getEligibleSql('x')}
      GROUP BY w.app_id, w.id) ${as} ON ${as}.app_id = s.app_id AND ${as}.id = ${id}`;
  };
  return joinSql(
    [
      ...(asks('APP_OWNERS', 'FALLBACK_APP_OWNERS') ? [owners('app', 'o')] : []),
      ...(asks('ENTITLEMENT_OWNERS') ? [owners('entitlement', 'eo')] : []),
      ...(asks('RESOURCE_OWNERS') ? [owners('resource', 'ro')] : []),
    ],
    ' ',
  );
}

/** Basis of a search for people. */
interface Search {
  readonly reviewId: string;
  /**
   * (app_id, object_id, user_id), the last empty for nobody; where they are of tasks, also `n`, their number, and `besides`, who is not asked; where
   * a level asks by expression, also `found`, whom these found.
   */
  readonly subjects: Sql;
  readonly rules: readonly ResolvedRule[];
  readonly isOfTasks?: boolean;
}

/** True if people of the row `alias` were not found by the step's own rule. */
function isFallback(rules: readonly ResolvedRule[], alias: string): Sql {
  return sql`${fixed(alias)}.reason <> ALL (${rules.filter(({ isOwn }) => isOwn).map(({ reason }) => reason)}::text[])`;
}

/** The columns of a subject in the row `alias`. */
const subjectColumns = (alias: string, isOfTasks: boolean): Sql =>
  fixed(`${isOfTasks ? `${alias}.n, ` : ''}${alias}.app_id, ${alias}.object_id, ${alias}.user_id`);

/** People each level finds for a subject, as the columns of it and p0, p1, ... */
function candidatesSql({ tenantId }: Context, { subjects, rules, isOfTasks = false }: Omit<Search, 'reviewId'>): Sql {
  const people = rules.map((rule, index) => sql`coalesce(${peopleOf(rule, isOfTasks)}, '{}') AS ${fixed(`p${index}`)}`);
  return sql`subjects AS (${subjects}),
    candidates AS (
      SELECT ${subjectColumns('s', isOfTasks)}, ${joinSql(people)}
      FROM subjects s
      LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = s.user_id
      LEFT JOIN users_public m ON m.tenant_id = ${tenantId} AND m.id = u.manager_id AND ${getEligibleSql('m')}
      ${ownersOf(tenantId, rules)})`;
}

/** The common part: for each subject the first level that finds somebody, as the columns of it and rule, ids, reason, set_id. */
function chosenSql(context: Context, search: Search): Sql {
  const { tenantId, now } = context;
  const { reviewId, rules, isOfTasks = false } = search;
  const pick = (value: (index: number) => string): Sql =>
    fixed(rules.map((_, index) => `WHEN c.p${index} <> '{}' THEN ${value(index)}`).join(' '));
  return sql`${candidatesSql(context, search)},
    picked AS MATERIALIZED (
      SELECT ${subjectColumns('c', isOfTasks)}, CASE ${pick((index) => String(index))} END AS rule, CASE ${pick((index) => `c.p${index}`)} END AS ids
      FROM candidates c),
    sets AS MATERIALIZED (
      SELECT n.*, task_assignment_id(${reviewId}, n.reason, n.ids) AS id
      FROM (SELECT d.*, (ARRAY[${fixed(rules.map((rule) => `'${rule.reason}'`).join(', '))}]::text[])[d.rule + 1] AS reason
        FROM (SELECT DISTINCT p.rule, p.ids FROM picked p WHERE p.rule IS NOT NULL) d) n),
    chosen AS MATERIALIZED (
      SELECT p.*, x.reason, x.id AS set_id FROM picked p LEFT JOIN sets x ON x.rule = p.rule AND x.ids = p.ids),
    added_sets AS (
      INSERT INTO task_assignments (tenant_id, id, review_id, user_ids, reason, is_fallback, created_at)
      SELECT ${tenantId}, x.id, ${reviewId}, x.ids, x.reason, ${isFallback(rules, 'x')}, ${now} FROM sets x ON CONFLICT DO NOTHING),
    added_members AS (
      INSERT INTO task_assignment_members (tenant_id, user_id, assignment_id, review_id)
      SELECT ${tenantId}, unnest(x.ids), x.id, ${reviewId} FROM sets x ON CONFLICT DO NOTHING)`;
}

/** Counts of subjects, of those that went to a fallback or have nobody, and of those each level found somebody for. */
export interface FoundReviewers {
  readonly subjects: number;
  readonly fallbacks: number;
  readonly unassigned: number;
  readonly levels: Readonly<Record<string, number>>;
}

/** The route of a snapshot whose first reviewers are looked for. */
export interface RouteOfSnapshot {
  readonly routeNo: number;
  readonly plans: Plans;
  /** Reads of its first step besides the app. */
  readonly reads: Reads;
  /** Selects the accounts of the snapshot, in brackets, with the columns of `snapshot_accounts`. */
  readonly accounts: Sql;
}

/** The conditions that neither an account nor an entitlement alone decides, by their numbers. */
function listConditionsOfItems({ conditions }: Plans): ReadonlySet<number> {
  return new Set(
    conditions.flatMap((text, number) => {
      const read = readCondition(text);
      return 'side' in read && read.side === 'both' ? [number] : [];
    }),
  );
}

/** Rows of a snapshot that may be on a route: accounts by what holds for the entitlements of their app, or the other way round. */
function subjectsOf({ tenantId }: Context, reviewId: string, { routeNo, plans, reads, accounts }: RouteOfSnapshot): Sql {
  const place = { policyId: sql`e.policy_id`, holds: getHolds('a', 'e') };
  const isOnRoute = getMayBeOnSql(plans, routeNo, place, listConditionsOfItems(plans));
  const ofReview = (alias: string): Sql => sql`${fixed(alias)}.tenant_id = ${tenantId} AND ${fixed(alias)}.review_id = ${reviewId}`;
  if (reads === 'PERSON') {
    return sql`SELECT DISTINCT a.app_id, ''::text COLLATE "C" AS object_id, coalesce(a.user_id, '') AS user_id FROM ${accounts} a
      JOIN (SELECT DISTINCT e.app_id, e.policy_id, e.conditions FROM snapshot_entitlements e WHERE ${ofReview('e')} AND NOT e.is_excluded) e ON e.app_id = a.app_id
      WHERE a.excluded_by = '' AND ${isOnRoute}`;
  }
  if (reads === 'ACCOUNT') {
    return sql`SELECT DISTINCT a.app_id, a.account_id AS object_id, coalesce(a.user_id, '') AS user_id FROM ${accounts} a
      JOIN (SELECT DISTINCT e.app_id, e.policy_id, e.conditions FROM snapshot_entitlements e WHERE ${ofReview('e')} AND NOT e.is_excluded) e ON e.app_id = a.app_id
      WHERE a.excluded_by = '' AND ${isOnRoute}`;
  }
  if (reads === 'ITEM') {
    const object = getItemObjectSql({ accountId: sql`x.account_id`, entitlementId: sql`x.entitlement_id` });
    return sql`SELECT x.app_id, ${object} AS object_id, coalesce(a.user_id, '') AS user_id FROM snapshot_items x
      JOIN ${accounts} a ON a.app_id = x.app_id AND a.account_id = x.account_id
      JOIN snapshot_entitlements e ON ${ofReview('e')} AND e.app_id = x.app_id AND e.entitlement_id = x.entitlement_id
      WHERE ${ofReview('x')} AND ${isOnRoute}`;
  }
  const object = reads === 'ENTITLEMENT' ? sql`e.entitlement_id` : reads === 'RESOURCE' ? sql`e.resource_id` : sql`''::text COLLATE "C"`;
  return sql`SELECT DISTINCT e.app_id, ${object} AS object_id, ''::text COLLATE "C" AS user_id FROM snapshot_entitlements e
    JOIN (SELECT DISTINCT a.app_id, a.conditions FROM ${accounts} a WHERE a.excluded_by = '') a ON a.app_id = e.app_id
    WHERE ${ofReview('e')} AND NOT e.is_excluded AND ${isOnRoute}`;
}

/** Finds people by expressions for subjects, in order. */
export type FindByExpressions = (subjects: readonly SubjectKey[]) => Promise<readonly (readonly string[])[]>;

/** A subject of a snapshot. */
export interface SubjectKey {
  readonly appId: string;
  /** The entitlement, resource, account or item that reviewers are looked for by; empty for none. */
  readonly objectId: string;
  /** Empty for nobody, or for everybody. */
  readonly userId: string;
}

/** Subjects that expressions are evaluated for together. */
const subjectsPerPage = 10_000;

const noReviewers: FoundReviewers = { subjects: 0, fallbacks: 0, unassigned: 0, levels: {} };

function addUp(one: FoundReviewers, other: FoundReviewers): FoundReviewers {
  const levels = { ...one.levels };
  for (const [level, count] of Object.entries(other.levels)) {
    levels[level] = (levels[level] ?? 0) + count;
  }
  return {
    subjects: one.subjects + other.subjects,
    fallbacks: one.fallbacks + other.fallbacks,
    unassigned: one.unassigned + other.unassigned,
    levels,
  };
}

/** Finds the reviewers of subjects; page by page where expressions find them. */
async function insertAllSubjects(
  context: Context,
  routeNo: number,
  search: Search,
  findByExpressions: FindByExpressions | undefined,
): Promise<FoundReviewers> {
  if (findByExpressions === undefined) {
    return insertSubjects(context, routeNo, search);
  }
  let total = noReviewers;
  let after: SubjectKey = { appId: '', objectId: '', userId: '' };
  for (let isDone = false; !isDone; ) {
    const page = await context.db.rows<SubjectKey>(
      sql`SELECT s.app_id AS "appId", s.object_id AS "objectId", s.user_id AS "userId" FROM (${search.subjects}) s
        WHERE (s.app_id COLLATE "C", s.object_id COLLATE "C", s.user_id COLLATE "C") > (${after.appId}, ${after.objectId}, ${after.userId})
        ORDER BY s.app_id COLLATE "C", s.object_id COLLATE "C", s.user_id COLLATE "C" LIMIT ${subjectsPerPage}`,
    );
    const found = await findByExpressions(page);
    const rows = page.map((subject, at) => ({ ...subject, found: found[at] ?? [] }));
    const subjects = sql`SELECT n."appId" AS app_id, n."objectId" AS object_id, n."userId" AS user_id, n.found
      FROM jsonb_to_recordset(${JSON.stringify(rows)}) AS n ("appId" text, "objectId" text, "userId" text, found text[])`;
    total = rows.length === 0 ? total : addUp(total, await insertSubjects(context, routeNo, { ...search, subjects }));
    after = page.at(-1) ?? after;
    isDone = page.length < subjectsPerPage;
  }
  return total;
}

function insertSubjects(context: Context, routeNo: number, search: Search): Promise<FoundReviewers> {
  const { tenantId } = context;
  const { reviewId } = search;
  return context.db.one<FoundReviewers>(
    sql`WITH ${chosenSql(context, search)},
     kept AS (
       INSERT INTO task_subject_assignments (tenant_id, review_id, route_no, app_id, object_id, user_id, assignment_id)
       SELECT ${tenantId}, ${reviewId}, ${routeNo}, c.app_id, c.object_id, c.user_id, c.set_id FROM chosen c)
     SELECT count(*) AS subjects, count(*) FILTER (WHERE ${isFallback(search.rules, 'c')}) AS fallbacks, count(*) FILTER (WHERE c.rule IS NULL) AS unassigned,
       (SELECT coalesce(jsonb_object_agg(l.reason, l.n), '{}') FROM (
         SELECT x.reason, count(*) AS n FROM chosen x WHERE x.reason IS NOT NULL GROUP BY x.reason) l) AS levels
     FROM chosen c`,
  );
}

/**
 * Finds the reviewers of every subject in the snapshot of a review that a route applies to, and keeps them in task_subject_assignments. Where the
 * route reads nothing of the person, they are found once for everybody, and again for those who would be asked about their own access.
 */
export async function insertSubjectAssignments(
  context: Context,
  reviewId: string,
  route: RouteOfSnapshot,
  rules: readonly ResolvedRule[],
  findByExpressions?: FindByExpressions,
): Promise<FoundReviewers> {
  const { tenantId } = context;
  // The snapshot was made in this very transaction: the planner takes it for empty, and would loop over it.
  await setHashJoins(context);
  const search = { reviewId, subjects: subjectsOf(context, reviewId, route), rules };
  const found = await insertAllSubjects(context, route.routeNo, search, findByExpressions);
  let own = noReviewers;
  if (route.reads !== 'PERSON' && route.reads !== 'ACCOUNT' && route.reads !== 'ITEM') {
    const subjects = sql`SELECT DISTINCT k.app_id, k.object_id, n.user_id FROM task_subject_assignments k
      JOIN task_assignments t ON t.tenant_id = ${tenantId} AND t.id = k.assignment_id
        AND t.reason <> ALL (${rules.filter(({ allowSelf }) => allowSelf).map(({ reason }) => reason)}::text[])
      CROSS JOIN LATERAL unnest(t.user_ids) AS n (user_id)
      JOIN ${route.accounts} a ON a.app_id = k.app_id AND a.user_id = n.user_id AND a.excluded_by = ''
      WHERE k.tenant_id = ${tenantId} AND k.review_id = ${reviewId} AND k.route_no = ${route.routeNo} AND k.user_id = ''`;
    own = await insertAllSubjects(context, route.routeNo, { ...search, subjects }, findByExpressions);
  }
  await endHashJoins(context);
  return { ...addUp(found, own), levels: found.levels };
}

/** Subject of one task, as reviewers are looked for. */
export interface TaskSubject {
  readonly appId: string;
  readonly objectId: string;
  /** Empty where nobody owns the account. */
  readonly userId: string;
  /** Those not asked. */
  readonly besides: readonly string[];
  /** People the step's expressions found. */
  readonly found: readonly string[];
}

/** Subjects, numbered from 0 in their order. */
function subjectsSql(subjects: readonly TaskSubject[]): Sql {
  const rows = subjects.map((subject, n) => ({ ...subject, n }));
  return sql`SELECT n.n, n."appId" AS app_id, n."objectId" AS object_id, n."userId" AS user_id, n.besides, n.found
    FROM jsonb_to_recordset(${JSON.stringify(rows)}) AS n (n int, "appId" text, "objectId" text, "userId" text, besides text[], found text[])`;
}

/** The set that was found for a subject, null where nobody was; `level` counts the levels that were passed. */
export interface FoundAssignment {
  readonly assignmentId: string | null;
  readonly reason: ReviewerReason | null;
  readonly level: number;
}

/** Finds the reviewers of subjects of tasks, in their order, and keeps the sets. */
export function insertTaskAssignments(
  context: Context,
  reviewId: string,
  subjects: readonly TaskSubject[],
  rules: readonly ResolvedRule[],
): Promise<FoundAssignment[]> {
  return context.db.rows<FoundAssignment>(
    sql`WITH ${chosenSql(context, { reviewId, subjects: subjectsSql(subjects), rules, isOfTasks: true })}
     SELECT c.set_id AS "assignmentId", c.reason, coalesce(c.rule, ${rules.length}) AS level FROM chosen c ORDER BY c.n`,
  );
}

/** Finds each level's people for one subject, in order; nothing is kept. */
export function findPeopleByLevel(context: Context, subject: TaskSubject, rules: readonly ResolvedRule[]): Promise<string[][]> {
  const levels = joinSql(rules.map((_, index) => fixed(`to_jsonb(c.p${index})`)));
  return context.db.value<string[][]>(
    sql`WITH ${candidatesSql(context, { subjects: subjectsSql([subject]), rules, isOfTasks: true })}
      SELECT jsonb_build_array(${levels}) AS found FROM candidates c`,
  );
}

/** The people of reviewer sets, by the ids of the sets. */
export async function listAssignees({ db, tenantId }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await db.rows<{ id: string; userIds: readonly string[] }>(
    sql`SELECT a.id, a.user_ids AS "userIds" FROM task_assignments a WHERE a.tenant_id = ${tenantId} AND a.id = ANY (${[...new Set(ids)]})`,
  );
  return new Map(rows.map(({ id, userIds }) => [id, userIds]));
}

/** The set of exactly these people for this reason in a review, made where it is missing; people are sorted and counted once. */
export function insertAssignment(
  context: Context,
  reviewId: string,
  userIds: readonly string[],
  reason: AssignmentReason,
  isFallback: boolean,
): Promise<string> {
  return context.db.value<string>(
    `WITH wanted AS (SELECT task_assignment_id($2, $3, $4::text[]) AS id),
     added AS (
       INSERT INTO task_assignments (tenant_id, id, review_id, user_ids, reason, is_fallback, created_at)
       SELECT $1, w.id, $2, $4, $3, $5, $6 FROM wanted w ON CONFLICT DO NOTHING),
     members AS (
       INSERT INTO task_assignment_members (tenant_id, user_id, assignment_id, review_id)
       SELECT $1, unnest($4::text[]), w.id, $2 FROM wanted w ON CONFLICT DO NOTHING)
     SELECT w.id FROM wanted w`,
    [context.tenantId, reviewId, reason, [...new Set(userIds)].sort(), isFallback, context.now],
  );
}
