/**
 * One hash for all that decides which items a snapshot has: what the scope says in one spelling, the revision and the moment. docs/scopes.md
 * describes the text that is hashed.
 */
import { hash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { canonicalJson } from '../../../lib/log/canonical-json.ts';
import { isJsonObject } from '../../../lib/json.ts';
import type { ScopeEntry } from './store-scope-lists.ts';
import type { ScopeType } from './types-scope.ts';

/** Members that are spans of time, and members that are names of enums with the prefixes of those. */
const spans = new Set(['daysSinceAdded', 'daysSinceReviewed', 'daysSinceLastUsed']);
const enumPrefix =
  /^(APP_USER_STATUS_|APP_USER_TYPE_|APP_USER_DOMAIN_|GRANT_SOURCE_FILTER_|GRANT_FILTER_TYPE_|ACCESS_PROFILE_FILTER_TYPE_|PRINCIPAL_TYPE_FILTER_|USER_)/;
const enums = new Set([
  'accountTypes',
  'appUserTypes',
  'appUserStatuses',
  'userStatus',
  'userStatuses',
  'accountDomain',
  'sourceFilter',
  'typeFilter',
  'filterType',
  'principalTypeFilter',
]);

/** A text as it is hashed; undefined for one that says nothing. */
function normaliseText(name: string, text: string): JsonValue | undefined {
  if (spans.has(name) && text !== '') {
    return text.endsWith('s') ? Number(text.slice(0, -1)) : Number(text) * 86_400;
  }
  const short = enums.has(name) ? text.replace(text === 'USER' ? '' : enumPrefix, '') : text;
  return short === '' || (enums.has(name) && (short === 'UNSPECIFIED' || short === 'UNKNOWN')) ? undefined : short;
}

/** A value as it is hashed: what says nothing left out, lists sorted and each entry once. Messages that are set are kept, empty ones too. */
function normalise(name: string, value: JsonValue): JsonValue | undefined {
  if (typeof value === 'string') {
    // An attribute's value: the empty text is that of who has none.
    return name === 'value' ? value : normaliseText(name, value);
  }
  if (Array.isArray(value)) {
    const texts = value.flatMap((item) => normalise(name, item) ?? []).map(canonicalJson);
    return texts.length === 0 ? undefined : [...new Set(texts)].sort().map((text) => JSON.parse(text) as JsonValue);
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value).map(([member, inner]) => [member, normalise(member, inner)] as const);
    return Object.fromEntries(entries.flatMap(([member, inner]) => (inner === undefined ? [] : [[member, inner] as const])));
  }
  return value === false || value === null ? undefined : value;
}

/** The lists beside a review's document. */
export interface ScopeListsToHash {
  readonly entitlements: readonly { readonly appId: string; readonly entitlementId: string; readonly customPolicyId: string }[];
  readonly resourceTypes: readonly { readonly appId: string; readonly resourceTypeId: string }[];
  readonly entries: readonly ScopeEntry[];
}

/** Returns the canonical JSON of a scope as of a revision and a moment; `members` are those of a review that say which items it has. */
export function writeScopeText(
  scopeType: ScopeType,
  members: JsonObject,
  lists: ScopeListsToHash,
  revision: number,
  takenAt: Date,
): string {
  const sorted = (list: readonly object[]) => list.map((entry) => canonicalJson(entry)).sort();
  return canonicalJson({
    format: 'countersign-scope-1',
    scopeType,
    members: normalise('', members) ?? {},
    lists: {
      entitlements: sorted(lists.entitlements),
      resourceTypes: sorted(lists.resourceTypes),
      entries: sorted(lists.entries),
    },
    revision,
    takenAt: takenAt.toISOString(),
  });
}

/** SHA-256, in hex, of the text of a scope. */
export const hashScope = (text: string): string => hash('sha256', text, 'hex');
