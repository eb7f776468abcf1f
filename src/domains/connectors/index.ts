/** The public interface of connectors: the records of data sources. */
import { connectorServices } from './service.ts';

export { ensureSource, findWantedSource } from './ensure-connector.ts';
export { requireLockedConnector, requireLockedSource, requireSource } from './require.ts';
export { getOtherTellers } from './store-end.ts';
export { findSourceById, newMatchOrder, type SourceRow, updateLastImport } from './store-sources.ts';
export { shapeSource } from './view.ts';

/** What the module serves. */
export const services = connectorServices;
