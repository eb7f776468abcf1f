/** The public interface of identity: whose account is whose, and which apps are directories. */
import { ownerServices } from './service.ts';
import { attributeService } from './service-attributes.ts';
import { directoryServices } from './service-directories.ts';
import { listServices } from './service-lists.ts';

export { forceSync } from './force-sync.ts';
export { matchAccounts } from './match-accounts.ts';
export { matchPerson, matchPersonAnew, moveAccounts, type PersonRematch, tellRematch } from './match-person.ts';
export { listAccountNames, listPersonKeys, type PersonKeys } from './store-match-person.ts';
export { removeDirectory } from './store-directories.ts';
export { getKeysSql, getMatchSql, lockMatching } from './store-match.ts';

/** Services of the module. */
export const services = [...ownerServices, ...listServices, ...directoryServices, attributeService];
export { findDirectoryOrder, getDirectoryIdsSql, isDirectory, isDirectoryApp } from './reads.ts';
export { identitySlot } from './slots.ts';
