/** Grants as clients see them: as the public API's bindings, events and history, and as our own Grant. */
import { createHash } from 'node:crypto';
import type { AppEntitlementRef, AppEntitlementUserView, AppEntitlementWithExpired, GrantReason } from '../../gen/c1/api/app/v1/app_pb.js';
import type {
  AppEntitlementUserBindingFeedView,
  AppEntitlementUserBindingHistoryView,
  AppEntitlementUserBinding,
} from '../../gen/c1/api/app/v1/binding_pb.js';
import { type Row, unset } from '../../wire/row.ts';
import type { Sight } from '../../foundation/authority/index.ts';
import { type AccountRow, type PathOf, shapeAccount, shapeAccountView } from '../catalog/index.ts';
import { shapeUser, type UserRow } from '../../foundation/directory/index.ts';
import type { FeedRow } from './store-feed.ts';
import type { GrantRow } from './store-list.ts';
import type { OpenGrantRow } from './store-search.ts';

type Paths = readonly (readonly string[])[] | null;

/** A path as references. */
export function shapePath(appId: string, path: readonly string[]): Row<AppEntitlementRef>[] {
  return path.map((id) => ({ appId, id }));
}

/** The entitlements that pass a grant on, each once; none where it is held directly alone. */
export function grantSources(appId: string, paths: Paths): Row<AppEntitlementRef>[] {
  return shapePath(appId, [...new Set((paths ?? []).flatMap((path) => path.at(-1) ?? []))]);
}

/** True if a grant is held by itself, whatever else passes it on. */
export function isDirect(paths: Paths): boolean {
  return paths === null || paths.some((path) => path.length === 0);
}

/** A grant as c1.api.app.v1.AppEntitlementUserBinding. */
export function shapeBinding(appId: string, row: GrantRow): Row<AppEntitlementUserBinding> {
  return {
    appId,
    appEntitlementId: row.entitlementId,
    appUserId: row.accountId,
    createdAt: row.grantedAt ?? row.createdAt,
    deletedAt: row.endedAt,
    deprovisionAt: row.deprovisionAt,
    grantSources: grantSources(appId, row.paths),
  };
}

/** An open grant with its account, as the lists of an entitlement's users and the search for grants show it. */
export function shapeUserView(
  sight: Sight,
  row: Omit<OpenGrantRow, 'appId'>,
  appId: string,
  account: AccountRow | undefined,
  pathOf: PathOf,
): Row<AppEntitlementUserView> {
  return {
    appId,
    appEntitlementId: row.entitlementId,
    appUserId: row.accountId,
    appUser: account && shapeAccountView(sight, account, pathOf),
    appEntitlementUserBindingCreatedAt: row.grantedAt ?? row.createdAt,
    appEntitlementUserBindingDeprovisionAt: row.deprovisionAt,
    grantSources: grantSources(appId, row.paths),
    ...unset('originatingTicketId'),
  };
}

/** A grant, ended or not, with its account, its owner, and the reasons it is held for. */
export function shapeWithExpired(
  sight: Sight,
  row: GrantRow,
  appId: string,
  account: AccountRow | undefined,
  user: UserRow | undefined,
): Row<AppEntitlementWithExpired> {
  return {
    appId,
    appEntitlementId: row.entitlementId,
    appUserId: row.accountId,
    appUser: account && shapeAccount(sight, account),
    user: user && shapeUser(sight.actor, user),
    discovered: row.createdAt,
    expired: row.endedAt,
    grantReasons: shapeReasons(row, appId),
    grantSources: grantSources(appId, row.paths),
  };
}

/**
 * Lists why a grant is held: for itself (granted manually, reported by a source, or as the app access that follows from an account), which is a
 * strong reason, and because an entitlement passes it on, which is weak: it falls with that one.
 */
function shapeReasons(row: GrantRow, appId: string): Row<GrantReason>[] {
  const common = {
    appId,
    appEntitlementId: row.entitlementId,
    appUserId: row.accountId,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    deletedAt: row.endedAt,
    reasonExpiresAt: row.deprovisionAt,
  };
  const own = row.isDerived
    ? { derivedIdType: 'ACCOUNT', derivedIdData: row.accountId }
    : { derivedIdType: row.sourceId === null ? 'MANUAL' : 'CONNECTOR', derivedIdData: row.sourceId };
  const direct = isDirect(row.paths) ? [{ ...common, ...own, referenceStrength: 'STRONG' as const }] : [];
  const inherited = grantSources(appId, row.paths).map((ref) => ({
    ...common,
    derivedIdType: 'ENTITLEMENT',
    derivedIdData: ref.id,
    referenceStrength: 'WEAK' as const,
  }));
  return [...direct, ...inherited];
}

/** Something that was added or removed, with the places of what it is about. No ticket of ours gives or takes grants. */
export function shapeFeedView(row: FeedRow, pathOf: PathOf): Row<AppEntitlementUserBindingFeedView> {
  return {
    feed: {
      ...row,
      appEntitlementId: row.entitlementId,
      appUserId: row.accountId,
      eventType: row.type === 'A' ? 'ADDED' : 'REMOVED',
      ...unset('ticketId'),
    },
    appPath: pathOf('app', row.appId),
    appUserPath: pathOf('app_user', row.accountId),
    entitlementPath: pathOf('entitlement', row.entitlementId),
    ...unset('ticketPath'),
  };
}

/** A grant that ended, with the places of what it is about. */
export function shapeHistoryView(row: FeedRow, pathOf: PathOf): Row<AppEntitlementUserBindingHistoryView> {
  return {
    history: {
      id: getHistoryId(row),
      appId: row.appId,
      appEntitlementId: row.entitlementId,
      appUserId: row.accountId,
      grantedAt: row.grantedAt ?? row.createdAt,
      revokedAt: row.endedAt,
    },
    appPath: pathOf('app', row.appId),
    appUserPath: pathOf('app_user', row.accountId),
    entitlementPath: pathOf('entitlement', row.entitlementId),
    ...unset('ticketPath'),
  };
}

/** The id of one life of a grant: the same whenever it is asked for, though nothing stores it. */
function getHistoryId(row: FeedRow): string {
  const key = [row.appId, row.entitlementId, row.accountId, row.addedRevision].join('/');
  return createHash('sha256').update(key).digest('hex').slice(0, 27);
}
