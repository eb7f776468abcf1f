/**
 * The document of a review: its settings in canonical form, and what is read from them in more than one place.
 */
import { type AccessReviewJson, AccessReviewSchema } from '../../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { canonicalise } from '../../../wire/canonical.ts';
import type { ReviewSettings } from './members.ts';

/** The document of what was sent or merged: canonical, its name trimmed. The same content is always the same JSON. */
export function readSettings(json: AccessReviewJson): ReviewSettings {
  const document: ReviewSettings = canonicalise(AccessReviewSchema, json);
  return { ...document, displayName: (document.displayName ?? '').trim() };
}

/** The apps that setup_metadata names, each once. */
export function setupAppIds({ singleApp, multiApp }: ReviewSettings): string[] {
  const ids = [
    singleApp?.appId ?? '',
    ...Object.entries(multiApp?.appEntitlements ?? {}).map(([key, { appId }]) => appId || key),
    ...Object.keys(multiApp?.appEntitlementDetails ?? {}),
  ];
  return [...new Set(ids)].filter((id) => id !== '');
}
