/** The door of identity: whose account is whose, and which apps are directories. */
import { forceSyncService } from './force-sync.ts';
import { ownerServices } from './service.ts';
import { directoryServices } from './service-directories.ts';
import { listServices } from './service-lists.ts';

export { matchAccounts, type Rematch } from './match-accounts.ts';
export { matchPerson, type PersonRematch } from './match-person.ts';
export { listPersonKeys, type PersonKeys } from './store-match-person.ts';
export { getMatchSql, type MatchKeys, type MatchRule, matchRules, type MatchSql } from './store-match.ts';
export type { OwnerChange } from './store-rematch.ts';

/** What the room serves. */
export const services = [...ownerServices, ...listServices, ...directoryServices, forceSyncService];
