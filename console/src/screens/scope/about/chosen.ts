/** Apps and entitlements that a review asks about: read from whichever member says them, written as apps with lists of entitlements. */
import type { EntitlementRef } from '~/data/names.ts';
import type { Review } from '~/data/reviews/review.ts';

/** An entitlement that is chosen by itself, and the policy that decides it where that is another than the review's. */
export interface ChosenEntitlement extends EntitlementRef {
  readonly policyId: string;
}

/** The ids of the chosen apps. */
export function chosenApps(review: Review): string[] {
  if (review.multiApp !== undefined) {
    return [
      ...new Set([...Object.keys(review.multiApp.appEntitlements ?? {}), ...Object.keys(review.multiApp.appEntitlementDetails ?? {})]),
    ];
  }
  return review.singleApp?.appId ? [review.singleApp.appId] : [];
}

/** The entitlements that are chosen one by one; an app without one is chosen as a whole. */
export function chosenEntitlements(review: Review): ChosenEntitlement[] {
  const plain = Object.entries(review.multiApp?.appEntitlements ?? {}).flatMap(([appId, { entitlementIds }]) =>
    (entitlementIds ?? []).map((id) => ({ appId, id, policyId: '' })),
  );
  const detailed = Object.entries(review.multiApp?.appEntitlementDetails ?? {}).flatMap(([appId, { entitlementDetails }]) =>
    Object.entries(entitlementDetails ?? {}).map(([id, { policyId }]) => ({ appId, id, policyId: policyId ?? '' })),
  );
  return [...plain, ...detailed];
}

/** The change that makes these the chosen apps and entitlements; an app without a chosen entitlement is chosen as a whole. */
function write(appIds: readonly string[], entitlements: readonly ChosenEntitlement[]): Partial<Review> {
  const of = (appId: string, hasPolicy: boolean) =>
    entitlements.filter((one) => one.appId === appId && (one.policyId !== '') === hasPolicy);
  const detailed = appIds.filter((appId) => of(appId, true).length > 0);
  return {
    multiApp: {
      appEntitlements: Object.fromEntries(
        appIds
          .filter((appId) => !detailed.includes(appId) || of(appId, false).length > 0)
          .map((appId) => [appId, { appId, entitlementIds: of(appId, false).map(({ id }) => id) }]),
      ),
      appEntitlementDetails: Object.fromEntries(
        detailed.map((appId) => [
          appId,
          {
            entitlementDetails: Object.fromEntries(of(appId, true).map(({ id, policyId }) => [id, { appId, entitlementId: id, policyId }])),
          },
        ]),
      ),
    },
  };
}

/** The change that makes these the chosen apps. What was chosen in an app that stays is kept. */
export function withApps(review: Review, appIds: readonly string[]): Partial<Review> {
  return write(
    appIds,
    chosenEntitlements(review).filter(({ appId }) => appIds.includes(appId)),
  );
}

/** The change that makes these the chosen entitlements, each as app, slash and id. Their apps and policies stay. */
export function withEntitlements(review: Review, refs: readonly string[]): Partial<Review> {
  const before = new Map(chosenEntitlements(review).map((one) => [`${one.appId}/${one.id}`, one]));
  const next = refs.map((ref) => before.get(ref) ?? { appId: ref.split('/')[0] ?? '', id: ref.split('/')[1] ?? '', policyId: '' });
  return write([...new Set([...chosenApps(review), ...next.map(({ appId }) => appId)])], next);
}

/** The change by which this policy decides a chosen entitlement; '' for that of the review. */
export function withPolicy(review: Review, ref: EntitlementRef, policyId: string): Partial<Review> {
  const next = chosenEntitlements(review).map((one) => (one.appId === ref.appId && one.id === ref.id ? { ...one, policyId } : one));
  return write(chosenApps(review), next);
}
