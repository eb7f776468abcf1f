/** The public interface of the part people: what a file of people changes in the directory. */
export { findUnknownManagers, removeCircles, stageManagers } from './store-managers.ts';
export {
  type PeopleOf,
  countPeopleLosses,
  findDisputed,
  findKeptAddresses,
  getIsMissingSql,
  getKnownPeopleSql,
  getNewPeopleSql,
  listHolderFates,
  stagePersons,
} from './store-people.ts';
export { findUnclearManagers, findUnclearPeople, updateReferredManagers } from './store-references.ts';
