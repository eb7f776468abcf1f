/** Apps and entitlements that a review asks about: read from whichever member says them, written as apps with lists of entitlements. */
import type { Review } from '../../data/review.ts';
import type { EntitlementRef } from '../../data/names.ts';

/** The ids of the chosen apps. */
export function chosenApps(review: Review): string[] {
  if (review.multiApp !== undefined) {
    return Object.keys(review.multiApp.appEntitlements ?? {});
  }
  return review.singleApp?.appId ? [review.singleApp.appId] : [];
}

/** The entitlements that are chosen one by one; an app without one is chosen as a whole. */
export function chosenEntitlements(review: Review): EntitlementRef[] {
  return Object.entries(review.multiApp?.appEntitlements ?? {}).flatMap(([appId, { entitlementIds }]) =>
    (entitlementIds ?? []).map((id) => ({ appId, id })),
  );
}

/** The change that makes these the chosen apps. What was chosen in an app that stays is kept. */
export function withApps(review: Review, appIds: readonly string[]): Partial<Review> {
  const before = review.multiApp?.appEntitlements ?? {};
  return {
    multiApp: {
      appEntitlements: Object.fromEntries(appIds.map((appId) => [appId, before[appId] ?? { appId, entitlementIds: [] }])),
    },
  };
}

/** The change that makes these the chosen entitlements, each as app, slash and id. Their apps stay chosen. */
export function withEntitlements(review: Review, refs: readonly string[]): Partial<Review> {
  const appIds = new Set([...chosenApps(review), ...refs.map((ref) => ref.split('/')[0] ?? '')]);
  return {
    multiApp: {
      appEntitlements: Object.fromEntries(
        [...appIds].map((appId) => [
          appId,
          { appId, entitlementIds: refs.filter((ref) => ref.startsWith(`${appId}/`)).map((ref) => ref.slice(appId.length + 1)) },
        ]),
      ),
    },
  };
}
