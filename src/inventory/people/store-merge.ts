/** SQL that gives records to other people: an administrator says that two people are one, or that one is two. */
import type { Context } from '../../context.ts';
import { getAddressKey } from '../../lib/names/same-name.ts';
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import { getStatusSql } from './store-evidence.ts';

/** What a record says, with where it comes from. */
export interface SplitRecord {
  readonly id: string;
  readonly sourceId: string;
  readonly state: 'LIVE' | 'GONE';
  /** The pushed user that it came with; '' for none. */
  readonly scimId: string;
  readonly email: string;
  readonly displayName: string;
  readonly username: string;
  readonly employeeId: string;
  /** '' where it says none. */
  readonly employmentStatus: string;
  /** False once the source is deleted. */
  readonly isSourceThere: boolean;
}

const columns =
  fixed(`k.id, k.source_id AS "sourceId", k.state, k.scim_id AS "scimId", k.email, k.display_name AS "displayName", k.username,
  k.employee_id AS "employeeId", k.employment_status AS "employmentStatus", (s.id IS NOT NULL) AS "isSourceThere"`);

const sources = fixed('sources_public s ON s.tenant_id = k.tenant_id AND s.id = k.source_id AND s.deleted_at IS NULL');

/** The one that speaks for a person first: it is reported now, its address is its user name, and it is the oldest. */
const speakerFirst = fixed(`(k.state = 'LIVE') DESC, (k.email_key <> '' AND k.email_key = k.username_key) DESC, k.first_seen_at, k.id`);

/** The records of a person with these ids, held until the end of the transaction, the one that speaks for them first. */
export function lockRecords({ db, tenantId }: Context, userId: string, ids: readonly string[]): Promise<SplitRecord[]> {
  return db.rows<SplitRecord>(
    sql`SELECT ${columns} FROM person_records k LEFT JOIN ${sources}
      WHERE k.tenant_id = ${tenantId} AND k.user_id = ${userId} AND k.id = ANY (${[...ids]}) ORDER BY ${speakerFirst} FOR UPDATE OF k`,
  );
}

/** The record that speaks for a person, of those that are reported now by sources that may change them; undefined for none. */
export function findTeller({ db, tenantId }: Context, userId: string): Promise<SplitRecord | undefined> {
  return db.maybe<SplitRecord>(
    sql`SELECT ${columns} FROM person_records k JOIN ${sources}
      WHERE k.tenant_id = ${tenantId} AND k.user_id = ${userId} AND k.state = 'LIVE' AND k.is_heard ORDER BY ${speakerFirst} LIMIT 1`,
  );
}

/** Values of a person that their records say, and the sources of these records. */
export interface SaidElsewhere {
  readonly isAny: boolean;
  readonly email: boolean;
  readonly username: boolean;
  readonly employeeId: boolean;
  readonly displayName: boolean;
  /** True if one of those that are reported now says that the person is terminated. */
  readonly isTerminated: boolean;
  readonly sourceIds: readonly string[];
}

/** Says which of these values records of a person say that are reported now, and if there is any record of them at all. */
export function listSaidElsewhere(
  { db, tenantId }: Context,
  userId: string,
  said: { readonly email: string; readonly username: string; readonly employeeId: string; readonly displayName: string },
): Promise<SaidElsewhere> {
  const says = (isSame: Sql): Sql => sql`coalesce(bool_or(k.state = 'LIVE' AND ${isSame}), false)`;
  return db.one(
    sql`SELECT count(*) > 0 AS "isAny", ${says(sql`k.email_key = ${getAddressKey(said.email)}`)} AS email,
        ${says(sql`k.username_key = ${getAddressKey(said.username)}`)} AS username, ${says(sql`k.employee_id = ${said.employeeId}`)} AS "employeeId",
        ${says(sql`name_key(k.display_name) = name_key(${said.displayName})`)} AS "displayName",
        ${says(sql`k.is_heard AND k.employment_status = 'TERMINATED'`)} AS "isTerminated",
        coalesce(array_agg(DISTINCT k.source_id), '{}') AS "sourceIds"
      FROM person_records k WHERE k.tenant_id = ${tenantId} AND k.user_id = ${userId}`,
  );
}

/**
 * Returns the status that the records of a person say together, as far as any is reported now; null where none is, or none says. With `isAlone` also
 * records that are not reported any more: then their sources say that the person left.
 */
export async function findLiveStatus({ db, tenantId }: Context, userId: string, isAlone: boolean): Promise<'ENABLED' | 'DISABLED' | null> {
  const found = await db.maybeValue<'ENABLED' | 'DISABLED' | null>(
    sql`SELECT x.status FROM (${getStatusSql(tenantId, sql`k.user_id = ${userId}`)}) AS x
      WHERE ${isAlone} OR EXISTS (SELECT FROM person_records k WHERE k.tenant_id = ${tenantId} AND k.user_id = ${userId} AND k.state = 'LIVE'
        AND k.is_heard)`,
  );
  return found ?? null;
}

/** The id of a disputed record that may be one of these people's; undefined for none. */
export function findOpenDispute({ db, tenantId }: Context, userIds: readonly string[]): Promise<string | undefined> {
  return db.maybeValue<string>(
    sql`SELECT k.id FROM person_records k JOIN ${sources}
      WHERE k.tenant_id = ${tenantId} AND k.verdict = 'DISPUTED' AND k.state = 'LIVE' AND k.candidate_ids && ${[...userIds]}::text[] COLLATE "C"
      ORDER BY k.id LIMIT 1`,
  );
}

/** Gives all records of a person to another, as an administrator's answer, and returns how many they are, with the first of them. */
export function moveRecords(
  { db, tenantId, now, actor }: Context,
  fromId: string,
  intoId: string,
  most: number,
): Promise<{ readonly count: number; readonly names: readonly string[]; readonly ids: readonly string[] }> {
  return db.one(
    sql`WITH moved AS (
        UPDATE person_records k SET user_id = ${intoId}, verdict = 'SAME_PERSON', answered_at = ${now}, answered_by_id = ${actor.userId}
        WHERE k.tenant_id = ${tenantId} AND k.user_id = ${fromId} RETURNING k.id, k.source_id, k.anchor)
      SELECT (SELECT count(*) FROM moved) AS count, ARRAY(SELECT m.id FROM moved m ORDER BY m.id LIMIT ${most}) AS ids,
        ARRAY(SELECT coalesce(s.display_name, '') || ': ' || m.anchor FROM moved m
          LEFT JOIN sources_public s ON s.tenant_id = ${tenantId} AND s.id = m.source_id ORDER BY m.id LIMIT ${most}) AS names`,
  );
}

/** Gives these records to a person who was split off, as an administrator's answer. Their sources may say what the person says. */
export async function moveChosenRecords({ db, tenantId, now, actor }: Context, ids: readonly string[], userId: string): Promise<void> {
  await db.run(
    sql`UPDATE person_records k SET user_id = ${userId}, is_heard = true, verdict = 'NEW_PERSON', answered_at = ${now},
        answered_by_id = ${actor.userId}
      WHERE k.tenant_id = ${tenantId} AND k.id = ANY (${[...ids]})`,
  );
}
