/** The public interface of the directory: people, the roles they hold, and how they are shown. */
export { attributeSlot } from './attributes/index.ts';
export {
  getByNowSql,
  getDelegatesSql,
  getDelegatorsSql,
  getFormerAddressesSql,
  getIsIssuerGoneSql,
  getIssuedMayAnswerSql,
  getIsSuspendedSql,
  getMakersSql,
  getMergedSql,
  listDelegatorsSql,
  nameAtSql,
} from './reads.ts';
export { directorySlot } from './slots.ts';
export { createUser } from './create-user.ts';
export { getUser } from './read-users.ts';
export { roleLoader, userLoader } from './load.ts';
export { findOwnTimeZone } from './preferences/index.ts';
export { profileForms, type ProfileSubject, type ProfileType } from './attributes/index.ts';
export { findRole, isAdministrator, issuableOf, roleNames, ROLES } from './roles.ts';
export { services } from './service.ts';
export { withBasicUser } from './set-roles.ts';
export { findUser, findUserByEmail, holdPerson, listUsersByIds, type UserRow } from './store.ts';
export {
  type AttributeRow,
  countAttributes,
  findAttribute,
  findMisfits,
  insertValues,
  lockAttributes,
  lockAttributesShared,
  removeAttribute,
  updateAttribute,
} from './attributes/index.ts';
export { lockChanges, lockWatch, removeChanges, updateWatch } from './store-changes.ts';
export {
  insertPeople,
  releaseAddresses,
  removePeople,
  updateDisabledPeople,
  updatePeople,
  updateUserProfiles,
  vacateAddresses,
} from './store-people.ts';
export {
  findPrincipal,
  insertPrincipal,
  listPrincipals,
  lockPrincipal,
  type PrincipalRow,
  removePrincipal,
  updatePrincipal,
} from './store-principals.ts';
export { countActiveHolders, lockRoles, updateUserTime } from './store-roles.ts';
export { holdPeople, listMergedIds, moveReports, type PersonFacts, updateFacts, updateMerged } from './merging/index.ts';
export { shapeUser } from './view.ts';
export { erasePersonRow, listPersonTexts } from './erasure/index.ts';
export {
  listNamesAt,
  listPersonWords,
  listWordsAt,
  type PersonWords,
  type Words,
  wordsAt,
} from './words/index.ts';
export {
  countSuspensions,
  findSuspendedDelegate,
  type ListedSuspension,
  listSuspendedPeople,
  listSuspensions,
  recordKeptAdministrator,
  restoreCredentials,
  restoreDelegations,
  restoreRoles,
  type SuspensionKey,
  type SuspensionKind,
} from './suspension/index.ts';
export { listDelegationChain, lockDelegations } from './store-delegations.ts';
