/** The record of a snapshot: what it leaves out and rests on, the lines and digests of its rows, and its rows as evidence. */
export { countItems, keepRecord } from './keep-record.ts';
export { findPeopleSources } from './people-sources.ts';
export { findHead, type Head, listPolicyLines, listSnapshotPolicyIds } from './store-digests.ts';
export { evidence, listSuperseded } from './store-evidence.ts';
export { countFormerAddresses } from './store-marks.ts';
export { listSourceChanges, listSourceCounts, type SourceChange, type SourceCount } from './store-sources.ts';
export {
  type CommittedRow,
  listPopulation,
  listSnapshotAccounts,
  listSnapshotLines,
  listSnapshotPeople,
  type PagedTable,
} from './store-pages.ts';
