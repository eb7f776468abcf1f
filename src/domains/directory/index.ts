/** The door of the directory: people, the roles they hold, and how they are shown. */
export { allRoles, findRole, isSuperAdmin, roleNames, ROLES, seesEverything, type FixedRole } from './roles.ts';
