/** The public interface of the module audit: writing events, and the system log service that lists them. */
export { emptyEvents, emptyEventsNaming, emptyEventsOfReview, findOldestFull } from './empty-events.ts';
export { type ChangeEvent, findEventData, listChanges, listRecent, lockChanges } from './store-changes.ts';
export {
  findKeyStanding,
  findSigners,
  listKeys,
  listUnfitTenants,
  type LogKey,
  makeNextKey,
  noteKeyOf,
} from './keys/index.ts';
export { hashContent, makeLeaf, type ReviewPlace } from './leaf.ts';
export {
  type EventInsert,
  recordEvent,
  recordEvents,
  recordEventsOfRows,
  recordEventWith,
  recordOccurrence,
} from './record-event.ts';
export { asReadBy, refuseStale } from './refuse-stale.ts';
export { sealLog } from './seal.ts';
export { createSealer, type Sealer } from './sealer.ts';
export { services } from './service.ts';
export { auditSlot } from './slots.ts';
export { type EventPlace, type EventsMeant, listEventPlaces } from './store.ts';
export { findLog, insertNextEpoch, lockLog, updateBehind } from './store-log.ts';
export {
  type EntryRow,
  type EpochRow,
  findLastOfReview,
  findPlaceBefore,
  listActorsOfReview,
  listEntries,
  listEpochs,
  listEventsWithoutLeaf,
  listKnownEvents,
  listNamedEntries,
  listOvertaken,
  listPositionsOf,
  listReviewEntries,
  listTreeHashes,
} from './store-tree.ts';
export { recordTenantCreated, recordTenantDeleted } from './tenant-events.ts';
export { withoutFractions } from './without-fractions.ts';
