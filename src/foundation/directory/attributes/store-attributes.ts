/**
 * SQL of profile attributes: their types, and what a type means for the values that are there or are about to be. Values are checked and
 * converted in the database, all at once: the cost is one pass over the people, or the accounts, of the tenant.
 */
import type { Context } from '../../../context.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { ProfileSubject, ProfileType } from './profile-types.ts';

/** An attribute that was given a type. */
export interface AttributeRow {
  readonly subject: ProfileSubject;
  readonly name: string;
  readonly type: ProfileType;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = 'subject, name, value_type AS type, created_at AS "createdAt", updated_at AS "updatedAt"';

/** Waits for whoever else changes types; held to the end of the transaction. */
export async function lockAttributes(context: Context): Promise<void> {
  await context.db.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 5))', [`countersign.profile_attributes.${context.tenantId}`]);
}

/** Keeps the types as they are to the end of the transaction, together with others who write values. */
export async function lockAttributesShared(context: Context): Promise<void> {
  await context.db.rows('SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 5))', [
    `countersign.profile_attributes.${context.tenantId}`,
  ]);
}

/** The attribute with a type of this name. */
export function findAttribute(context: Context, subject: ProfileSubject, name: string): Promise<AttributeRow | undefined> {
  return context.db.maybe<AttributeRow>(`SELECT ${columns} FROM profile_attributes WHERE tenant_id = $1 AND subject = $2 AND name = $3`, [
    context.tenantId,
    subject,
    name,
  ]);
}

/** A page of attributes by subject and name; of one subject where it is given. */
export function listAttributes(
  context: Context,
  subject: ProfileSubject | undefined,
  after: readonly [subject: string, name: string],
  limit: number,
): Promise<AttributeRow[]> {
  return context.db.rows<AttributeRow>(
    `SELECT ${columns} FROM profile_attributes
     WHERE tenant_id = $1 AND ($2::text IS NULL OR subject = $2) AND (subject, name) > ($3, $4) ORDER BY subject, name LIMIT $5`,
    [context.tenantId, subject ?? null, ...after, limit],
  );
}

/** Counts a subject's attributes that have a type. */
export function countAttributes(context: Context, subject: ProfileSubject): Promise<number> {
  return context.db.value<number>('SELECT count(*) AS count FROM profile_attributes WHERE tenant_id = $1 AND subject = $2', [
    context.tenantId,
    subject,
  ]);
}

/** Counts values of live people or accounts, a FROM item, that do not fit a type, with examples. */
export function findMisfits(
  { db, tenantId }: Context,
  objects: Sql,
  name: string,
  type: ProfileType,
): Promise<{ count: number; examples: { id: string; value: string }[] }> {
  return db.one(
    sql`WITH misfits AS (
       SELECT o.id, o.profile ->> ${name} AS value FROM ${objects} o
       WHERE o.tenant_id = ${tenantId} AND o.deleted_at IS NULL AND o.profile ? ${name} AND profile_value(o.profile -> ${name}, ${type}) IS NULL)
     SELECT (SELECT count(*) FROM misfits) AS count,
       coalesce((SELECT jsonb_agg(m) FROM (SELECT id, left(value, 60) AS value FROM misfits ORDER BY id LIMIT 5) m), '[]') AS examples`,
  );
}

/** Gives an attribute a type; its values are converted where they are. */
export async function updateAttribute(context: Context, subject: ProfileSubject, name: string, type: ProfileType): Promise<void> {
  await context.db.run(
    `INSERT INTO profile_attributes (tenant_id, subject, name, value_type, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (tenant_id, subject, name) DO UPDATE SET value_type = $4, updated_at = $5`,
    [context.tenantId, subject, name, type, context.now],
  );
}

/** Takes the type of an attribute away, and its values from what is searched. */
export async function removeAttribute(context: Context, subject: ProfileSubject, name: string): Promise<void> {
  const key = sql`tenant_id = ${context.tenantId} AND subject = ${subject} AND name = ${name}`;
  await context.db.run(sql`DELETE FROM profile_attributes WHERE ${key}`);
  await context.db.run(sql`DELETE FROM profile_values WHERE ${key}`);
}

/** Fills what is searched with the values that people or accounts, a FROM item, have of an attribute that was just given its type. */
export async function insertValues(
  { db, tenantId }: Context,
  objects: Sql,
  subject: ProfileSubject,
  name: string,
  type: ProfileType,
): Promise<void> {
  await db.run('DELETE FROM profile_values WHERE tenant_id = $1 AND subject = $2 AND name = $3', [tenantId, subject, name]);
  const isNumber = type === 'NUMBER';
  const column = fixed(isNumber ? 'number_value' : 'text_key');
  const value = isNumber ? sql`(o.profile ->> ${name})::float8` : sql`profile_key(o.profile ->> ${name})`;
  const types = fixed(isNumber ? `= 'number'` : `IN ('string', 'number', 'boolean')`);
  await db.run(
    sql`INSERT INTO profile_values (tenant_id, subject, name, object_id, ${column})
     SELECT ${tenantId}, ${subject}, ${name}, o.id, ${value} FROM ${objects} o
     WHERE o.tenant_id = ${tenantId} AND o.deleted_at IS NULL AND o.profile ? ${name} AND jsonb_typeof(o.profile -> ${name}) ${types}`,
  );
}
