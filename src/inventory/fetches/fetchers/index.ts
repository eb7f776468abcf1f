/** The public interface of the part fetchers: each kind of source that fetches by itself, and reading its settings. */
export { checkSettings, findFetcher } from './fetchers.ts';
export type { Asked, Fetched, FetchedFile, FetchedKind, Fetcher, FoundContents, Installation } from './types.ts';
