/** The kinds of reviews, by what they look at; chosen once, when a review is made. */
import type { Review } from '~/data/reviews/review.ts';
import type { PlainTextKey } from '~/text/text.ts';

export type ReviewKind = NonNullable<Review['scopeType']> & string;

/** Each kind with its name and what it is for, the common one first. */
export const kinds: readonly { readonly kind: ReviewKind; readonly label: PlainTextKey; readonly hint: PlainTextKey }[] = [
  { kind: 'ACCESS_REVIEW_SCOPE_TYPE_BY_ENTITLEMENTS', label: 'scope.kindApps', hint: 'scope.kindAppsHint' },
  { kind: 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS', label: 'scope.kindPeople', hint: 'scope.kindPeopleHint' },
  { kind: 'ACCESS_REVIEW_SCOPE_TYPE_BY_ACCESS_CONFLICTS', label: 'scope.kindConflicts', hint: 'scope.kindConflictsHint' },
  { kind: 'ACCESS_REVIEW_SCOPE_TYPE_BY_RESOURCE', label: 'scope.kindResources', hint: 'scope.kindResourcesHint' },
  { kind: 'ACCESS_REVIEW_SCOPE_TYPE_BY_INHERITANCE', label: 'scope.kindInherited', hint: 'scope.kindInheritedHint' },
];

/** The kind of a review; one that never said it is of apps and entitlements. */
export function reviewKind(review: Pick<Review, 'scopeType'>): ReviewKind {
  const found = kinds.find(({ kind }) => kind === review.scopeType);
  return found?.kind ?? 'ACCESS_REVIEW_SCOPE_TYPE_BY_ENTITLEMENTS';
}

/** The scope that a new review of a kind begins with. */
function beginningOf(kind: ReviewKind): NonNullable<Review['scopeV2']> {
  switch (kind) {
    case 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS':
      return { selectedUsers: { userIds: [] } };
    case 'ACCESS_REVIEW_SCOPE_TYPE_BY_ACCESS_CONFLICTS':
      return { allAccessConflicts: {} };
    default:
      return {};
  }
}

/** Starts a new review's scope by kind; `person` is somebody who is to be reviewed. */
export function kindScope(kind: ReviewKind, person: string | undefined): Pick<Review, 'scopeType' | 'scopeV2'> {
  const people = person !== undefined && mayName(kind) ? { selectedUsers: { userIds: [person] } } : undefined;
  return kind === reviewKind({})
    ? people === undefined
      ? {}
      : { scopeV2: people }
    : { scopeType: kind, scopeV2: people ?? beginningOf(kind) };
}

/** True if a review of this kind can be of one app, or of one person. */
export function mayName(kind: ReviewKind): boolean {
  return kind === reviewKind({}) || kind === 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS';
}
