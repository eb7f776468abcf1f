/** The public interface of the ledger: who has what in which app, under which revision. Whoever changes that calls it. */
export { getAccountContent } from './store-account-content.ts';
export { type AccountsToWrite, applyAccounts, applyGrants, type GrantsToWrite } from './apply-difference.ts';
export {
  addAccounts,
  changeGrantEnd,
  endAccounts,
  endGrants,
  giveGrants,
  handOverAccount,
  keepAccounts,
  pushAccount,
} from './change-access.ts';
export { type AppEnd, endDelivered, endGrantsOf, endNextAccounts, endNextGrants } from './end-access.ts';
export { counts } from './counts.ts';
export { keepOwners, type OwnerChange, updateAccountProfiles, updateOwners } from './store-accounts.ts';
export type { Pair } from './store-grants.ts';
export { updateToldLinks } from './store-links.ts';
export { type PushedContent, updateAccountType, updateOwner } from './store-one-account.ts';
export type { RevisionCause } from './store-revisions.ts';
export { findRevision, holdRevision, takeRevision } from './take-revision.ts';
export { mergeAccounts } from './merge-accounts.ts';
export { mergeGrants } from './merge-grants.ts';
export {
  getMergesSql,
  getNamesMergedSql,
  getRenamedSql,
  listAccountTwins,
  type Merge,
  type TwinRow,
  updateAccountKeys,
} from './store-merge.ts';
export { eraseAccounts, listAccountTexts } from './store-erase.ts';
