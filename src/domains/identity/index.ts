/** The public interface of identity: whose account is whose, and which apps are directories. */
import { forceSyncService } from './force-sync.ts';
import { ownerServices } from './service.ts';
import { attributeService } from './service-attributes.ts';
import { directoryServices } from './service-directories.ts';
import { listServices } from './service-lists.ts';

export { matchAccounts } from './match-accounts.ts';
export { matchPerson, type PersonRematch } from './match-person.ts';
export { listPersonKeys } from './store-match-person.ts';
export { removeDirectory } from './store-directories.ts';
export { getMatchSql, lockMatching } from './store-match.ts';

/** What the module serves. */
export const services = [...ownerServices, ...listServices, ...directoryServices, forceSyncService, attributeService];
