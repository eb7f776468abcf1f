/**
 * SQL that makes resources and entitlements be shown as their source says, set by set. Each remembers what its source said last: a text that is no
 * longer that one was written by somebody, and stays.
 */
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';

/**
 * Shows resources as their source says. `rows` selects `id`, `is_new`, `external_id`, and `name` and `description`, null where nothing is said. Returns
 * how many that are not new say something else than before.
 */
export function updateShownResources(context: Context, appId: string, rows: Sql): Promise<number> {
  return context.db.value<number>(
    sql`WITH shown AS (
        UPDATE resources t SET source_name = coalesce(r.name, t.source_name), source_description = coalesce(r.description, t.source_description),
          display_name = CASE WHEN t.display_name = coalesce(nullif(t.source_name, ''), r.external_id) THEN coalesce(r.name, t.display_name) ELSE t.display_name END,
          document = CASE WHEN coalesce(t.document ->> 'description', '') = t.source_description AND r.description IS NOT NULL
            THEN t.document || jsonb_build_object('description', r.description) ELSE t.document END,
          updated_at = ${context.now}
        FROM (${rows}) AS r
        WHERE t.tenant_id = ${context.tenantId} AND t.app_id = ${appId} AND t.id = r.id AND NOT t.is_manual
          AND (coalesce(r.name, t.source_name), coalesce(r.description, t.source_description)) <> (t.source_name, t.source_description)
        RETURNING r.is_new)
      SELECT count(*) FILTER (WHERE NOT is_new) AS count FROM shown`,
  );
}

/**
 * Shows entitlements as their source says. `rows` selects `id`, `is_new`, `usual_name` (as the catalog names it without being told), and `name`,
 * `description` and `purpose`, null where nothing is said. Returns how many that are not new say something else than before.
 */
export function updateShownEntitlements(context: Context, appId: string, rows: Sql): Promise<number> {
  return context.db.value<number>(
    sql`WITH shown AS (
        UPDATE entitlements t SET source_name = coalesce(r.name, t.source_name), source_description = coalesce(r.description, t.source_description),
          source_purpose = coalesce(r.purpose, t.source_purpose),
          display_name = CASE WHEN t.display_name = coalesce(nullif(t.source_name, ''), r.usual_name) THEN coalesce(r.name, t.display_name) ELSE t.display_name END,
          description = CASE WHEN t.description = t.source_description THEN coalesce(r.description, t.description) ELSE t.description END,
          purpose = CASE WHEN t.purpose = coalesce(nullif(t.source_purpose, ''), 'ASSIGNMENT') THEN coalesce(r.purpose, t.purpose) ELSE t.purpose END,
          updated_at = ${context.now}
        FROM (${rows}) AS r
        WHERE t.tenant_id = ${context.tenantId} AND t.app_id = ${appId} AND t.id = r.id AND NOT t.is_manual
          AND (coalesce(r.name, t.source_name), coalesce(r.description, t.source_description), coalesce(r.purpose, t.source_purpose))
            <> (t.source_name, t.source_description, t.source_purpose)
        RETURNING r.is_new)
      SELECT count(*) FILTER (WHERE NOT is_new) AS count FROM shown`,
  );
}

/**
 * Spells names as their source does now; `rows` selects `id`, `external_id` and `display_name`, which is shown where the same name is. What they are stays:
 * the keys are equal. Returns how many were spelled otherwise.
 */
export function updateSpellings(
  context: Context,
  appId: string,
  table: 'resource_types' | 'resources' | 'entitlements',
  rows: Sql,
): Promise<number> {
  const isShown = sql`t.display_name <> r.display_name AND name_key(t.display_name) = name_key(r.display_name)`;
  const spelling = sql`external_id = r.external_id, updated_at = ${context.now},
      display_name = CASE WHEN ${isShown} THEN r.display_name ELSE t.display_name END
    FROM (${rows}) AS r
    WHERE t.tenant_id = ${context.tenantId} AND t.app_id = ${appId} AND t.id = r.id AND NOT t.is_manual AND (t.external_id <> r.external_id OR ${isShown})`;
  switch (table) {
    case 'resource_types':
      return context.db.run(sql`UPDATE resource_types t SET ${spelling}`);
    case 'resources':
      return context.db.run(sql`UPDATE resources t SET ${spelling}`);
    case 'entitlements':
      return context.db.run(sql`UPDATE entitlements t SET ${spelling}`);
  }
}
