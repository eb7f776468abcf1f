/** The kinds of reviews, by what they look at; chosen once, when a review is made. */
import type { Review } from '~/data/reviews/review.ts';
import type { ByValue } from '~/text/by-value.ts';
import type { PlainTextKey } from '~/text/text.ts';

export type ReviewKind = Exclude<NonNullable<Review['scopeType']>, 'ACCESS_REVIEW_SCOPE_TYPE_UNSPECIFIED'>;

/** Name of each kind, the common one first. */
export const kindNames: ByValue<ReviewKind, PlainTextKey> = {
  ACCESS_REVIEW_SCOPE_TYPE_BY_ENTITLEMENTS: 'scope.kindApps',
  ACCESS_REVIEW_SCOPE_TYPE_BY_USERS: 'scope.kindPeople',
  ACCESS_REVIEW_SCOPE_TYPE_BY_ACCESS_CONFLICTS: 'scope.kindConflicts',
  ACCESS_REVIEW_SCOPE_TYPE_BY_RESOURCE: 'scope.kindResources',
  ACCESS_REVIEW_SCOPE_TYPE_BY_INHERITANCE: 'scope.kindInherited',
};

/** Purpose of each. */
export const kindHints: ByValue<ReviewKind, PlainTextKey> = {
  ACCESS_REVIEW_SCOPE_TYPE_BY_ENTITLEMENTS: 'scope.kindAppsHint',
  ACCESS_REVIEW_SCOPE_TYPE_BY_USERS: 'scope.kindPeopleHint',
  ACCESS_REVIEW_SCOPE_TYPE_BY_ACCESS_CONFLICTS: 'scope.kindConflictsHint',
  ACCESS_REVIEW_SCOPE_TYPE_BY_RESOURCE: 'scope.kindResourcesHint',
  ACCESS_REVIEW_SCOPE_TYPE_BY_INHERITANCE: 'scope.kindInheritedHint',
};

/** The scope that a new review of a kind begins with. */
const beginnings: ByValue<ReviewKind, NonNullable<Review['scopeV2']>> = {
  ACCESS_REVIEW_SCOPE_TYPE_BY_ENTITLEMENTS: {},
  ACCESS_REVIEW_SCOPE_TYPE_BY_USERS: { selectedUsers: { userIds: [] } },
  ACCESS_REVIEW_SCOPE_TYPE_BY_ACCESS_CONFLICTS: { allAccessConflicts: {} },
  ACCESS_REVIEW_SCOPE_TYPE_BY_RESOURCE: {},
  ACCESS_REVIEW_SCOPE_TYPE_BY_INHERITANCE: {},
};

/** The kind of a review; one that never said it is of apps and entitlements. */
export function reviewKind({ scopeType = 'ACCESS_REVIEW_SCOPE_TYPE_UNSPECIFIED' }: Pick<Review, 'scopeType'>): ReviewKind {
  return scopeType === 'ACCESS_REVIEW_SCOPE_TYPE_UNSPECIFIED' ? 'ACCESS_REVIEW_SCOPE_TYPE_BY_ENTITLEMENTS' : scopeType;
}

/** Starts a new review's scope by kind; `person` is somebody who is to be reviewed. */
export function kindScope(kind: ReviewKind, person: string | undefined): Pick<Review, 'scopeType' | 'scopeV2'> {
  const people = person !== undefined && mayName(kind) ? { selectedUsers: { userIds: [person] } } : undefined;
  return kind === reviewKind({})
    ? people === undefined
      ? {}
      : { scopeV2: people }
    : { scopeType: kind, scopeV2: people ?? beginnings[kind] };
}

/** True if a review of this kind can be of one app, or of one person. */
export function mayName(kind: ReviewKind): boolean {
  return kind === reviewKind({}) || kind === 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS';
}
