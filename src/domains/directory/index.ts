/** The public interface of the directory: people, the roles they hold, and how they are shown. */
export { createUser } from './create-user.ts';
export { roleLoader, userLoader } from './load.ts';
export { findOwnTimeZone } from './preferences.ts';
export { type Permission, permissionsHeld, rolesByPermission } from './permissions.ts';
export { profileForms, type ProfileSubject, type ProfileType } from './profile-types.ts';
export { allRoles, findRole, isAdministrator, issuableOf, isSuperAdmin, roleNames, ROLES, seesEverything } from './roles.ts';
export { services } from './service.ts';
export { shapeAttribute } from './service-attributes.ts';
export { setRoles, withBasicUser } from './set-roles.ts';
export { findUser, findUserByEmail, listUsersByIds, type UserRow } from './store.ts';
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
} from './store-attributes.ts';
export { lockChanges, lockWatch, removeChanges, updateWatch } from './store-changes.ts';
export {
  analyzePeople,
  insertPeople,
  removePeople,
  updateDisabledPeople,
  updatePeople,
  updateReplacedPerson,
  updateUserProfiles,
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
export { countActiveHolders, lockRoles } from './store-roles.ts';
export { shapeUser } from './view.ts';
