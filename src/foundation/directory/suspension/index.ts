/** The public interface of the part suspension: what people held when they stopped being enabled, and is not in force until it is restored. */
export { recordKeptAdministrator, recordSuspensions } from './record-suspensions.ts';
export {
  countSuspensions,
  findSuspendedDelegate,
  type ListedSuspension,
  listSuspendedPeople,
  listSuspensions,
  removeSuspendedDelegation,
  removeSuspendedWith,
  removeSuspensionsOf,
  restoreCredentials,
  restoreDelegations,
  restoreRoles,
  type SuspensionKey,
  type SuspensionKind,
} from './store-suspensions.ts';
