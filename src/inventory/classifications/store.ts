/**
 * SQL of the table `classification_values`.
 */
import { getCaselessNameKey } from '../../lib/names/same-name.ts';
import { allSql, fixed, sql } from '../../lib/sql.ts';
import { type Conditions, listConditions } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import { containsTextOrIs } from '../../foundation/search/index.ts';

/** A value of an attribute: one risk level, or one compliance framework. */
export interface AttributeValueRow {
  readonly id: string;
  readonly typeId: string;
  readonly value: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `v.id, v.attribute_type_id AS "typeId", v.value, v.created_at AS "createdAt", v.updated_at AS "updatedAt"`;

/**
 * Waits until nobody takes a value away, or, where `alone`, until nobody uses one either; holds until the transaction ends. Taken before
 * anything else, so that an entitlement never carries a value that is gone.
 */
export async function lockValues(context: Context, alone: boolean): Promise<void> {
  const lock = alone ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  await context.db.rows(`SELECT ${lock}(hashtextextended($1, 5))`, [`countersign.attribute-values.${context.tenantId}`]);
}

/** The value with this id; undefined where it is deleted. */
export function findValue(context: Context, id: string): Promise<AttributeValueRow | undefined> {
  return context.db.maybe<AttributeValueRow>(
    `SELECT ${columns} FROM classification_values v WHERE v.tenant_id = $1 AND v.id = $2 AND v.deleted_at IS NULL`,
    [context.tenantId, id],
  );
}

/** The values of a type with one of these ids; deleted ones are not among them. */
export function listValuesByIds(context: Context, typeId: string, ids: readonly string[]): Promise<AttributeValueRow[]> {
  return context.db.rows<AttributeValueRow>(
    `SELECT ${columns} FROM classification_values v
     WHERE v.tenant_id = $1 AND v.attribute_type_id = $2 AND v.id = ANY ($3) AND v.deleted_at IS NULL`,
    [context.tenantId, typeId, [...new Set(ids)]],
  );
}

/** Value search; a member that is undefined filters nothing. */
export interface ValueFilter {
  readonly ids?: readonly string[] | undefined;
  readonly excludeIds?: readonly string[] | undefined;
  readonly typeIds?: readonly string[] | undefined;
  /** The whole value, in any case. */
  readonly value?: string | undefined;
  /** Its id, or words of the value, in any case and accents. */
  readonly query?: string | undefined;
}

const conditions: Conditions<ValueFilter> = {
  ids: (ids) => sql`v.id = ANY (${ids})`,
  excludeIds: (ids) => sql`v.id <> ALL (${ids})`,
  typeIds: (ids) => sql`v.attribute_type_id = ANY (${ids})`,
  value: (key) => sql`v.value_key = ${key}`,
  query: containsTextOrIs('v.value', 'v.id'),
};

/** A page of values by id. A tenant has as many as somebody typed in, so a text is looked for in all of them. */
export function listValues(context: Context, filter: ValueFilter, after: string, limit: number): Promise<AttributeValueRow[]> {
  const where = [
    sql`v.tenant_id = ${context.tenantId} AND v.id > ${after} AND v.deleted_at IS NULL`,
    ...listConditions(filter, conditions),
  ];
  return context.db.rows<AttributeValueRow>(
    sql`SELECT ${fixed(columns)} FROM classification_values v WHERE ${allSql(where)} ORDER BY v.id LIMIT ${limit}`,
  );
}

/** Adds a value and returns whether it was new: false where its type has it already. */
export async function insertValue(context: Context, row: Pick<AttributeValueRow, 'id' | 'typeId' | 'value'>): Promise<boolean> {
  const added = await context.db.run(
    `INSERT INTO classification_values (tenant_id, id, attribute_type_id, value, value_key, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (tenant_id, attribute_type_id, value_key) WHERE deleted_at IS NULL DO NOTHING`,
    [context.tenantId, row.id, row.typeId, row.value, getCaselessNameKey(row.value), context.now],
  );
  return added > 0;
}

/** Marks a value deleted; its row stays, since events name it. */
export async function removeValue(context: Context, id: string): Promise<void> {
  await context.db.run(`UPDATE classification_values SET deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND id = $2`, [
    context.tenantId,
    id,
    context.now,
  ]);
}
