/** SQL that names what a scope names by its id. */
import type { Context } from '../../../context.ts';

/** Kind of thing that a scope names. */
export type NamedKind =
  | 'app'
  | 'person'
  | 'classification'
  | 'profile'
  | 'monitor'
  | 'entitlement'
  | 'resource'
  | 'resource type'
  | 'account';

/** Something that a scope names; `appId` is empty for what belongs to no app. */
export interface NamedRef {
  readonly kind: NamedKind;
  readonly appId: string;
  readonly id: string;
}

/** The names of these as they are now, those of people as they were at a moment, by kind, app and id; what is not there any more has none. */
export async function listScopeNames(
  { db, tenantId }: Context,
  refs: readonly NamedRef[],
  at: Date | null,
): Promise<(ref: NamedRef) => string> {
  const keyOf = ({ kind, appId, id }: NamedRef): string => `${kind} ${appId} ${id}`;
  const rows =
    refs.length === 0
      ? []
      : await db.rows<NamedRef & { name: string | null }>(
          `SELECT n.kind, n.app_id AS "appId", n.id, CASE n.kind
             WHEN 'app' THEN (SELECT a.display_name FROM apps_public a WHERE a.tenant_id = $1 AND a.id = n.id)
             WHEN 'person' THEN (SELECT coalesce(nullif(w.display_name, ''), w.email) FROM person_words($1, n.id, $5) w)
             WHEN 'classification' THEN (SELECT c.value FROM classifications_public c WHERE c.tenant_id = $1 AND c.id = n.id)
             WHEN 'profile' THEN (SELECT p.display_name FROM profiles_public p WHERE p.tenant_id = $1 AND p.id = n.id)
             WHEN 'monitor' THEN (SELECT m.display_name FROM monitors_public m WHERE m.tenant_id = $1 AND m.id = n.id)
             WHEN 'entitlement' THEN (SELECT e.display_name FROM entitlements_public e WHERE e.tenant_id = $1 AND e.app_id = n.app_id AND e.id = n.id)
             WHEN 'resource' THEN (SELECT r.display_name FROM resources_public r WHERE r.tenant_id = $1 AND r.app_id = n.app_id AND r.id = n.id)
             WHEN 'resource type' THEN
               (SELECT y.display_name FROM resource_types_public y WHERE y.tenant_id = $1 AND y.app_id = n.app_id AND y.id = n.id)
             ELSE (SELECT a.external_id FROM accounts_public a WHERE a.tenant_id = $1 AND a.app_id = n.app_id AND a.id = n.id) END AS name
           FROM unnest($2::text[], $3::text[], $4::text[]) AS n (kind, app_id, id)`,
          [tenantId, refs.map(({ kind }) => kind), refs.map(({ appId }) => appId), refs.map(({ id }) => id), at],
        );
  const names = new Map(rows.map((row) => [keyOf(row), row.name]));
  return (ref) => names.get(keyOf(ref)) || ref.id;
}
