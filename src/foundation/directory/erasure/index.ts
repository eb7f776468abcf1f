/** The public interface of the part erasure: the row of a person whose data is erased. */
export { erasePersonRow, listPersonTexts } from './store-erase.ts';
