/** The public interface of fetches: sources that ask other systems by themselves, when they do, and what came of it. */
export { checkSettings } from './fetchers/index.ts';
export { listNext } from './schedule.ts';
export { findStaleAfter } from './freshness.ts';
export { followKind, jobKinds, lookKind } from './jobs.ts';
export { keepFile, openKeptFile } from './keep-file.ts';
export { getFetchesSql } from './reads.ts';
export { removeFilesNaming } from './store-files.ts';
export { createFetchEffect } from './run-fetch.ts';
export { fetchForProof, fetchKind } from './ask.ts';
export {
  beginFetchReading,
  failFetch,
  findFetchUnderWay,
  handOutFetch,
  importBrought,
  isHandedOut,
} from './connector-fetches.ts';
export { listEnds } from './count-ends.ts';
export { eraseFetchTexts } from './erase.ts';
export { toldAfterFailures } from './states.ts';
export { listTroubles, measureSources, type SourceWork, type Trouble } from './store-troubles.ts';
export { requireFetch } from './hold.ts';
export { createServices } from './service.ts';
