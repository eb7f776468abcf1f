/** In which group of the list a review stands, and whether the filters of the address let it through. */
import { type ReviewView, type Stage, stageOf } from '../../data/review.ts';
import type { PlainTextKey } from '../../text/text.ts';
import type { ListSearch } from './route.tsx';

export type GroupId = NonNullable<ListSearch['state']>;

export const groups: readonly { readonly id: GroupId; readonly label: PlainTextKey }[] = [
  { id: 'running', label: 'reviews.running' },
  { id: 'prepared', label: 'reviews.prepared' },
  { id: 'draft', label: 'reviews.drafts' },
  { id: 'closed', label: 'reviews.closed' },
];

const groupOf: Readonly<Record<Stage, GroupId>> = {
  draft: 'draft',
  preparing: 'prepared',
  prepared: 'prepared',
  starting: 'prepared',
  running: 'running',
  late: 'running',
  closed: 'closed',
  gone: 'closed',
};

/** The group of a review. */
export function groupOfView({ accessReview }: ReviewView): GroupId {
  return groupOf[stageOf(accessReview ?? {})];
}

/** How many reviews stand in each group. */
export function countByGroup(views: readonly ReviewView[]): Record<GroupId, number> {
  const counts: Record<GroupId, number> = { running: 0, prepared: 0, draft: 0, closed: 0 };
  for (const view of views) {
    counts[groupOfView(view)] += 1;
  }
  return counts;
}

interface Wanted extends ListSearch {
  /** Who asks; the state of the search counts only without it. */
  readonly userId?: string;
}

/** Whether a review is wanted: with `userId` by owner, app and words, without it by state. */
export function isWanted(view: ReviewView, { userId, state, owner, app, q }: Wanted): boolean {
  const review = view.accessReview ?? {};
  if (userId === undefined) {
    return state === undefined || groupOfView(view) === state;
  }
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const name = `${review.displayName ?? ''} ${review.description ?? ''}`.toLowerCase();
  return (
    (owner === undefined || review.createdById === userId) &&
    (app === undefined || review.singleApp?.appId === app || review.multiApp?.appEntitlements?.[app] !== undefined) &&
    words.every((word) => name.includes(word))
  );
}
