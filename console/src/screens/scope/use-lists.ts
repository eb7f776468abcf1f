/** The lists beside the scope of a draft: rules, resources, roles, what is left out, and grants named one by one. Each change sends all of them. */
import { useQuery } from '@tanstack/react-query';
import { errorMessage, useAct } from '~/data/act.ts';
import { read, type ReplyOf } from '~/data/query.ts';

export type ScopeLists = NonNullable<ReplyOf<'ReviewScopeListService.Get'>['scopeLists']>;
export type Exclusion = NonNullable<ScopeLists['exclusions']>[number];
export type ResourceType = NonNullable<ScopeLists['resourceTypes']>[number];

export interface Lists {
  /** As they will be once what was sent is stored. */
  readonly lists: ScopeLists;
  /** False until they were read: before that nothing can be changed without losing the rest. */
  readonly isReady: boolean;
  readonly isBusy: boolean;
  /** Error of the last change, from the server. */
  readonly fault: string | undefined;
  store(next: Partial<Omit<ScopeLists, 'resourceTypes'>>): void;
  /** Resource types have an operation of their own. */
  storeTypes(types: readonly ResourceType[]): void;
}

export function useLists(reviewId: string, touch: () => void): Lists {
  const query = useQuery(read('ReviewScopeListService.Get', { accessReviewId: reviewId }));
  const set = useAct('ReviewScopeListService.Set', 'ReviewScopeListService.Get');
  const setTypes = useAct('AccessReviewService.SetCampaignScopeByResourceType', 'ReviewScopeListService.Get');
  const stored = query.data?.scopeLists ?? {};
  const lists: ScopeLists = {
    ...stored,
    ...(set.isPending ? set.variables : {}),
    ...(setTypes.isPending ? { resourceTypes: setTypes.variables.resourceTypeSelections ?? [] } : {}),
  };
  const { resourceTypes: _types, ...own } = lists;
  const error = set.error ?? setTypes.error ?? undefined;
  return {
    lists,
    isReady: query.isSuccess,
    isBusy: set.isPending || setTypes.isPending,
    fault: error === undefined ? undefined : errorMessage(error),
    store: (next) => set.mutate({ ...own, ...next, accessReviewId: reviewId }, { onSuccess: touch }),
    storeTypes: (types) => setTypes.mutate({ accessReviewId: reviewId, resourceTypeSelections: [...types] }, { onSuccess: touch }),
  };
}
