/** The public interface of the part merging: the rows of people of whom two are one, or one is two. */
export { holdPeople, listMergedIds, moveReports, type PersonFacts, updateFacts, updateMerged } from './store-merging.ts';
