/** The scope of a review in words, member by member; lists beside it are shown by `review scope-lists`. */
import type { AccessReviewJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';

/** "userStatuses" as people read it: "user statuses". */
function sayName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A member with all that is set in it: "user criteria: user statuses ENABLED; departments Finance, Legal". */
function sayMember(name: string, value: unknown): string {
  if (Array.isArray(value)) {
    return `${sayName(name)} ${value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))).join(', ')}`;
  }
  if (typeof value !== 'object' || value === null) {
    return `${sayName(name)} ${String(value)}`;
  }
  const within = Object.entries(value).filter(([, one]) => isSet(one));
  return within.length === 0 ? sayName(name) : `${sayName(name)}: ${within.map(([key, one]) => sayMember(key, one)).join('; ')}`;
}

/** Replies hold every member; what has its default was not chosen. A message without members was. */
function isSet(value: unknown): boolean {
  return (
    value !== undefined &&
    value !== null &&
    value !== '' &&
    value !== false &&
    !(Array.isArray(value) && value.length === 0) &&
    !String(value).endsWith('_UNSPECIFIED')
  );
}

/** Lists choices, a line each: the apps, then each filter. */
export function sayScope(review: AccessReviewJson, nameOf: (appId: string | undefined) => string): string[] {
  const { singleApp, multiApp, scopeV2 = {}, scope = {}, inclusionScope = {}, exclusionScope = {} } = review;
  const ids = [singleApp?.appId, ...Object.keys(multiApp?.appEntitlements ?? {}), ...Object.keys(multiApp?.appEntitlementDetails ?? {})];
  const apps = [...new Set(ids.filter((id) => id !== undefined && id !== ''))].map(nameOf);
  const filters = [scopeV2, scope, inclusionScope].flatMap((one) => Object.entries(one).filter(([, value]) => isSet(value)));
  const left = Object.entries(exclusionScope).filter(([, value]) => isSet(value));
  return [
    ...(apps.length === 0 ? [] : [`apps: ${apps.join(', ')}`]),
    ...filters.map(([name, value]) => sayMember(name, value)),
    ...left.map(([name, value]) => `without ${sayMember(name, value)}`),
  ];
}
