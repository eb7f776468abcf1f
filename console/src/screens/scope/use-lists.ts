/**
 * The lists beside the scope of a draft: rules, resources, roles, what is left out, and grants named one by one. Each change sends all of them; what others
 * change meanwhile stays.
 */
import { useQuery } from '@tanstack/react-query';
import { errorMessage, useSend } from '~/data/act.ts';
import { changeWhole } from '~/data/change.ts';
import { forget, queries, read, type ReplyOf } from '~/data/query.ts';

export type ScopeLists = NonNullable<ReplyOf<'ReviewScopeListService.Get'>['scopeLists']>;
export type Exclusion = NonNullable<ScopeLists['exclusions']>[number];
export type ResourceType = NonNullable<ScopeLists['resourceTypes']>[number];

/** The lists that go together. Resource types have an operation of their own. */
type OwnLists = Omit<ScopeLists, 'resourceTypes'>;

interface Change<T> {
  readonly before: T;
  readonly after: T;
}

export interface Lists {
  /** As they will be once what was sent is stored. */
  readonly lists: ScopeLists;
  /** False until they were read: before that nothing can be changed without losing the rest. */
  readonly isReady: boolean;
  readonly isBusy: boolean;
  /** Error of the last change, from the server. */
  readonly fault: string | undefined;
  store(next: Partial<OwnLists>): void;
  storeTypes(types: readonly ResourceType[]): void;
}

function split({ resourceTypes = [], ...own }: ScopeLists): { readonly own: OwnLists; readonly types: ResourceType[] } {
  return { own, types: resourceTypes };
}

export function useLists(reviewId: string, touch: () => void): Lists {
  const wanted = read('ReviewScopeListService.Get', { accessReviewId: reviewId });
  const query = useQuery(wanted);
  const address = { accessReviewId: reviewId };
  const readNow = async () => split((await queries.fetchQuery({ ...wanted, staleTime: 0 })).scopeLists ?? {});
  const after = { onSuccess: touch, onSettled: () => forget('ReviewScopeListService.Get') };
  const set = useSend({
    mutationFn: (change: Change<OwnLists>) =>
      changeWhole('ReviewScopeListService.Set', { address, ...change, readNow: async () => (await readNow()).own }),
    ...after,
  });
  const setTypes = useSend({
    mutationFn: ({ before, after: types }: Change<ResourceType[]>) =>
      changeWhole('AccessReviewService.SetCampaignScopeByResourceType', {
        address,
        before: { resourceTypeSelections: before },
        after: { resourceTypeSelections: types },
        readNow: async () => ({ resourceTypeSelections: (await readNow()).types }),
      }),
    ...after,
  });
  const stored = split(query.data?.scopeLists ?? {});
  const own = set.isPending ? set.variables.after : stored.own;
  const types = setTypes.isPending ? setTypes.variables.after : stored.types;
  const error = set.error ?? setTypes.error ?? undefined;
  return {
    lists: { ...own, resourceTypes: types },
    isReady: query.isSuccess,
    isBusy: set.isPending || setTypes.isPending,
    fault: error === undefined ? undefined : errorMessage(error),
    store: (next) => set.mutate({ before: own, after: { ...own, ...next } }),
    storeTypes: (next) => setTypes.mutate({ before: types, after: [...next] }),
  };
}
