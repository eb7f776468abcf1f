/** The door of access profiles, which the public API calls request catalogs. */
import { managementService } from './service.ts';
import { searchService } from './service-search.ts';

/** What the room serves. */
export const services = [managementService, searchService];
