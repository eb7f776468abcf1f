/** SQL of the table `fetches`. Every change of a state goes through `moveFetch` (move-fetch.ts). */
import type { Context } from '../../context.ts';
import { allSql, fixed, joinSql, type Sql, sql } from '../../lib/sql.ts';
import { listConditions } from '../../lib/where.ts';
import { holdsTextSql } from '../../lib/words.ts';
import type { FetchReason, FetchState } from './states.ts';

/** Content that is held, as it is kept in pieces. */
export interface HeldContent {
  readonly kind: 'PEOPLE' | 'GRANTS';
  /** A file as it came, or rows as lines of JSON. */
  readonly format: 'FILE' | 'ROWS';
  readonly sheet: string;
  /** Content-Encoding of a file. */
  readonly encoding: string;
  /** Of rows. */
  readonly columns: readonly string[];
}

/** A fetch. */
export interface FetchRow {
  readonly id: string;
  readonly sourceId: string;
  readonly appId: string;
  readonly reason: FetchReason;
  readonly state: FetchState;
  /** Fetches in a row before it that failed. */
  readonly failures: number;
  readonly requestedById: string;
  readonly leaseToken: string;
  readonly mark: string;
  readonly observedFrom: Date | null;
  readonly contents: readonly HeldContent[];
  readonly bytes: number;
  readonly incompleteReason: string;
  readonly warnings: readonly string[];
  readonly error: string;
  readonly peopleSyncId: string;
  readonly syncId: string;
  readonly runAt: Date;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly updatedAt: Date;
  readonly endedAt: Date | null;
}

const columns = fixed(`id, source_id AS "sourceId", app_id AS "appId", reason, state, failures, requested_by_id AS "requestedById",
  lease_token AS "leaseToken", mark, observed_from AS "observedFrom", contents, bytes, incomplete_reason AS "incompleteReason", warnings, error,
  people_sync_id AS "peopleSyncId", sync_id AS "syncId", run_at AS "runAt", created_at AS "createdAt", started_at AS "startedAt",
  updated_at AS "updatedAt", ended_at AS "endedAt"`);

/** Fetch to be. */
export type NewFetch = Pick<FetchRow, 'id' | 'sourceId' | 'appId' | 'reason' | 'failures' | 'requestedById' | 'runAt'> & {
  readonly state: 'WAITING' | 'SKIPPED';
  readonly error?: string;
};

/** Adds a fetch; false where one of the source is under way. */
export async function insertFetch({ db, tenantId, now }: Context, row: NewFetch): Promise<boolean> {
  const endedAt = row.state === 'SKIPPED' ? now : null;
  const added = await db.run(
    sql`INSERT INTO fetches (tenant_id, id, source_id, app_id, reason, state, failures, requested_by_id, error, run_at, created_at, updated_at, ended_at)
      VALUES (${tenantId}, ${row.id}, ${row.sourceId}, ${row.appId}, ${row.reason}, ${row.state}, ${row.failures}, ${row.requestedById},
        ${row.error ?? ''}, ${row.runAt}, ${now}, ${now}, ${endedAt})
      ON CONFLICT (tenant_id, source_id) WHERE state IN ('WAITING', 'RUNNING', 'READING') DO NOTHING`,
  );
  return added === 1;
}

/** The fetch with this id. */
export function findFetch({ db, tenantId }: Context, id: string): Promise<FetchRow | undefined> {
  return db.maybe<FetchRow>(sql`SELECT ${columns} FROM fetches WHERE tenant_id = ${tenantId} AND id = ${id}`);
}

/** The same, locked until the transaction ends. */
export function lockFetch({ db, tenantId }: Context, id: string): Promise<FetchRow | undefined> {
  return db.maybe<FetchRow>(sql`SELECT ${columns} FROM fetches WHERE tenant_id = ${tenantId} AND id = ${id} FOR UPDATE`);
}

