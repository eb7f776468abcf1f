/** The public interface of the module sources: their records. */
import { connectorServices } from './service.ts';

export { deleteEmptySource } from './change-source.ts';
export { ensureSource, findWantedSource } from './ensure-source.ts';
export { requireLockedSourceOf, requireLockedSource, requireSource } from './require.ts';
export { getOtherTellers } from './store-delivered.ts';
export {
  insertScimSource,
  removeSourcesOf,
  updateColumnMapping,
  updateMatchOrder,
  updateMatchOrdersOf,
  updateTokenHash,
} from './store-settings.ts';
export { findSyncSourceById, type SyncSource, updateLastSync } from './store-sync.ts';
export { shapeSource } from './view.ts';

/** What the module serves. */
export const services = connectorServices;
