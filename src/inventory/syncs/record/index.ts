/** The public interface of the part record: what is written down of each import. */
export type { Companion } from './companion.ts';
export { type Observed, observe } from './observe.ts';
export { type Guard, type Trip, findOver, guardRemovals } from './guard.ts';
export { type TimedScope, recordSync, startClock } from './record-import.ts';
export { leaveRefusals, recordRefusals } from './record-refusal.ts';
export { type ChangedGrant, type Span, countChanges, getTouchedSql, listChanges, listTouched } from './store-changes.ts';
export { findContent, findDigestKey, updateContent, updateContentSync } from './store-contents.ts';
export {
  type EntitlementName,
  type GrantKey,
  type GrantsOf,
  type SyncGrantRow,
  isToldSql,
  listEntitlementNames,
  listGrantsAt,
} from './store-replay.ts';
export { type LastSync, type SyncFilter, type SyncRow, findLastSync, findPeopleDigest, findSync, listSyncs, listSyncsAt } from './store.ts';
export { type Left, createTurns } from './take-turn.ts';
export { shapeDifference, shapeImport, shapeReading, shapeSyncGrant } from './view.ts';
export { renewStatistics } from './store-statistics.ts';
export { evidence } from './store-evidence.ts';
