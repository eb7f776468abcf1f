/**
 * Rules of a tenant's inventory at any moment, whoever changed it and whatever broke off on the way: counts that are kept, what hangs together,
 * history that can be replayed, and the copies that search reads. What a change means is tested beside its rule.
 */
import { expect } from 'vitest';

/** Reads the database past row-level security. */
export type InventoryQuery = (sql: string, values: readonly unknown[]) => Promise<Record<string, unknown>[]>;

/**
 * Each finds what is wrong: rows that should not be there. $1 is the tenant. A deleted app whose access is still being ended by a job counts
 * as ended: see `ending`.
 */
const ending = (alias: string): string =>
  `EXISTS (SELECT FROM jobs j WHERE j.tenant_id = $1 AND j.kind = 'app.end-access' AND j.subject_id = ${alias}.app_id AND j.state = 'WAITING')`;

const isOpen = 'removed_revision IS NULL';

const isUnknownSource = (alias: string): string => `${alias}.source_no <> 0 AND NOT EXISTS (SELECT FROM sources c
  WHERE c.tenant_id = $1 AND c.app_id = ${alias}.app_id AND c.source_no = ${alias}.source_no)`;

const isUnknownRevision = (alias: string, column: string): string => `NOT EXISTS (SELECT FROM inventory_revisions r
  WHERE r.tenant_id = $1 AND r.revision = ${alias}.${column} AND r.app_id = ${alias}.app_id)`;

