/**
 * SQL of what belongs to an access profile: the entitlements it gives (REQUESTABLE), and those whose holders see it (VISIBLE).
 */
import type { Context } from '../../context.ts';

/** Role of an entitlement in a profile (`access_profile_entitlements.part`). */
export type Part = 'REQUESTABLE' | 'VISIBLE';

/** An entitlement and its app. */
export interface Ref {
  readonly appId: string;
  readonly id: string;
}

const live = `JOIN entitlements_public e ON e.tenant_id = r.tenant_id AND e.app_id = r.app_id AND e.id = r.entitlement_id AND e.deleted_at IS NULL
     JOIN apps_public p ON p.tenant_id = r.tenant_id AND p.id = r.app_id AND p.deleted_at IS NULL`;

/** An entitlement and where it stands in its part. */
export interface PlacedRef extends Ref {
  readonly place: number;
}

/** A page of a profile's entitlements in their order; those that were deleted since are left out. */
export function listEntries(
  context: Context,
  profileId: string,
  part: Part,
  after: PlacedRef | undefined,
  limit: number,
): Promise<PlacedRef[]> {
  return context.db.rows<PlacedRef>(
    `SELECT r.app_id AS "appId", r.entitlement_id AS id, r.place FROM access_profile_entitlements r ${live}
     WHERE r.tenant_id = $1 AND r.profile_id = $2 AND r.part = $3 AND (r.place, r.app_id, r.entitlement_id) > ($4::integer, $5, $6)
     ORDER BY r.place, r.app_id, r.entitlement_id LIMIT $7`,
    [context.tenantId, profileId, part, after?.place ?? -1, after?.appId ?? '', after?.id ?? '', limit],
  );
}

/** One part of several profiles by profile, each at most `limit` long. */
export async function listEntriesOf(
  context: Context,
  profileIds: readonly string[],
  part: Part,
  limit: number,
): Promise<Map<string, Ref[]>> {
  const rows = await context.db.rows<Ref & { profileId: string }>(
    `SELECT c.id AS "profileId", n."appId", n.id
     FROM unnest($2::text[]) AS c (id)
     CROSS JOIN LATERAL (
       SELECT r.app_id AS "appId", r.entitlement_id AS id FROM access_profile_entitlements r ${live}
       WHERE r.tenant_id = $1 AND r.profile_id = c.id AND r.part = $3 ORDER BY r.place, r.app_id, r.entitlement_id LIMIT $4) AS n`,
    [context.tenantId, [...profileIds], part, limit],
  );
  const byProfile = new Map<string, Ref[]>();
  for (const { profileId, appId, id } of rows) {
    byProfile.set(profileId, [...(byProfile.get(profileId) ?? []), { appId, id }]);
  }
  return byProfile;
}

/** The entitlements of a part in their order, deleted ones too. */
export function listAllEntries(context: Context, profileId: string, part: Part): Promise<Ref[]> {
  return context.db.rows<Ref>(
    `SELECT app_id AS "appId", entitlement_id AS id FROM access_profile_entitlements WHERE tenant_id = $1 AND profile_id = $2 AND part = $3
     ORDER BY place, app_id, entitlement_id`,
    [context.tenantId, profileId, part],
  );
}

/** Those of the entitlements that are there, with their app; by 'app id/entitlement id'. */
export async function listLiveRefs(context: Context, refs: readonly Ref[]): Promise<Set<string>> {
  const rows = await context.db.rows<Ref>(
    `SELECT e.app_id AS "appId", e.id
     FROM unnest($2::text[], $3::text[]) AS w (app_id, id)
     JOIN entitlements_public e ON e.tenant_id = $1 AND e.app_id = w.app_id AND e.id = w.id AND e.deleted_at IS NULL
     JOIN apps_public p ON p.tenant_id = $1 AND p.id = e.app_id AND p.deleted_at IS NULL`,
    [context.tenantId, refs.map((ref) => ref.appId), refs.map((ref) => ref.id)],
  );
  return new Set(rows.map((row) => `${row.appId}/${row.id}`));
}

/** Adds entitlements to a profile behind those there are, in this order; those that are there already are passed over. */
export function insertEntries(context: Context, profileId: string, part: Part, refs: readonly Ref[]): Promise<number> {
  return context.db.run(
    `INSERT INTO access_profile_entitlements (tenant_id, profile_id, part, app_id, entitlement_id, place, created_at)
     SELECT $1, $2, $3, w.app_id, w.id, w.place + (SELECT coalesce(max(o.place), 0) FROM access_profile_entitlements o
       WHERE o.tenant_id = $1 AND o.profile_id = $2 AND o.part = $3), $6
     FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS w (app_id, id, place)
     ON CONFLICT DO NOTHING`,
    [context.tenantId, profileId, part, refs.map((ref) => ref.appId), refs.map((ref) => ref.id), context.now],
  );
}

/** Gives the entitlements of a part the places that they have in this list of all of them. */
export function updateEntryPlaces(context: Context, profileId: string, part: Part, refs: readonly Ref[]): Promise<number> {
  return context.db.run(
    `UPDATE access_profile_entitlements r SET place = w.place FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS w (app_id, id, place)
     WHERE r.tenant_id = $1 AND r.profile_id = $2 AND r.part = $3 AND r.app_id = w.app_id AND r.entitlement_id = w.id AND r.place <> w.place`,
    [context.tenantId, profileId, part, refs.map((ref) => ref.appId), refs.map((ref) => ref.id)],
  );
}

/** Takes entitlements out of a profile and returns how many were in it. */
export function removeEntries(context: Context, profileId: string, part: Part, refs: readonly Ref[]): Promise<number> {
  return context.db.run(
    `DELETE FROM access_profile_entitlements r USING unnest($4::text[], $5::text[]) AS w (app_id, id)
     WHERE r.tenant_id = $1 AND r.profile_id = $2 AND r.part = $3 AND r.app_id = w.app_id AND r.entitlement_id = w.id`,
    [context.tenantId, profileId, part, refs.map((ref) => ref.appId), refs.map((ref) => ref.id)],
  );
}

/** The entitlement if the profile gives it and it is still there. */
export function findEntry(context: Context, profileId: string, ref: Ref): Promise<Ref | undefined> {
  return context.db.maybe<Ref>(
    `SELECT r.app_id AS "appId", r.entitlement_id AS id FROM access_profile_entitlements r ${live}
     WHERE r.tenant_id = $1 AND r.profile_id = $2 AND r.part = 'REQUESTABLE' AND r.app_id = $3 AND r.entitlement_id = $4`,
    [context.tenantId, profileId, ref.appId, ref.id],
  );
}
