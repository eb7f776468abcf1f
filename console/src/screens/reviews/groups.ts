/** In which group of the list a review stands, by its state. */
import type { ReplyOf, RequestOf } from '~/data/query.ts';
import { count } from '~/data/count.ts';
import type { PlainTextKey } from '~/text/text.ts';
import type { ListSearch } from './route.tsx';

export type GroupId = NonNullable<ListSearch['state']>;
export type ReviewLine = NonNullable<ReplyOf<'ReviewSearchService.Search'>['list']>[number];
type State = NonNullable<RequestOf<'ReviewSearchService.Search'>['states']>[number];

export interface Group {
  readonly id: GroupId;
  readonly label: PlainTextKey;
  readonly states: readonly State[];
}

export const groups: Readonly<Record<GroupId, Group>> = {
  running: { id: 'running', label: 'reviews.running', states: ['ACCESS_REVIEW_STATE_OPEN'] },
  prepared: {
    id: 'prepared',
    label: 'reviews.prepared',
    states: ['ACCESS_REVIEW_STATE_PREPARING', 'ACCESS_REVIEW_STATE_REVIEW', 'ACCESS_REVIEW_STATE_PENDING', 'ACCESS_REVIEW_STATE_STARTING'],
  },
  draft: {
    id: 'draft',
    label: 'reviews.drafts',
    states: [
      'ACCESS_REVIEW_STATE_DRAFT',
      'ACCESS_REVIEW_STATE_RESETTING_POLICIES',
      'ACCESS_REVIEW_STATE_COPYING_SETUP_ENTITLEMENTS',
      'ACCESS_REVIEW_STATE_COPYING_RESOURCE_TYPE_SELECTIONS',
    ],
  },
  closed: { id: 'closed', label: 'reviews.closed', states: ['ACCESS_REVIEW_STATE_CLOSED', 'ACCESS_REVIEW_STATE_DELETING'] },
};

/** The groups in their order. */
export const allGroups: readonly Group[] = Object.values(groups);

type StateCounts = ReplyOf<'ReviewSearchService.Search'>['states'];

/** Counts reviews in each group. */
export function countByGroup(states: StateCounts): Record<GroupId, number> {
  const ofStates = (wanted: readonly State[]): number =>
    (states ?? []).reduce((sum, { state, count: some }) => (wanted.includes(state as State) ? sum + count(some) : sum), 0);
  return {
    running: ofStates(groups.running.states),
    prepared: ofStates(groups.prepared.states),
    draft: ofStates(groups.draft.states),
    closed: ofStates(groups.closed.states),
  };
}
