/**
 * Profiles with what belongs into their views: a fixed number of queries for a whole page.
 */
import type { Context } from '../../context.ts';
import type { Call } from '../../wire/service.ts';
import { listEntitlementsByIds, loadSight, noPath, shapeEntitlementView } from '../catalog/index.ts';
import { permissionsHeld } from '../../foundation/authority/index.ts';
import { maxEntries } from './change-entries.ts';
import { readMemberCounts } from './count-members.ts';
import type { ProfileRow } from './store.ts';
import { listEntriesOf, type Ref } from './store-entries.ts';
import { shapeProfileView } from './view.ts';

/** Access entitlements of a profile that a page of several profiles carries; a single profile carries them all. */
const accessOnPages = 10;
/** The same of the apps that may be expanded. */
const appsOfOne = 100;

/** Views of these profiles, with what the request wants to have expanded: created_by_user_id, app_ids, access_entitlements. */
export async function viewProfiles(context: Context, call: Call, rows: readonly ProfileRow[], paths: readonly string[] | undefined) {
  const ids = rows.map((row) => row.id);
  const access = await listEntriesOf(context, ids, 'VISIBLE', rows.length === 1 ? maxEntries.VISIBLE : accessOnPages);
  const given = paths === undefined ? new Map<string, Ref[]>() : await listEntriesOf(context, ids, 'REQUESTABLE', appsOfOne);
  const accessIds = [...access.values()].flat().map((ref) => ref.id);
  const entitlements = await listEntitlementsByIds(context, accessIds);
  const members = await readMemberCounts(context, ids);
  const wanted = [
    { path: 'created_by_user_id', type: 'c1.api.user.v1.User', ids: rows.map((row) => row.createdById) },
    { path: 'app_ids', type: 'c1.api.app.v1.App', ids: [...given.values()].flat().map((ref) => ref.appId) },
    { path: 'access_entitlements', type: 'c1.api.app.v1.AppEntitlement', ids: accessIds },
  ];
  const { expanded, pathOf } = await call.expand(wanted, paths);
  const sight = await loadSight(context);
  const views = rows.map((row) =>
    shapeProfileView(
      sight,
      row,
      (access.get(row.id) ?? []).flatMap((ref) => entitlements.get(ref.id) ?? []),
      members.get(row.id) ?? 0,
      pathOf,
    ),
  );
  return { expanded, views };
}

/** Views of these entitlements in their order. */
export async function viewEntries(context: Context, refs: readonly Ref[]) {
  const entitlements = await listEntitlementsByIds(
    context,
    refs.map((ref) => ref.id),
  );
  const mayWrite = permissionsHeld(context.actor).includes('inventory.write');
  const sight = await loadSight(context);
  return refs.flatMap((ref) => {
    const row = entitlements.get(ref.id);
    return row === undefined ? [] : [shapeEntitlementView(sight, row, noPath, mayWrite)];
  });
}
