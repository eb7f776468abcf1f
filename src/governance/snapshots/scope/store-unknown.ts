/**
 * SQL that finds the ids in a scope that are of nothing.
 */
import type { Context } from '../../../context.ts';

/** Things an id can be of, and where that is looked up. */
const lookups = {
  app: 'FROM apps_public x WHERE x.tenant_id = $1 AND x.id = i.id AND x.deleted_at IS NULL',
  person: 'FROM users_public x WHERE x.tenant_id = $1 AND x.id = i.id',
  riskLevel: `FROM classifications_public x WHERE x.tenant_id = $1 AND x.id = i.id AND x.deleted_at IS NULL`,
  framework: `FROM classifications_public x WHERE x.tenant_id = $1 AND x.id = i.id AND x.deleted_at IS NULL`,
  accessProfile: 'FROM profiles_public x WHERE x.tenant_id = $1 AND x.id = i.id AND x.deleted_at IS NULL',
} as const;

/** Kind of thing an id alone can be of. */
export type IdKind = keyof typeof lookups;

/** The first 100 of these that are of nothing, in the order given. */
export async function listUnknownIds(context: Context, kind: IdKind, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) {
    return [];
  }
  return context.db.column<string>(
    `SELECT i.id FROM unnest($2::text[]) WITH ORDINALITY AS i (id, place) WHERE NOT EXISTS (SELECT ${lookups[kind]}) ORDER BY i.place LIMIT 100`,
    [context.tenantId, ids],
  );
}

/** Something of an app, as a scope names it. */
export interface ObjectRef {
  readonly kind: 'entitlement' | 'resource' | 'resource type' | 'account';
  readonly appId: string;
  readonly id: string;
}

/** Of these and of what the lists beside a review's document name, the first 100 that are not there. */
export function listUnknownObjects(context: Context, reviewId: string, refs: readonly ObjectRef[]): Promise<ObjectRef[]> {
  return context.db.rows<ObjectRef>(
    `SELECT DISTINCT n.kind, n.app_id AS "appId", n.id FROM (
       SELECT x.kind, x.app_id, x.id FROM unnest($3::text[], $4::text[], $5::text[]) AS x (kind, app_id, id)
       UNION SELECT 'entitlement', s.app_id, s.entitlement_id FROM review_setup_entitlements s WHERE s.tenant_id = $1 AND s.review_id = $2
       UNION SELECT 'resource type', t.app_id, t.resource_type_id FROM review_setup_resource_types t WHERE t.tenant_id = $1 AND t.review_id = $2) n
     WHERE NOT CASE n.kind
       WHEN 'entitlement' THEN EXISTS (SELECT FROM entitlements_public e WHERE e.tenant_id = $1 AND e.app_id = n.app_id AND e.id = n.id AND e.deleted_at IS NULL)
       WHEN 'resource' THEN EXISTS (SELECT FROM resources_public r WHERE r.tenant_id = $1 AND r.app_id = n.app_id AND r.id = n.id AND r.deleted_at IS NULL)
       WHEN 'resource type' THEN EXISTS (
         SELECT FROM resource_types_public y WHERE y.tenant_id = $1 AND y.app_id = n.app_id AND y.id = n.id AND y.deleted_at IS NULL)
       ELSE EXISTS (SELECT FROM accounts_public a WHERE a.tenant_id = $1 AND a.app_id = n.app_id AND a.id = n.id AND a.deleted_at IS NULL) END
     ORDER BY n.kind, n.app_id, n.id LIMIT 100`,
    [context.tenantId, reviewId, refs.map((ref) => ref.kind), refs.map((ref) => ref.appId), refs.map((ref) => ref.id)],
  );
}
