/** In which group of the list a review stands, by its state. */
import type { ReplyOf, RequestOf } from '~/data/query.ts';
import { count } from '~/data/count.ts';
import type { ByValue } from '~/text/by-value.ts';
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

/** The group of each state; those of reviews that are deleted have their own page. */
const groupOf: ByValue<State, GroupId | undefined> = {
  ACCESS_REVIEW_STATE_OPEN: 'running',
  ACCESS_REVIEW_STATE_PREPARING: 'prepared',
  ACCESS_REVIEW_STATE_REVIEW: 'prepared',
  ACCESS_REVIEW_STATE_PENDING: 'prepared',
  ACCESS_REVIEW_STATE_STARTING: 'prepared',
  ACCESS_REVIEW_STATE_DRAFT: 'draft',
  ACCESS_REVIEW_STATE_RESETTING_POLICIES: 'draft',
  ACCESS_REVIEW_STATE_COPYING_SETUP_ENTITLEMENTS: 'draft',
  ACCESS_REVIEW_STATE_COPYING_RESOURCE_TYPE_SELECTIONS: 'draft',
  ACCESS_REVIEW_STATE_CLOSED: 'closed',
  ACCESS_REVIEW_STATE_DELETING: 'closed',
  ACCESS_REVIEW_STATE_DELETED: undefined,
};

const statesOf = (id: GroupId): State[] => (Object.keys(groupOf) as State[]).filter((state) => groupOf[state] === id);

export const groups: Readonly<Record<GroupId, Group>> = {
  running: { id: 'running', label: 'reviews.running', states: statesOf('running') },
  prepared: { id: 'prepared', label: 'reviews.prepared', states: statesOf('prepared') },
  draft: { id: 'draft', label: 'reviews.drafts', states: statesOf('draft') },
  closed: { id: 'closed', label: 'reviews.closed', states: statesOf('closed') },
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
