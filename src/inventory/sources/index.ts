/** The public interface of the module sources: their records. */
import { connectorServices } from './service.ts';

export { deleteEmptySource } from './change-source.ts';
export { ensureSource, findWantedSource } from './ensure-source.ts';
export { requireLockedSourceOf, requireLockedSource, requireSource, requireSourceOf } from './require.ts';
export { findReadSources, requireSourceReader, requireSourceRunner } from './stand-to-source.ts';
export { type GivenSecrets, openSecrets, openSecretsToTry } from './secrets/index.ts';
export { ownsSourceOf } from './store-owned.ts';
export { getOtherTellersSql } from './store-delivered.ts';
export {
  insertScimSource,
  removeSourcesOf,
  updateColumnMapping,
  updateMatchOrder,
  updateMatchOrdersOf,
  updateTokenHash,
} from './store-settings.ts';
export type { SourceRow } from './store.ts';
export { type AgedSource, listAgedSources, updateStaleSince } from './store-freshness.ts';
export {
  type FetchSource,
  findFetchSource,
  findNextFetch,
  listDueSources,
  lockFetchSource,
  updateNextFetch,
  updateSchedule,
} from './store-schedule.ts';
export { findRemovalSettings, type RemovalSettings, updateRemovals } from './store-removals.ts';
export { findSyncSource, findSyncSourceById, type SyncSource, updateLastSync } from './store-sync.ts';
export { viewSources } from './view-sources.ts';

/** Services of the module. */
export const services = connectorServices;
export { getIsFromSourceSql, sourceIdOfEntitlement } from './reads.ts';
export { type AgingSource, sourceSlot } from './slots.ts';
