/** The public interface of the part people: what a file of people changes in the directory. */
export { findUnknownManagers, removeCircles, stageManagers } from './store-managers.ts';
export {
  type PeopleOf,
  countPeopleLosses,
  findDisputed,
  endHalfEnded,
  findKeptAddresses,
  getIsMissingSql,
  getKnownPeopleSql,
  getNewPeopleSql,
  listHolderFates,
  stagePersons,
} from './store-people.ts';
export { findUnclearManagers, findUnclearPeople, freeAddressesOfEnded, updateReferredManagers } from './store-references.ts';