/** The fetch of a source that is under way. */
export function findUnderWay({ db, tenantId }: Context, sourceId: string): Promise<FetchRow | undefined> {
  return db.maybe<FetchRow>(
    sql`SELECT ${columns} FROM fetches WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} AND state IN ('WAITING', 'RUNNING', 'READING')`,
  );
}

/** States by which the last look at the other system is known to have worked or failed. */
export const endedStates: readonly FetchState[] = ['UNCHANGED', 'DONE', 'HELD', 'DISCARDED', 'SUPERSEDED', 'FAILED'];

/** The newest fetch of a source that ended in one of these states, or is held. */
export function findNewest({ db, tenantId }: Context, sourceId: string, states: readonly FetchState[]): Promise<FetchRow | undefined> {
  return db.maybe<FetchRow>(
    sql`SELECT ${columns} FROM fetches WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} AND state = ANY (${states}) ORDER BY id DESC LIMIT 1`,
  );
}

/** Facts that a change of the state may bring along. */
export type FetchFacts = Partial<
  Pick<
    FetchRow,
    'leaseToken' | 'mark' | 'observedFrom' | 'bytes' | 'incompleteReason' | 'warnings' | 'error' | 'peopleSyncId' | 'syncId' | 'contents'
  >
>;

const setters: { readonly [Name in keyof FetchFacts]-?: (value: NonNullable<FetchFacts[Name]> | null) => Sql } = {
  leaseToken: (value) => sql`lease_token = ${value}`,
  mark: (value) => sql`mark = ${value}`,
  observedFrom: (value) => sql`observed_from = ${value}`,
  bytes: (value) => sql`bytes = ${value}`,
  incompleteReason: (value) => sql`incomplete_reason = ${value}`,
  warnings: (value) => sql`warnings = ${value}`,
  error: (value) => sql`error = ${value}`,
  peopleSyncId: (value) => sql`people_sync_id = ${value}`,
  syncId: (value) => sql`sync_id = ${value}`,
  contents: (value) => sql`contents = ${JSON.stringify(value)}::jsonb`,
};

const setsOf = (facts: FetchFacts): Sql[] =>
  Object.entries(facts).map(([name, value]) => (setters[name as keyof FetchFacts] as (value: unknown) => Sql)(value));

/** States whose fetches have ended. */
const ended: readonly FetchState[] = ['UNCHANGED', 'DONE', 'DISCARDED', 'SUPERSEDED', 'FAILED', 'SKIPPED'];

/** Change of a fetch's state. */
export interface FetchMove {
  readonly id: string;
  readonly state: FetchState;
  /** The states it may have now. */
  readonly from: readonly FetchState[];
  readonly facts: FetchFacts;
  /** The lease it is worked on under; undefined where none has to be. */
  readonly token: string | undefined;
}

/** Gives a fetch another state and returns the kind of its source; undefined, and nothing changed, where it has none of those before, or is under another lease. */
export async function updateState(
  { db, tenantId, now }: Context,
  { id, state, from, facts, token }: FetchMove,
): Promise<string | undefined> {
  const sets = [
    sql`state = ${state}`,
    sql`updated_at = ${now}`,
    ...(state === 'RUNNING' ? [sql`started_at = ${now}`] : []),
    ...(ended.includes(state) ? [sql`ended_at = ${now}`] : []),
    ...setsOf(facts),
  ];
  const held = token === undefined ? sql`TRUE` : sql`lease_token = ${token}`;
  const moved = await db.maybe<{ kind: string | null }>(
    sql`UPDATE fetches SET ${joinSql(sets)} WHERE tenant_id = ${tenantId} AND id = ${id} AND state = ANY (${from}) AND ${held}
      RETURNING (SELECT c.kind FROM sources_public c WHERE c.tenant_id = ${tenantId} AND c.id = fetches.source_id) AS kind`,
  );
  return moved === undefined ? undefined : (moved.kind ?? '');
}

