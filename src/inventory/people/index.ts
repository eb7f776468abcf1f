/** The public interface of who somebody is: the records that sources report of people, and whose each one is. */
export { type Correlation, correlate, keepRecord, type PushedRecord } from './correlate.ts';
export { services } from './service.ts';
export { getRecordKeysSql } from './reads.ts';
export { peopleSlot } from './slots.ts';
export { erasePersonRecords } from './store-erase.ts';
export { countDisputed, listVerdicts } from './store-lists.ts';
export { getDisputedCountSql, listPeopleSources } from './store-sources.ts';
export { getMoversSql, keepRecords, leaversSql, stageRecords } from './store-file-records.ts';
export {
  findLiveStatus,
  findOpenDispute,
  findTeller,
  listSaidElsewhere,
  lockRecords,
  moveChosenRecords,
  moveRecords,
  type SaidElsewhere,
  type SplitRecord,
} from './store-merge.ts';
export { endKept, endRecord, findRecordOf, findStanding, isKnownElsewhere, type Standing, updateHeard } from './store-records.ts';