const wrongs: Readonly<Record<string, string>> = {
  'entitlements whose number of grants is not that of their open grants': `
    SELECT e.id, e.display_name, e.grant_count, n.count FROM entitlements e
    LEFT JOIN LATERAL (SELECT count(*) FROM grants g WHERE g.tenant_id = $1 AND g.app_id = e.app_id AND g.entitlement_id = e.id AND g.${isOpen}) n ON true
    WHERE e.tenant_id = $1 AND e.grant_count <> CASE WHEN ${ending('e')} THEN 0 ELSE n.count END`,
  'apps whose number of accounts is not that of their live accounts': `
    SELECT p.id, p.display_name, p.user_count, n.count FROM (SELECT p.*, p.id AS app_id FROM apps p WHERE p.tenant_id = $1) p
    LEFT JOIN LATERAL (SELECT count(*) FROM accounts a WHERE a.tenant_id = $1 AND a.app_id = p.id AND a.status <> 'DELETED') n ON true
    WHERE p.user_count <> CASE WHEN ${ending('p')} THEN 0 ELSE n.count END`,
  'apps without exactly one built-in entitlement': `
    SELECT p.id, p.display_name FROM apps p WHERE p.tenant_id = $1
      AND (SELECT count(*) FROM entitlements e WHERE e.tenant_id = $1 AND e.app_id = p.id AND e.is_app_access) <> 1`,
  'live accounts without app access, deleted ones with it': `
    SELECT a.id, a.external_id, a.status FROM accounts a WHERE a.tenant_id = $1 AND NOT ${ending('a')}
      AND (a.status <> 'DELETED') <> EXISTS (SELECT FROM grants g JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = g.app_id AND e.id = g.entitlement_id
        WHERE g.tenant_id = $1 AND g.app_id = a.app_id AND g.account_id = a.id AND g.${isOpen} AND e.is_app_access)`,
  'derived grants of something else than app access': `
    SELECT g.* FROM grants g JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = g.app_id AND e.id = g.entitlement_id
    WHERE g.tenant_id = $1 AND g.is_derived AND NOT e.is_app_access`,
  'open grants of what is deleted': `
    SELECT g.*, a.status, e.deleted_at, p.deleted_at FROM grants g
    LEFT JOIN accounts a ON a.tenant_id = $1 AND a.app_id = g.app_id AND a.id = g.account_id AND a.status <> 'DELETED'
    LEFT JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = g.app_id AND e.id = g.entitlement_id AND e.deleted_at IS NULL
    LEFT JOIN apps p ON p.tenant_id = $1 AND p.id = g.app_id AND p.deleted_at IS NULL
    WHERE g.tenant_id = $1 AND g.${isOpen} AND (a.id IS NULL OR e.id IS NULL OR p.id IS NULL) AND NOT ${ending('g')}`,
  'live accounts of deleted apps': `
    SELECT a.id, a.external_id FROM accounts a JOIN apps p ON p.tenant_id = $1 AND p.id = a.app_id
    WHERE a.tenant_id = $1 AND p.deleted_at IS NOT NULL AND a.status <> 'DELETED' AND NOT ${ending('a')}`,
  'accounts that are deleted without saying when, or the reverse': `
    SELECT a.id, a.status, a.deleted_at FROM accounts a WHERE a.tenant_id = $1 AND (a.status = 'DELETED') <> (a.deleted_at IS NOT NULL)`,
  'accounts of people who are not there': `
    SELECT a.id, a.user_id FROM accounts a WHERE a.tenant_id = $1 AND a.user_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM users u WHERE u.tenant_id = $1 AND u.id = a.user_id)`,
  'ambiguous accounts with an owner nobody set': `
    SELECT a.id, a.match_count FROM accounts a WHERE a.tenant_id = $1 AND a.match_count > 1 AND a.user_id IS NOT NULL AND NOT a.owner_by_hand`,
  'accounts marked as matched by a former address that have no owner, a manual one, or one whose address that is': `
    SELECT a.id, a.email_key FROM accounts a WHERE a.tenant_id = $1 AND a.owner_by_former_address AND (a.user_id IS NULL OR a.owner_by_hand
      OR NOT EXISTS (SELECT FROM former_words w WHERE w.tenant_id = $1 AND w.user_id = a.user_id AND w.email_key = a.email_key))`,
  'grants that end before they begin, or end without saying when': `
    SELECT g.* FROM grants g WHERE g.tenant_id = $1 AND (g.removed_revision <= g.added_revision OR (g.removed_revision IS NULL) <> (g.ended_at IS NULL))`,
  'grants that begin before the one before ended': `
    SELECT * FROM (SELECT g.*, lag(coalesce(g.removed_revision, 9e18::bigint)) OVER (PARTITION BY g.app_id, g.entitlement_id, g.account_id ORDER BY g.added_revision) AS before
      FROM grants g WHERE g.tenant_id = $1) g WHERE g.before > g.added_revision`,
  'grants that begin with a revision that is not there': `SELECT g.* FROM grants g WHERE g.tenant_id = $1 AND ${isUnknownRevision('g', 'added_revision')}`,
  'grants that end with a revision that is not there': `
    SELECT g.* FROM grants g WHERE g.tenant_id = $1 AND g.removed_revision IS NOT NULL AND ${isUnknownRevision('g', 'removed_revision')}`,
  'accounts that begin with a revision that is not there': `SELECT a.id FROM accounts a WHERE a.tenant_id = $1 AND ${isUnknownRevision('a', 'added_revision')}`,
  'changes of grants by a revision that is not there': `SELECT c.* FROM grant_changes c WHERE c.tenant_id = $1 AND ${isUnknownRevision('c', 'revision')}`,
  'changes of accounts by a revision that is not there': `SELECT c.* FROM account_changes c WHERE c.tenant_id = $1 AND ${isUnknownRevision('c', 'revision')}`,
  'changes of grants outside their life': `
    SELECT c.* FROM grant_changes c WHERE c.tenant_id = $1 AND NOT EXISTS (SELECT FROM grants g WHERE g.tenant_id = $1 AND g.app_id = c.app_id
      AND g.entitlement_id = c.entitlement_id AND g.account_id = c.account_id AND g.added_revision < c.revision AND coalesce(g.removed_revision > c.revision, true))`,
  'changes of accounts before they began': `
    SELECT c.* FROM account_changes c WHERE c.tenant_id = $1 AND NOT EXISTS (SELECT FROM accounts a WHERE a.tenant_id = $1 AND a.app_id = c.app_id
      AND a.id = c.account_id AND a.added_revision < c.revision)`,
  'revisions beyond the counter, or missing below it': `
    SELECT c.value, r.last, r.count FROM (SELECT coalesce((SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = 'inventory_revision'), 0) AS value) c,
      (SELECT coalesce(max(revision), 0) AS last, count(*) FROM inventory_revisions WHERE tenant_id = $1) r WHERE c.value <> r.last OR r.count <> r.last`,
  'revisions that no event tells of': `
    SELECT r.* FROM inventory_revisions r WHERE r.tenant_id = $1
      AND NOT EXISTS (SELECT FROM events v WHERE v.tenant_id = $1 AND (v.data ->> 'revision' = r.revision::text OR v.data -> 'revisions' @> to_jsonb(r.revision)
        OR (v.kind = 'people.imported' AND v.target_id = r.sync_id)))`,
  'revisions of an import that is not there, or of no cause': `
    SELECT r.* FROM inventory_revisions r WHERE r.tenant_id = $1 AND CASE WHEN r.cause = 'IMPORT'
      THEN NOT EXISTS (SELECT FROM syncs i WHERE i.tenant_id = $1 AND i.id = r.sync_id AND i.state = 'DONE'
          AND (i.kind = 'PEOPLE' OR i.revision = r.revision))
      ELSE r.sync_id <> '' END`,
  'grants of a source that is not there': `SELECT g.* FROM grants g WHERE g.tenant_id = $1 AND ${isUnknownSource('g')}`,
  'accounts of a source that is not there': `SELECT a.id, a.source_no FROM accounts a WHERE a.tenant_id = $1 AND ${isUnknownSource('a')}`,
  'entitlements of a source that is not there': `SELECT e.id, e.source_no FROM entitlements e WHERE e.tenant_id = $1 AND ${isUnknownSource('e')}`,
  'open grants and live accounts of a source that is deleted': `
    SELECT g.app_id, g.source_no, g.entitlement_id, g.account_id, NULL AS status FROM grants g JOIN sources c ON c.tenant_id = $1 AND c.app_id = g.app_id AND c.source_no = g.source_no
      WHERE g.tenant_id = $1 AND g.${isOpen} AND NOT g.is_derived AND c.deleted_at IS NOT NULL AND NOT ${ending('g')}
    UNION ALL SELECT a.app_id, a.source_no, NULL, a.id, a.status FROM accounts a JOIN sources c ON c.tenant_id = $1 AND c.app_id = a.app_id AND c.source_no = a.source_no
      WHERE a.tenant_id = $1 AND a.status <> 'DELETED' AND c.deleted_at IS NOT NULL AND NOT ${ending('a')}`,
  'paths through entitlements of other apps': `
    SELECT g.* FROM grants g, jsonb_array_elements(g.paths) AS p(path), jsonb_array_elements_text(p.path) AS s(id)
    WHERE g.tenant_id = $1 AND g.paths IS NOT NULL AND NOT EXISTS (SELECT FROM entitlements e WHERE e.tenant_id = $1 AND e.app_id = g.app_id AND e.id = s.id)`,
  'links that are not those of the paths of open grants': `
    SELECT * FROM (SELECT app_id, from_id, to_id, coalesce(p.count, 0) + coalesce(t.count, 0) AS count
      FROM (SELECT g.app_id, p.from_id, p.to_id, count(*) FROM grants g CROSS JOIN LATERAL entitlement_link_pairs(g.paths, g.entitlement_id) p
        WHERE g.tenant_id = $1 AND g.paths IS NOT NULL AND g.${isOpen} GROUP BY 1, 2, 3) p
      FULL JOIN (SELECT l.app_id, l.from_entitlement_id AS from_id, l.to_entitlement_id AS to_id, count(*) FROM source_links l
        WHERE l.tenant_id = $1 GROUP BY 1, 2, 3) t USING (app_id, from_id, to_id)) n
      FULL JOIN (SELECT l.* FROM entitlement_links l WHERE l.tenant_id = $1 AND l.${isOpen}) l
        ON l.app_id = n.app_id AND l.from_entitlement_id = n.from_id AND l.to_entitlement_id = n.to_id
      WHERE n.count IS DISTINCT FROM l.grant_count`,
  'links as of a revision that are not those of the paths of then': `
    WITH revisions AS (SELECT r.revision, r.app_id FROM inventory_revisions r WHERE r.tenant_id = $1),
      said AS (SELECT v.revision, g.app_id, g.entitlement_id, CASE WHEN c.revision IS NULL THEN g.paths ELSE c.paths END AS paths FROM revisions v
        JOIN grants g ON g.tenant_id = $1 AND g.app_id = v.app_id AND g.added_revision <= v.revision AND coalesce(g.removed_revision > v.revision, true)
        LEFT JOIN LATERAL (SELECT c.revision, c.paths FROM grant_changes c WHERE c.tenant_id = $1 AND c.app_id = g.app_id
          AND c.entitlement_id = g.entitlement_id AND c.account_id = g.account_id AND c.revision > v.revision
          AND coalesce(c.revision < g.removed_revision, true) ORDER BY c.revision LIMIT 1) c ON true),
      wanted AS (SELECT DISTINCT s.revision, s.app_id, p.from_id, p.to_id FROM said s CROSS JOIN LATERAL entitlement_link_pairs(s.paths, s.entitlement_id) p
        WHERE s.paths IS NOT NULL),
      kept AS (SELECT v.revision, l.app_id, l.from_entitlement_id AS from_id, l.to_entitlement_id AS to_id FROM revisions v
        JOIN entitlement_links l ON l.tenant_id = $1 AND l.app_id = v.app_id AND l.added_revision <= v.revision
          AND coalesce(l.removed_revision > v.revision, true))
    SELECT 'is missing' AS wrong, * FROM (SELECT * FROM wanted EXCEPT SELECT * FROM kept) AS missing
    UNION ALL SELECT 'was not', * FROM (SELECT * FROM kept EXCEPT SELECT * FROM wanted) AS extra
    WHERE NOT EXISTS (SELECT FROM source_links t WHERE t.tenant_id = $1 AND t.from_entitlement_id = extra.from_id AND t.to_entitlement_id = extra.to_id)`,
  'sources whose last sync is not theirs or was not done': `
    SELECT c.id, c.last_sync_id FROM sources c WHERE c.tenant_id = $1 AND c.last_sync_id <> ''
      AND NOT EXISTS (SELECT FROM syncs i WHERE i.tenant_id = $1 AND i.id = c.last_sync_id AND i.source_id = c.id AND i.state = 'DONE')`,
  'syncs after one that is not there, is not theirs or was not done': `
    SELECT i.id, i.previous_id FROM syncs i WHERE i.tenant_id = $1 AND i.previous_id <> ''
      AND NOT EXISTS (SELECT FROM syncs b WHERE b.tenant_id = $1 AND b.id = i.previous_id AND b.source_id = i.source_id AND b.state = 'DONE')`,
  'two syncs that follow the same one': `
    SELECT i.source_id, i.previous_id, count(*) FROM syncs i WHERE i.tenant_id = $1 AND i.state = 'DONE' GROUP BY 1, 2 HAVING count(*) > 1`,
  'resources whose number of owners is not that of their owners': `
    SELECT s.id, s.owner_count FROM resources s WHERE s.tenant_id = $1
      AND s.owner_count <> (SELECT count(*) FROM resource_owners o WHERE o.tenant_id = $1 AND o.app_id = s.app_id AND o.resource_id = s.id)
        + (SELECT count(*) FROM owner_entitlements o WHERE o.tenant_id = $1 AND o.kind = 'resource' AND o.app_id = s.app_id AND o.object_id = s.id)`,
  'users that a provider pushed without their account or person': `
    SELECT r.id, r.name_key FROM scim_resources r JOIN sources c ON c.tenant_id = $1 AND c.id = r.source_id AND c.deleted_at IS NULL
    WHERE r.tenant_id = $1 AND r.kind = 'USER' AND r.deleted_at IS NULL AND NOT (
      EXISTS (SELECT FROM accounts a WHERE a.tenant_id = $1 AND a.app_id = c.app_id AND a.id = r.account_id AND a.status <> 'DELETED')
      AND (EXISTS (SELECT FROM users u WHERE u.tenant_id = $1 AND u.id = r.user_id AND u.status <> 'DELETED')
        OR r.user_id IS NULL AND EXISTS (SELECT FROM person_records k WHERE k.tenant_id = $1 AND k.source_id = r.source_id AND k.scim_id = r.id
          AND k.verdict IN ('DISPUTED', 'IGNORED'))))`,
  "pushed users whose record is another person's, or none": `
    SELECT r.id, r.name_key FROM scim_resources r JOIN sources c ON c.tenant_id = $1 AND c.id = r.source_id AND c.deleted_at IS NULL
    WHERE r.tenant_id = $1 AND r.kind = 'USER' AND r.deleted_at IS NULL AND NOT EXISTS (SELECT FROM person_records k
      WHERE k.tenant_id = $1 AND k.source_id = r.source_id AND k.scim_id = r.id AND k.state = 'LIVE' AND k.user_id IS NOT DISTINCT FROM r.user_id)`,
  'accounts of somebody of whom it is disputed who they are': `
    SELECT a.id, a.external_id FROM scim_resources r JOIN accounts a ON a.tenant_id = $1 AND a.id = r.account_id AND a.user_id IS NOT NULL AND NOT a.owner_by_hand
    JOIN sources c ON c.tenant_id = $1 AND c.id = r.source_id AND c.deleted_at IS NULL AND c.source_no = a.source_no
    WHERE r.tenant_id = $1 AND r.kind = 'USER' AND r.deleted_at IS NULL AND r.user_id IS NULL`,
  'groups that a provider pushed without what their members hold': `
    SELECT r.id, r.name_key FROM scim_resources r JOIN sources c ON c.tenant_id = $1 AND c.id = r.source_id AND c.deleted_at IS NULL
    WHERE r.tenant_id = $1 AND r.kind = 'GROUP' AND r.deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM entitlements e WHERE e.tenant_id = $1 AND e.app_id = c.app_id AND e.id = r.entitlement_id AND e.deleted_at IS NULL)`,
  'texts that search reads otherwise than they are': `
    SELECT * FROM (
      SELECT 'USER' AS kind, u.id, u.search_text AS text FROM users u WHERE u.tenant_id = $1
      UNION ALL SELECT 'ACCOUNT', a.id, a.search_text FROM accounts a WHERE a.tenant_id = $1
      UNION ALL SELECT 'ENTITLEMENT', e.id, e.search_text FROM entitlements e WHERE e.tenant_id = $1
      UNION ALL SELECT 'RESOURCE', s.id, s.search_text FROM resources s WHERE s.tenant_id = $1) own
    FULL JOIN (SELECT t.kind, t.id, t.text FROM search_texts t WHERE t.tenant_id = $1) kept USING (kind, id)
    WHERE own.text IS DISTINCT FROM kept.text`,
  'values of attributes that search reads otherwise than they are': `
    SELECT * FROM (
      SELECT p.subject, p.name, o.id AS object_id, true AS is_own, CASE WHEN p.value_type <> 'NUMBER' THEN profile_key(o.value #>> '{}') END AS text,
        CASE WHEN p.value_type = 'NUMBER' THEN (o.value #>> '{}')::float8 END AS number
      FROM profile_attributes p CROSS JOIN LATERAL (
        SELECT u.id, u.profile -> p.name AS value FROM users u WHERE u.tenant_id = $1 AND u.deleted_at IS NULL AND p.subject = 'USER'
        UNION ALL SELECT a.id, a.profile -> p.name FROM accounts a WHERE a.tenant_id = $1 AND a.deleted_at IS NULL AND p.subject = 'ACCOUNT') o
      WHERE p.tenant_id = $1 AND jsonb_typeof(o.value) IN ('string', 'number', 'boolean') AND (p.value_type <> 'NUMBER' OR jsonb_typeof(o.value) = 'number')) own
    FULL JOIN (SELECT v.subject, v.name, v.object_id, v.text_key, v.number_value, true AS is_kept FROM profile_values v WHERE v.tenant_id = $1) kept
      USING (subject, name, object_id)
    WHERE (own.is_own, own.text, own.number) IS DISTINCT FROM (kept.is_kept, kept.text_key, kept.number_value)`,
};

/** Everything that is wrong with a tenant's inventory: a few rows of each kind. Empty where it is right. */
export async function findWrongs(query: InventoryQuery, tenantId: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, sql] of Object.entries(wrongs)) {
    const rows = await query(`SELECT * FROM (${sql}) AS wrong LIMIT 3`, [tenantId]);
    if (rows.length > 0) {
      found[name] = rows;
    }
  }
  return found;
}

/** Fails where anything is wrong with a tenant's inventory. */
export async function checkInventory(query: InventoryQuery, tenantId: string): Promise<void> {
  expect(await findWrongs(query, tenantId)).toEqual({});
}
