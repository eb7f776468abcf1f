/**
 * SQL of profile attributes: their types, and what a type means for the values that are there or are about to be. Values are checked and
 * converted in the database, all at once: the cost is one pass over the people, or the accounts, of the tenant.
 */
import type { Context } from '../../context.ts';
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
const tables: Readonly<Record<ProfileSubject, string>> = { USER: 'users', ACCOUNT: 'accounts' };

/** Where an import keeps the profiles it read, beside the line each is of. */
export type StagedProfiles = keyof typeof stagedLines;

const stagedLines = { import_people: 's.line', import_accounts: 's.profile_line' } as const;

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

/** How many attributes of a subject have a type. */
export async function countAttributes(context: Context, subject: ProfileSubject): Promise<number> {
  const { count } = await context.db.one<{ count: number }>(
    'SELECT count(*) AS count FROM profile_attributes WHERE tenant_id = $1 AND subject = $2',
    [context.tenantId, subject],
  );
  return count;
}

/** How many values of live people or accounts do not fit a type, and some of them. */
export async function findMisfits(
  context: Context,
  subject: ProfileSubject,
  name: string,
  type: ProfileType,
): Promise<{ count: number; examples: { id: string; value: string }[] }> {
  return context.db.one(
    `WITH misfits AS (
       SELECT o.id, o.profile ->> $2 AS value FROM ${tables[subject]} o
       WHERE o.tenant_id = $1 AND o.deleted_at IS NULL AND o.profile ? $2 AND profile_value(o.profile -> $2, $3) IS NULL)
     SELECT (SELECT count(*) FROM misfits) AS count,
       coalesce((SELECT jsonb_agg(m) FROM (SELECT id, left(value, 60) AS value FROM misfits ORDER BY id LIMIT 5) m), '[]') AS examples`,
    [context.tenantId, name, type],
  );
}

/** Gives an attribute a type; its values are converted by updateValues. */
export async function updateAttribute(context: Context, subject: ProfileSubject, name: string, type: ProfileType): Promise<void> {
  await context.db.run(
    `INSERT INTO profile_attributes (tenant_id, subject, name, value_type, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (tenant_id, subject, name) DO UPDATE SET value_type = $4, updated_at = $5`,
    [context.tenantId, subject, name, type, context.now],
  );
}

/** Takes the type of an attribute away, and its values from what is searched. */
export async function removeAttribute(context: Context, subject: ProfileSubject, name: string): Promise<void> {
  for (const table of ['profile_attributes', 'profile_values']) {
    await context.db.run(`DELETE FROM ${table} WHERE tenant_id = $1 AND subject = $2 AND name = $3`, [context.tenantId, subject, name]);
  }
}

/** Converts the values of an attribute to a type, as far as they fit. How many objects had another one before. */
export function updateValues(context: Context, subject: ProfileSubject, name: string, type: ProfileType): Promise<number> {
  return context.db.run(
    `UPDATE ${tables[subject]} SET profile = typed_profile(profile, jsonb_build_object($2::text, $3::text))
     WHERE tenant_id = $1 AND profile ? $2 AND typed_profile(profile, jsonb_build_object($2::text, $3::text)) <> profile`,
    [context.tenantId, name, type],
  );
}

/** Fills what is searched with the values of an attribute that was just given its type. */
export async function insertValues(context: Context, subject: ProfileSubject, name: string, type: ProfileType): Promise<void> {
  await context.db.run('DELETE FROM profile_values WHERE tenant_id = $1 AND subject = $2 AND name = $3', [context.tenantId, subject, name]);
  const isNumber = type === 'NUMBER';
  await context.db.run(
    `INSERT INTO profile_values (tenant_id, subject, name, object_id, ${isNumber ? 'number_value' : 'text_key'})
     SELECT $1, $2, $3, o.id, ${isNumber ? '(o.profile ->> $3)::float8' : 'profile_key(o.profile ->> $3)'} FROM ${tables[subject]} o
     WHERE o.tenant_id = $1 AND o.deleted_at IS NULL AND o.profile ? $3
       AND jsonb_typeof(o.profile -> $3) ${isNumber ? `= 'number'` : `IN ('string', 'number', 'boolean')`}`,
    [context.tenantId, subject, name],
  );
}

/** A value of an import that does not fit the type of its attribute. */
export interface StagedMisfit {
  readonly line: number;
  readonly name: string;
  readonly value: string;
  readonly type: ProfileType;
}

const stagedMisfits = (relation: StagedProfiles): string => `FROM ${relation} s
  JOIN profile_attributes a ON a.tenant_id = $1 AND a.subject = $2 AND s.profile ? a.name
  WHERE profile_value(s.profile -> a.name, a.value_type) IS NULL`;

/** The first of the staged values that do not fit, by line. */
export function listStagedMisfits(
  context: Context,
  subject: ProfileSubject,
  relation: StagedProfiles,
  limit: number,
): Promise<StagedMisfit[]> {
  return context.db.rows<StagedMisfit>(
    `SELECT ${stagedLines[relation]} AS line, a.name, s.profile ->> a.name AS value, a.value_type AS type ${stagedMisfits(relation)} ORDER BY 1, a.name LIMIT $3`,
    [context.tenantId, subject, limit],
  );
}

/** How many of the staged values do not fit. */
export async function countStagedMisfits(context: Context, subject: ProfileSubject, relation: StagedProfiles): Promise<number> {
  const { count } = await context.db.one<{ count: number }>(`SELECT count(*) AS count ${stagedMisfits(relation)}`, [
    context.tenantId,
    subject,
  ]);
  return count;
}

/** Gives the staged values the types of their attributes. */
export async function updateStagedProfiles(context: Context, subject: ProfileSubject, relation: StagedProfiles): Promise<void> {
  await context.db.run(
    `UPDATE ${relation} s SET profile = typed_profile(s.profile, t.types)
     FROM (SELECT jsonb_object_agg(name, value_type) AS types FROM profile_attributes WHERE tenant_id = $1 AND subject = $2) t
     WHERE typed_profile(s.profile, t.types) <> s.profile`,
    [context.tenantId, subject],
  );
}
