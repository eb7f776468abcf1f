/** Reading from the server: queries by operation and request, with one cache. Screens come here and never fetch by themselves. */
import {
  type FetchInfiniteQueryOptions,
  type FetchQueryOptions,
  infiniteQueryOptions,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import * as client from '../../../src/client/browser.ts';
import type { Operation, ReplyOf, RequestOf } from '../../../src/client/browser.ts';
import { ClientError } from '../../../src/client/error.ts';
import { hasEnded, watch, whenBack } from './connection.ts';
import { sayTimes } from '~/text/say-times.ts';
import { withFresh } from './session/fresh-sign-in.ts';

export { fetchJson } from '../../../src/client/browser.ts';
export type { Operation, ReplyOf, RequestOf } from '../../../src/client/browser.ts';
export { ClientError } from '../../../src/client/error.ts';

/** True if an error is worth another try: nobody answered, or a part of the way is down. */
export function isOutage(error: unknown): boolean {
  return error instanceof ClientError && (error.status === 0 || error.status === 429 || error.status >= 502);
}

/** True if the session has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ClientError && error.status === 401;
}

/** The cache of all that was read. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => isOutage(error) && count < 4,
      retryDelay: (count) => Math.min(30_000, 1000 * 2 ** count),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

whenBack(() => void queries.refetchQueries({ type: 'active', predicate: (query) => query.state.status === 'error' || query.isStale() }));

/** Person whom this page was made for, as far as it knows. */
export const signedInAs = (): string | undefined => queries.getQueryData<{ readonly userId: string }>(['session'])?.userId;

/** True if somebody is signed in as far as this page knows: an answer 401 means then that the session has ended. */
const hasSession = (): boolean => signedInAs() !== undefined;

/** Refused without asking: the session has ended, and nobody has signed in again. */
const refused = (): Promise<never> => Promise.reject(new ClientError('You were signed out.', { status: 401, code: 'UNAUTHENTICATED' }));

/** Throws a refusal with its times as the reader says them. */
function throwSaid(error: unknown): never {
  if (!(error instanceof ClientError)) {
    throw error;
  }
  const { status, code, requestId, violations } = error;
  const said = violations.map((one) => ({ ...one, description: sayTimes(one.description) }));
  throw new ClientError(sayTimes(error.message), { status, code, requestId, violations: said, metadata: error.metadata, cause: error });
}

/** One call of an operation. While the session has ended none leaves the page. */
export const call: typeof client.call = (operation, request, options) =>
  (hasEnded()
    ? refused()
    : withFresh(() => watch(client.call(operation, request, { ...options, signedInAs: signedInAs() }), hasSession))
  ).catch(throwSaid);

/** A call whose body is a file. */
export const upload: typeof client.upload = (operation, request, file, options) =>
  watch(client.upload(operation, request, file, { ...options, signedInAs: signedInAs() }), hasSession).catch(throwSaid);

/** One reading of an operation. */
export function read<K extends Operation>(operation: K, request: RequestOf<K>) {
  return queryOptions({
    queryKey: [operation, request] as const,
    queryFn: ({ signal }): Promise<ReplyOf<K>> => call(operation, request, { signal }),
  });
}

/** The pages of a list, each asked for by the token of the one before. */
export function readPages<K extends Operation>(operation: K, request: RequestOf<K>) {
  return infiniteQueryOptions({
    queryKey: [operation, request, 'pages'] as const,
    queryFn: ({ pageParam, signal }): Promise<ReplyOf<K>> =>
      call(operation, { ...(request as object), pageToken: pageParam } as RequestOf<K>, { signal }),
    initialPageParam: '',
    getNextPageParam: (last) => (last as { nextPageToken?: string }).nextPageToken || undefined,
  });
}

// any: queries of all operations; what each answers is of no matter to who only waits for it.
type PagedQuery = FetchInfiniteQueryOptions<any, any, any, any, any>;
// any: the same.
type AnyQuery = FetchQueryOptions<any, any, any, any> | PagedQuery;

const isPaged = (query: AnyQuery): query is PagedQuery => 'initialPageParam' in query;

/**
 * Reads what a page shows before it is shown: for the loader of its route. What fails is asked for again by the page, which says so in its place.
 * Within the page nothing waits: a list that is narrowed reads by itself, while one goes on writing.
 */
export async function readAhead(cause: 'preload' | 'enter' | 'stay', ...wanted: readonly AnyQuery[]): Promise<void> {
  if (cause !== 'stay') {
    await Promise.all(
      wanted.map((one) =>
        isPaged(one) ? queries.prefetchInfiniteQuery({ ...one, retry: false }) : queries.prefetchQuery({ ...one, retry: false }),
      ),
    );
  }
}

/** After a change: everything read of these operations is read anew where it is shown. */
export async function forget(...operations: readonly Operation[]): Promise<void> {
  await queries.invalidateQueries({ predicate: ({ queryKey }) => operations.includes(queryKey[0] as Operation) });
}
