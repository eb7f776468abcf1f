/**
 * SQL of access profiles: the table `request_catalogs`. What belongs to a profile is in store-entries.ts.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Scope } from '../../scope.ts';

/** An access profile. */
export interface ProfileRow {
  readonly id: string;
  readonly displayName: string;
  readonly published: boolean;
  readonly visibleToEveryone: boolean;
  readonly createdById: string;
  /** The other writable members of the RequestCatalog message. */
  readonly document: JsonObject;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `c.id, c.display_name AS "displayName", c.published, c.visible_to_everyone AS "visibleToEveryone", c.created_by_id AS "createdById",
  c.document, c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

/** The profile with this id that is not deleted. */
export function findProfile(scope: Scope, id: string): Promise<ProfileRow | undefined> {
  return scope.db.maybe<ProfileRow>(
    `SELECT ${columns} FROM request_catalogs c WHERE c.tenant_id = $1 AND c.id = $2 AND c.deleted_at IS NULL`,
    [scope.tenantId, id],
  );
}

/** The same, locked until the transaction ends. */
export function lockProfile(scope: Scope, id: string): Promise<ProfileRow | undefined> {
  return scope.db.maybe<ProfileRow>(
    `SELECT ${columns} FROM request_catalogs c WHERE c.tenant_id = $1 AND c.id = $2 AND c.deleted_at IS NULL FOR NO KEY UPDATE OF c`,
    [scope.tenantId, id],
  );
}

/** A page of profiles by id. */
export function listProfiles(scope: Scope, after: string, limit: number): Promise<ProfileRow[]> {
  return scope.db.rows<ProfileRow>(
    `SELECT ${columns} FROM request_catalogs c WHERE c.tenant_id = $1 AND c.id > $2 AND c.deleted_at IS NULL ORDER BY c.id LIMIT $3`,
    [scope.tenantId, after, limit],
  );
}

/** What a profile is made of. */
export type ProfileContent = Pick<ProfileRow, 'displayName' | 'published' | 'visibleToEveryone' | 'document'>;

/** Adds a profile. */
export async function insertProfile(scope: Scope, id: string, content: ProfileContent): Promise<void> {
  await scope.db.run(
    `INSERT INTO request_catalogs (tenant_id, id, display_name, published, visible_to_everyone, created_by_id, document, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      scope.tenantId,
      id,
      content.displayName,
      content.published,
      content.visibleToEveryone,
      scope.actor.userId,
      JSON.stringify(content.document),
      scope.now,
    ],
  );
}

/** Replaces what a profile is made of. */
export async function updateProfile(scope: Scope, id: string, content: ProfileContent): Promise<void> {
  await scope.db.run(
    `UPDATE request_catalogs SET display_name = $3, published = $4, visible_to_everyone = $5, document = $6, updated_at = $7
     WHERE tenant_id = $1 AND id = $2`,
    [scope.tenantId, id, content.displayName, content.published, content.visibleToEveryone, JSON.stringify(content.document), scope.now],
  );
}

/** Marks a profile as deleted. */
export async function removeProfile(scope: Scope, id: string): Promise<void> {
  await scope.db.run(`UPDATE request_catalogs SET deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND id = $2`, [
    scope.tenantId,
    id,
    scope.now,
  ]);
}

/**
 * How many people hold everything each of these profiles gives, by profile; one that gives nothing has no members. Grows with the holders of
 * the rarest entitlement of each profile: they are found first, and the others are looked up for them.
 */
export async function countMembers(scope: Scope, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await scope.db.rows<{ id: string; count: number }>(
    `SELECT c.id, m.count
     FROM unnest($2::text[]) AS c (id)
     CROSS JOIN LATERAL (
       SELECT r.app_id, r.entitlement_id
       FROM request_catalog_entitlements r
       JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = r.app_id AND e.id = r.entitlement_id AND e.deleted_at IS NULL
       WHERE r.tenant_id = $1 AND r.catalog_id = c.id AND r.part = 'REQUESTABLE'
       ORDER BY e.grant_count, e.id LIMIT 1) AS rarest
     CROSS JOIN LATERAL (
       SELECT count(DISTINCT a.user_id) AS count
       FROM grants g
       JOIN accounts a ON a.tenant_id = $1 AND a.app_id = g.app_id AND a.id = g.account_id
       JOIN users u ON u.tenant_id = $1 AND u.id = a.user_id AND u.status = 'ENABLED'
       WHERE g.tenant_id = $1 AND g.app_id = rarest.app_id AND g.entitlement_id = rarest.entitlement_id AND g.removed_revision IS NULL
         AND NOT EXISTS (
           SELECT FROM request_catalog_entitlements o
           JOIN entitlements oe ON oe.tenant_id = $1 AND oe.app_id = o.app_id AND oe.id = o.entitlement_id AND oe.deleted_at IS NULL
           WHERE o.tenant_id = $1 AND o.catalog_id = c.id AND o.part = 'REQUESTABLE' AND o.entitlement_id <> rarest.entitlement_id
             AND NOT EXISTS (
               SELECT FROM accounts b
               JOIN grants h ON h.tenant_id = $1 AND h.app_id = b.app_id AND h.entitlement_id = o.entitlement_id AND h.account_id = b.id
                 AND h.removed_revision IS NULL
               WHERE b.tenant_id = $1 AND b.user_id = a.user_id AND b.app_id = o.app_id))) AS m`,
    [scope.tenantId, [...ids]],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}