/** Adds facts to a fetch that is being read. */
export async function updateFacts({ db, tenantId, now }: Context, id: string, facts: FetchFacts, token: string): Promise<boolean> {
  const sets = [sql`updated_at = ${now}`, ...setsOf(facts)];
  const changed = await db.run(
    sql`UPDATE fetches SET ${joinSql(sets)} WHERE tenant_id = ${tenantId} AND id = ${id} AND state = 'READING' AND lease_token = ${token}`,
  );
  return changed === 1;
}

/** Lets a waiting fetch begin at once. */
export async function updateRunAt({ db, tenantId, now }: Context, id: string, runAt: Date): Promise<void> {
  await db.run(
    sql`UPDATE fetches SET run_at = ${runAt}, updated_at = ${now} WHERE tenant_id = ${tenantId} AND id = ${id} AND state = 'WAITING'`,
  );
}

/** The ids of the source's held fetches but this one. */
export function listHeld({ db, tenantId }: Context, sourceId: string, exceptId: string): Promise<string[]> {
  return db.column<string>(
    sql`SELECT id FROM fetches WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} AND state = 'HELD' AND id <> ${exceptId} ORDER BY id`,
  );
}

/** Fetches that are asked for; a member that is undefined filters nothing. */
export interface FetchFilter {
  readonly sourceId?: string | undefined;
  /** The sources that may be among them. */
  readonly sourceIds?: readonly string[] | undefined;
  readonly state?: FetchState | undefined;
}

/** A page of fetches, the newest first; `before` is the last id of the page before, undefined at the start. */
export function listFetches(
  { db, tenantId }: Context,
  filter: FetchFilter,
  before: string | undefined,
  limit: number,
): Promise<FetchRow[]> {
  const conditions = listConditions<FetchFilter>(filter, {
    sourceId: (id) => sql`source_id = ${id}`,
    sourceIds: (ids) => sql`source_id = ANY (${[...ids]})`,
    state: (state) => sql`state = ${state}`,
  });
  // '~' sorts behind every identifier.
  return db.rows<FetchRow>(
    sql`SELECT ${columns} FROM fetches WHERE tenant_id = ${tenantId} AND id < ${before ?? '~'} AND ${allSql(conditions)} ORDER BY id DESC LIMIT ${limit}`,
  );
}

/** The ids of fetches that have been held since before `before`. */
export function listHeldSince({ db, tenantId }: Context, before: Date, limit: number): Promise<string[]> {
  return db.column<string>(
    sql`SELECT id FROM fetches WHERE tenant_id = ${tenantId} AND state = 'HELD' AND updated_at < ${before} ORDER BY id LIMIT ${limit}`,
  );
}

/** Removes the rows of old fetches that ended before `before`, at most 10,000 at once. */
export async function removeEndedFetches({ db, tenantId }: Context, before: Date): Promise<void> {
  await db.run(
    sql`DELETE FROM fetches WHERE tenant_id = ${tenantId} AND id IN (
      SELECT id FROM fetches WHERE tenant_id = ${tenantId} AND ended_at < ${before} AND state IN ('UNCHANGED', 'SKIPPED') ORDER BY id LIMIT 10000)`,
  );
}

/** The last sync of people that a fetch of the source became; '' for none. */
export async function findLastPeopleSync({ db, tenantId }: Context, sourceId: string): Promise<string> {
  const found = await db.maybeValue<string>(
    sql`SELECT people_sync_id AS id FROM fetches WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} AND people_sync_id <> '' ORDER BY id DESC LIMIT 1`,
  );
  return found ?? '';
}

/** Empties errors, warnings and marks that hold one of the texts; a mark has the name of a file, and without one the file is read anew. */
export async function emptyFetchTexts({ db, tenantId }: Context, texts: readonly string[]): Promise<void> {
  await db.run(
    sql`UPDATE fetches f SET error = '', warnings = '{}', mark = '' WHERE f.tenant_id = ${tenantId}
      AND (${holdsTextSql('f.error', texts)} OR ${holdsTextSql('f.warnings', texts)} OR ${holdsTextSql('f.mark', texts)})`,
  );
}
