/**
 * SQL of access profiles: the table `access_profiles`. What belongs to a profile is in store-entries.ts.
 */
import type { Context } from '../../context.ts';
import type { RequestCatalogJson } from '../../gen/c1/api/requestcatalog/v1/requestcatalog_pb.js';

/** An access profile. */
export interface ProfileRow {
  readonly id: string;
  readonly displayName: string;
  readonly published: boolean;
  readonly visibleToEveryone: boolean;
  readonly createdById: string;
  /** The other writable members of the RequestCatalog message. */
  readonly document: RequestCatalogJson;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `c.id, c.display_name AS "displayName", c.published, c.visible_to_everyone AS "visibleToEveryone", c.created_by_id AS "createdById",
  c.document, c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

/** The profile with this id that is not deleted. */
export function findProfile(context: Context, id: string): Promise<ProfileRow | undefined> {
  return context.db.maybe<ProfileRow>(
    `SELECT ${columns} FROM access_profiles c WHERE c.tenant_id = $1 AND c.id = $2 AND c.deleted_at IS NULL`,
    [context.tenantId, id],
  );
}

/** The same, locked until the transaction ends. */
export function lockProfile(context: Context, id: string): Promise<ProfileRow | undefined> {
  return context.db.maybe<ProfileRow>(
    `SELECT ${columns} FROM access_profiles c WHERE c.tenant_id = $1 AND c.id = $2 AND c.deleted_at IS NULL FOR NO KEY UPDATE OF c`,
    [context.tenantId, id],
  );
}

/** A page of profiles by id. */
export function listProfiles(context: Context, after: string, limit: number): Promise<ProfileRow[]> {
  return context.db.rows<ProfileRow>(
    `SELECT ${columns} FROM access_profiles c WHERE c.tenant_id = $1 AND c.id > $2 AND c.deleted_at IS NULL ORDER BY c.id LIMIT $3`,
    [context.tenantId, after, limit],
  );
}

/** Contents of a profile. */
export type ProfileContent = Pick<ProfileRow, 'displayName' | 'published' | 'visibleToEveryone' | 'document'>;

/** Adds a profile. */
export async function insertProfile(context: Context, id: string, content: ProfileContent): Promise<void> {
  await context.db.run(
    `INSERT INTO access_profiles (tenant_id, id, display_name, published, visible_to_everyone, created_by_id, document, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      context.tenantId,
      id,
      content.displayName,
      content.published,
      content.visibleToEveryone,
      context.actor.userId,
      JSON.stringify(content.document),
      context.now,
    ],
  );
}

/** Replaces what a profile is made of. */
export async function updateProfile(context: Context, id: string, content: ProfileContent): Promise<void> {
  await context.db.run(
    `UPDATE access_profiles SET display_name = $3, published = $4, visible_to_everyone = $5, document = $6, updated_at = $7
     WHERE tenant_id = $1 AND id = $2`,
    [
      context.tenantId,
      id,
      content.displayName,
      content.published,
      content.visibleToEveryone,
      JSON.stringify(content.document),
      context.now,
    ],
  );
}

/** Marks a profile as deleted. */
export async function removeProfile(context: Context, id: string): Promise<void> {
  await context.db.run(`UPDATE access_profiles SET deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND id = $2`, [
    context.tenantId,
    id,
    context.now,
  ]);
}
