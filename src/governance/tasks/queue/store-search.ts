/**
 * SQL of task search: which tasks an actor sees, filtered and in order, as pages of ids. The statements are put together from the fixed
 * pieces of store-search-filter.ts and store-search-sources.ts; whatever comes from outside is a parameter.
 */
import { allSql, fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import { listConditions, escapeLike } from '../../../lib/where.ts';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/types.ts';
import { getBeside, getConditions, getShownSql, getTextConditionSql, type TaskFilter, type Viewer } from './store-search-filter.ts';
import {
  getOwnCondition,
  isByPlace,
  listReaders,
  type Search,
  type Source,
  listSources,
  listTaskKeys,
  type TaskPage,
  walks,
} from './store-search-sources.ts';
import { taskSlot } from '../task/index.ts';

/** A task of a page: its id, behind what the order is by ('' where that is less, or the id alone). */
export interface FoundTask {
  readonly first: string;
  readonly second: string;
  readonly id: string;
}

/** Pieces of a statement that every source needs. */
interface Pieces {
  readonly search: Search;
  readonly where: Sql;
  /** Beside the id: whether a text is found, where that is asked. */
  readonly found: Sql;
}

/** `ORDER BY ... LIMIT` of columns that are called `first`, `second` and as given. */
function ordered({ page }: Search, id: string): Sql {
  const direction = page.descending ? 'DESC' : 'ASC';
  return sql`ORDER BY ${fixed(page.order === 'id' ? `${id} ${direction}` : `first, second, ${id}`)} LIMIT ${page.limit}`;
}

/** The two columns that a page is sorted by before the id. */
function keyColumns(keys: readonly Sql[]): Sql {
  const nothing = sql`'' COLLATE "C"`;
  return sql`${keys[0] ?? nothing} AS first, ${keys[1] ?? nothing} AS second`;
}

/** True if a task lies behind the last of the page before. */
function isBehind({ page, beside }: Search): Sql {
  if (page.after === undefined) {
    return sql`TRUE`;
  }
  if (page.order === 'id') {
    return sql`t.id ${fixed(page.descending ? '<' : '>')} ${page.after[0]}`;
  }
  const keys = listTaskKeys(page.order, beside);
  return sql`(${joinSql([...keys, sql`t.id`])}) > (${joinSql(page.after.map((key) => sql`${key} COLLATE "C"`))})`;
}

/** The tasks of a review by way of its snapshot: row by row of that in order, and of each a page of tasks at most. */
function walkSelect({ search, where, found }: Pieces, source: Source): Sql {
  const { tenantId, page } = search;
  const { table, keys, isOf } = walks[page.order === 'id' ? 'account' : page.order];
  const columns = keys.map((key) => fixed(key));
  const after = page.after?.map((key) => sql`${key} COLLATE "C"`);
  const begin = after === undefined ? sql`TRUE` : sql`(${joinSql(columns)}) >= (${joinSql(after.slice(0, -1))})`;
  const narrowed = source.only === undefined ? sql`` : sql`AND t.entitlement_id = ANY (${source.only})`;
  // Of an account there are few: OFFSET 0 keeps the planner from going through the review in the order of ids to find them.
  const ofRow = isByPlace(page.order)
    ? sql`(SELECT t.* FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = n.review_id AND ${isOf})`
    : sql`(SELECT t.* FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = n.review_id AND ${isOf} ${narrowed} OFFSET 0)`;
  // A row at which the page before ended goes on behind its last task.
  const behind =
    after === undefined
      ? sql`TRUE`
      : sql`t.id > CASE WHEN (${joinSql(columns)}) > (${joinSql(after.slice(0, -1))}) THEN '' ELSE ${after.at(-1)} END`;
  return sql`(SELECT f.* FROM ${source.outer}
    CROSS JOIN LATERAL (
      SELECT ${keyColumns(columns)}, x.* FROM ${table} n
      CROSS JOIN LATERAL (
        SELECT t.id${found} FROM ${ofRow} t WHERE ${where} AND ${source.inner} AND ${behind} ORDER BY t.id LIMIT ${page.limit}) x
      WHERE n.tenant_id = ${tenantId} AND n.review_id = ${source.walked ?? sql`NULL`} AND ${begin} AND ${source.where ?? sql`TRUE`}
      ${ordered(search, 'x.id')}) f
    ${ordered(search, 'f.id')})`;
}

function select(pieces: Pieces, source: Source): Sql {
  const { search, where, found } = pieces;
  const { tenantId, page, beside } = search;
  const columns = keyColumns(listTaskKeys(page.order, beside));
  const wanted = sql`${where} AND ${isBehind(search)}`;
  switch (source.kind) {
    case 'walk':
      return walkSelect(pieces, source);
    case 'ids':
      return sql`(SELECT ${columns}, d.task_id AS id${found} FROM ${source.outer} JOIN tasks t ON t.tenant_id = ${tenantId} AND t.id = d.task_id
        WHERE ${wanted} AND ${source.inner} ${ordered(search, 'd.task_id')})`;
    case 'ranges':
      return sql`(SELECT f.* FROM ${source.outer}
        CROSS JOIN LATERAL (SELECT ${columns}, t.id${found} FROM tasks t WHERE ${wanted} AND ${source.inner} ${ordered(search, 't.id')}) f
        ${ordered(search, 'f.id')})`;
    case 'few':
      // OFFSET 0 keeps the planner from reading in the order of the page until it finds them.
      return sql`(SELECT ${columns}, t.id${found} FROM ${source.outer}
        CROSS JOIN LATERAL (SELECT t.* FROM tasks t WHERE t.tenant_id = ${tenantId} AND ${source.inner} OFFSET 0) t
        WHERE ${wanted} AND ${source.where ?? sql`TRUE`} ${ordered(search, 't.id')})`;
  }
}

/** The page of a search; with `looksFor` each task says whether that text is found in it. */
function searchStatement(search: Search, looksFor?: string): Sql {
  const { tenantId, filter, beside } = search;
  const where = allSql([
    sql`t.tenant_id = ${tenantId}`,
    ...getOwnCondition(search),
    ...listConditions<Omit<TaskFilter, 'orActedAfter'>>(filter, getConditions(beside, filter)),
  ]);
  const found = looksFor === undefined ? sql`` : sql`, ${getTextConditionSql(looksFor)} AS found`;
  const selects = listSources(search).map((source) => select({ search, where, found }, source));
  return sql`SELECT f.* FROM (${joinSql(selects, ' UNION ')}) f ${ordered(search, 'f.id')}`;
}

/** More assigned tasks than this are not sorted for a page, where another way is known. */
const maxSorted = 5_000;

async function openSearch(context: Context, viewer: Viewer, filter: TaskFilter, page: TaskPage): Promise<Search> {
  const { tenantId } = context;
  const search = { tenantId, viewer, filter, page, beside: getBeside(tenantId, viewer) };
  const readers = listReaders(search);
  if (readers.length === 0) {
    return search;
  }
  const { count } = await context.db.one<{ count: number }>(
    sql`SELECT count(*) AS count FROM (
      SELECT FROM (SELECT DISTINCT m.assignment_id FROM task_assignment_members m WHERE m.tenant_id = ${tenantId} AND m.user_id = ANY (${readers})) m
      CROSS JOIN LATERAL (SELECT FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.assignment_id = m.assignment_id AND t.in_order LIMIT ${maxSorted + 1}) t
      LIMIT ${maxSorted + 1}) c`,
  );
  return { ...search, readsMany: count > maxSorted };
}

/** The ids of a page with their keys; `known` is what is known of where a text may be found. */
export async function listTaskIds(
  context: Context,
  viewer: Viewer,
  filter: TaskFilter,
  page: TaskPage,
  known: Pick<Search, 'candidates' | 'accountWords'> = {},
): Promise<FoundTask[]> {
  const search = await openSearch(context, viewer, filter, page);
  return context.db.rows<FoundTask>(searchStatement({ ...search, ...known }));
}

/** Result of a look at the next tasks. */
export interface LookedAt {
  /** Count of them, and of those that had the text. */
  readonly looked: number;
  readonly matched: number;
  /** Those that had it, a page at most. */
  readonly found: readonly FoundTask[];
}

/** Looks for a text in the next `most` tasks that the filter without it keeps. */
export async function findNextByText(
  context: Context,
  viewer: Viewer,
  { query = '', ...filter }: TaskFilter,
  page: TaskPage,
  most: number,
): Promise<LookedAt> {
  const search = await openSearch(context, viewer, filter, page);
  const rows = await context.db.rows<FoundTask & { looked: number; matched: number }>(
    sql`WITH looked AS MATERIALIZED (${searchStatement({ ...search, page: { ...page, limit: most } }, query)})
      SELECT c.looked, c.matched, f.* FROM (SELECT count(*) AS looked, count(*) FILTER (WHERE l.found) AS matched FROM looked l) c
      LEFT JOIN (SELECT l.* FROM looked l WHERE l.found ${ordered(search, 'l.id')}) f ON true
      ${ordered(search, 'f.id')}`,
  );
  const found = rows.filter(({ id }) => id !== null).map(({ first, second, id }) => ({ first, second, id }));
  return { looked: rows[0]?.looked ?? 0, matched: rows[0]?.matched ?? 0, found };
}

/** The shown reviews `b` of a filter. */
function shownIn(tenantId: string, reviewIds: readonly string[] | undefined): Sql {
  return sql`b.tenant_id = ${tenantId} AND ${getShownSql({ includesDeleted: true })} AND ${reviewIds === undefined ? sql`TRUE` : sql`b.id = ANY (${reviewIds})`}`;
}

/** Finds the time of the oldest snapshot a search looks in; long ago where nobody knows. */
export async function findOldestSnapshot({ db, tenantId }: Context, reviewIds: readonly string[] | undefined): Promise<Date> {
  const found = await db.value<Date | null>(
    sql`SELECT min(coalesce(r.sources_frozen_at, 'epoch')) AS oldest FROM task_reviews b
      JOIN ${fixed(taskSlot.get().reviews)} r ON r.tenant_id = ${tenantId} AND r.id = b.id WHERE ${shownIn(tenantId, reviewIds)}`,
  );
  return found ?? new Date(0);
}

/** The ids that a statement finds; undefined where there are more than `most`. */
async function listIdsUpTo(db: Db, most: number, query: Sql): Promise<string[] | undefined> {
  const rows = await db.rows<{ id: string }>(sql`${query} LIMIT ${most + 1}`);
  return rows.length > most ? undefined : rows.map(({ id }) => id);
}

/** Accounts of snapshots that belong to these people; undefined where there are more than `most`. */
export function listSnapshotAccountsOf(
  { db, tenantId }: Context,
  reviewIds: readonly string[] | undefined,
  userIds: readonly string[],
  most: number,
): Promise<string[] | undefined> {
  return listIdsUpTo(
    db,
    most,
    sql`SELECT DISTINCT n.account_id AS id FROM task_reviews b
      JOIN snapshot_accounts n ON n.tenant_id = ${tenantId} AND n.review_id = b.id AND n.user_id = ANY (${userIds}) AND n.excluded_by = ''
      WHERE ${shownIn(tenantId, reviewIds)}`,
  );
}

/** Accounts of snapshots whose names have a word, each of them read; undefined where there are more than `most`. */
export function listSnapshotAccountsWith(
  { db, tenantId }: Context,
  reviewIds: readonly string[] | undefined,
  word: string,
  most: number,
): Promise<string[] | undefined> {
  return listIdsUpTo(
    db,
    most,
    sql`SELECT n.account_id AS id FROM task_reviews b JOIN snapshot_accounts n ON n.tenant_id = ${tenantId} AND n.review_id = b.id AND n.excluded_by = ''
      WHERE ${shownIn(tenantId, reviewIds)} AND (n.account_key || ' ' || n.owner_key) LIKE (SELECT search_fold(${escapeLike(word)}))`,
  );
}

/** Resources of snapshots that pass an entitlement on, whose names have a word; undefined where there are more than `most`. */
export function listSnapshotResourcesWith(
  { db, tenantId }: Context,
  reviewIds: readonly string[] | undefined,
  word: string,
  most: number,
): Promise<string[] | undefined> {
  return listIdsUpTo(
    db,
    most,
    sql`SELECT DISTINCT n.account_id AS id FROM task_reviews b
      JOIN snapshot_accounts n ON n.tenant_id = ${tenantId} AND n.review_id = b.id AND n.principal_kind = 'R'
      WHERE ${shownIn(tenantId, reviewIds)} AND n.account_key LIKE (SELECT search_fold(${escapeLike(word)}))`,
  );
}

/** Entitlements of snapshots whose names have a word; undefined where there are more than `most`. */
export function listSnapshotEntitlementsWith(
  { db, tenantId }: Context,
  reviewIds: readonly string[] | undefined,
  word: string,
  most: number,
): Promise<string[] | undefined> {
  return listIdsUpTo(
    db,
    most,
    sql`SELECT DISTINCT n.entitlement_id AS id FROM task_reviews b JOIN snapshot_entitlements n ON n.tenant_id = ${tenantId} AND n.review_id = b.id
      WHERE ${shownIn(tenantId, reviewIds)} AND n.place_key LIKE (SELECT search_fold(${escapeLike(word)}))`,
  );
}

/** True if these entitlements have more than `most` tasks. */
export async function hasTasksBeyond(
  { db, tenantId }: Context,
  reviewIds: readonly string[] | undefined,
  entitlementIds: readonly string[],
  most: number,
): Promise<boolean> {
  const found = await db.value<number>(
    sql`SELECT count(*) AS count FROM (SELECT FROM task_reviews b
      JOIN tasks t ON t.tenant_id = ${tenantId} AND t.review_id = b.id AND t.entitlement_id = ANY (${entitlementIds})
      WHERE ${shownIn(tenantId, reviewIds)} LIMIT ${most + 1}) c`,
  );
  return found > most;
}
