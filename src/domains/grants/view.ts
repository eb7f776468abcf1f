/**
 * How grants look outside: as the public API's bindings, events and history, and as our own Grant.
 */
import { createHash } from 'node:crypto';
import {
  type AppEntitlementRefJson,
  AppEntitlementRefSchema,
  type AppEntitlementUserViewJson,
  AppEntitlementUserViewSchema,
  type AppEntitlementWithExpiredJson,
  AppEntitlementWithExpiredSchema,
  type GrantReasonJson,
  GrantReasonSchema,
} from '../../gen/c1/api/app/v1/app_pb.js';
import {
  type AppEntitlementUserBindingFeedViewJson,
  AppEntitlementUserBindingFeedSchema,
  AppEntitlementUserBindingFeedViewSchema,
  AppEntitlementUserBindingHistorySchema,
  type AppEntitlementUserBindingHistoryViewJson,
  AppEntitlementUserBindingHistoryViewSchema,
  type AppEntitlementUserBindingJson,
  AppEntitlementUserBindingSchema,
} from '../../gen/c1/api/app/v1/binding_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import { type AccountRow, type PathOf, shapeAccount, shapeAccountView } from '../catalog/index.ts';
import { shapeUser, type UserRow } from '../directory/index.ts';
import type { FeedRow } from './store-feed.ts';
import type { GrantRow } from './store-list.ts';
import type { OpenGrantRow } from './store-search.ts';

type Paths = readonly (readonly string[])[] | null;

/** A path as references. */
export function shapePath(appId: string, path: readonly string[]): AppEntitlementRefJson[] {
  return path.map((id) => shape(AppEntitlementRefSchema, { appId, id }));
}

/** The entitlements that pass a grant on, each once; none where it is held directly alone. */
export function grantSources(appId: string, paths: Paths): AppEntitlementRefJson[] {
  return shapePath(appId, [...new Set((paths ?? []).flatMap((path) => path.at(-1) ?? []))]);
}

/** Whether a grant is held by itself, whatever else passes it on. */
export function isDirect(paths: Paths): boolean {
  return paths === null || paths.some((path) => path.length === 0);
}

/** A grant as c1.api.app.v1.AppEntitlementUserBinding. */
export function shapeBinding(appId: string, row: GrantRow): AppEntitlementUserBindingJson {
  return shape(AppEntitlementUserBindingSchema, {
    appId,
    appEntitlementId: row.entitlementId,
    appUserId: row.accountId,
    createdAt: timestamp(row.grantedAt ?? row.createdAt),
    deletedAt: timestamp(row.endedAt),
    deprovisionAt: timestamp(row.deprovisionAt),
    grantSources: grantSources(appId, row.paths),
  });
}

/** An open grant with its account, as the lists of an entitlement's users and the search for grants show it. */
export function shapeUserView(
  row: Omit<OpenGrantRow, 'appId'>,
  appId: string,
  account: AccountRow | undefined,
  pathOf: PathOf,
): AppEntitlementUserViewJson {
  return shape(AppEntitlementUserViewSchema, {
    appId,
    appEntitlementId: row.entitlementId,
    appUserId: row.accountId,
    appUser: account && shapeAccountView(account, pathOf),
    appEntitlementUserBindingCreatedAt: timestamp(row.grantedAt ?? row.createdAt),
    appEntitlementUserBindingDeprovisionAt: timestamp(row.deprovisionAt),
    grantSources: grantSources(appId, row.paths),
  });
}

/** A grant, ended or not, with its account, its owner, and the reasons it is held for. */
export function shapeWithExpired(
  row: GrantRow,
  appId: string,
  account: AccountRow | undefined,
  user: UserRow | undefined,
): AppEntitlementWithExpiredJson {
  return shape(AppEntitlementWithExpiredSchema, {
    appId,
    appEntitlementId: row.entitlementId,
    appUserId: row.accountId,
    appUser: account && shapeAccount(account),
    user: user && shapeUser(user),
    discovered: timestamp(row.createdAt),
    expired: timestamp(row.endedAt),
    grantReasons: shapeReasons(row, appId),
    grantSources: grantSources(appId, row.paths),
  });
}

/**
 * Why a grant is held: for itself (granted manually, reported by a source, or as the app access that follows from an account), which is a strong
 * reason, and because an entitlement passes it on, which is weak: it falls with that one.
 */
function shapeReasons(row: GrantRow, appId: string): GrantReasonJson[] {
  const common = {
    appId,
    appEntitlementId: row.entitlementId,
    appUserId: row.accountId,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    deletedAt: timestamp(row.endedAt),
    reasonExpiresAt: timestamp(row.deprovisionAt),
  };
  const own = row.isDerived
    ? { derivedIdType: 'ACCOUNT', derivedIdData: row.accountId }
    : { derivedIdType: row.sourceId === null ? 'MANUAL' : 'CONNECTOR', derivedIdData: row.sourceId ?? '' };
  const direct = isDirect(row.paths)
    ? [shape(GrantReasonSchema, { ...common, ...own, referenceStrength: 'GRANT_REASON_REFERENCE_STRENGTH_STRONG' })]
    : [];
  const inherited = grantSources(appId, row.paths).map((ref) =>
    shape(GrantReasonSchema, {
      ...common,
      derivedIdType: 'ENTITLEMENT',
      derivedIdData: ref.id,
      referenceStrength: 'GRANT_REASON_REFERENCE_STRENGTH_WEAK',
    }),
  );
  return [...direct, ...inherited];
}

/** Something that was added or removed, with the places of what it is about. No ticket of ours gives or takes grants. */
export function shapeFeedView(row: FeedRow, pathOf: PathOf): AppEntitlementUserBindingFeedViewJson {
  return shape(AppEntitlementUserBindingFeedViewSchema, {
    feed: shape(AppEntitlementUserBindingFeedSchema, {
      appId: row.appId,
      appEntitlementId: row.entitlementId,
      appUserId: row.accountId,
      date: timestamp(row.date),
      eventType: row.type === 'A' ? 'GRANT_EVENT_TYPE_ADDED' : 'GRANT_EVENT_TYPE_REMOVED',
    }),
    appPath: pathOf('app', row.appId),
    appUserPath: pathOf('app_user', row.accountId),
    entitlementPath: pathOf('entitlement', row.entitlementId),
  });
}

/** A grant that ended, with the places of what it is about. */
export function shapeHistoryView(row: FeedRow, pathOf: PathOf): AppEntitlementUserBindingHistoryViewJson {
  return shape(AppEntitlementUserBindingHistoryViewSchema, {
    history: shape(AppEntitlementUserBindingHistorySchema, {
      id: getHistoryId(row),
      appId: row.appId,
      appEntitlementId: row.entitlementId,
      appUserId: row.accountId,
      grantedAt: timestamp(row.grantedAt ?? row.createdAt),
      revokedAt: timestamp(row.endedAt),
    }),
    appPath: pathOf('app', row.appId),
    appUserPath: pathOf('app_user', row.accountId),
    entitlementPath: pathOf('entitlement', row.entitlementId),
  });
}

/** The id of one life of a grant: the same whenever it is asked for, though nothing stores it. */
function getHistoryId(row: FeedRow): string {
  const key = [row.appId, row.entitlementId, row.accountId, row.addedRevision].join('/');
  return createHash('sha256').update(key).digest('hex').slice(0, 27);
}
