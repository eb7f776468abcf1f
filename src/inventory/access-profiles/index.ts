/** The public interface of access profiles, which the public API calls request catalogs. */
import type { JobKind } from '../../jobs/index.ts';
import { countJob, countKind } from './count-members.ts';
import { managementService } from './service.ts';
import { searchService } from './service-search.ts';

export { moveEntries } from './store-merge.ts';

/** Services of the module. */
export const services = [managementService, searchService];

/** Background jobs of the module. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([[countKind, countJob]]);
