/** The public interface of the module authority: who may do what, and what they see of it. */
export { type Act, type Demand, requireAct, requireSession } from './acts.ts';
export {
  eventActorKind,
  hasActed,
  hasRole,
  isBehind,
  isBySession,
  isIssuedSession,
  isServicePrincipal,
  isSource,
  isSuperAdmin,
  isSystem,
  isThemselves,
  peopleBehind,
  rolesHeld,
  seesEverything,
} from './actors.ts';
export { refuseAnswer } from './answer.ts';
export { findDoor } from './doors.ts';
export { holds, type Permission, permissionsHeld, rolePermissions, rolesByPermission } from './permissions.ts';
export {
  asSeen,
  seesAccountWhole,
  seesAppWhole,
  seesInventory,
  seesPersonWhole,
  seesPoliciesWhole,
  type Sight,
} from './sight.ts';
