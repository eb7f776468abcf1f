/**
 * The document of a review: its writable members in canonical form, and what is read from it in more than one place.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { AccessReviewSchema } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { asObject } from '../../lib/json.ts';
import { canonicalise } from '../../wire/canonical.ts';

/** The document of what was sent or merged: canonical, its name trimmed. The same content is always the same JSON. */
export function documentOf(json: JsonObject): JsonObject {
  const document = canonicalise(AccessReviewSchema, json);
  return { ...document, displayName: textOf(document, 'displayName').trim() };
}

/** A text member, empty where it is not set. */
export function textOf(document: JsonObject, member: string): string {
  const value = document[member];
  return typeof value === 'string' ? value : '';
}

/** The apps that setup_metadata names, each once. */
export function setupAppIds(document: JsonObject): string[] {
  const multiApp = asObject(document.multiApp);
  const ids = [
    textOf(asObject(document.singleApp), 'appId'),
    ...Object.entries(asObject(multiApp.appEntitlements)).map(([key, value]) => textOf(asObject(value), 'appId') || key),
    ...Object.keys(asObject(multiApp.appEntitlementDetails)),
  ];
  return [...new Set(ids)].filter((id) => id !== '');
}
