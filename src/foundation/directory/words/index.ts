/** The public interface of the part words: what people are called now, and were called before. */
export { listAddressHolders, listFormerWords } from './store-former.ts';
export { listFormerAddresses, listPersonWords } from './store-words.ts';
export { listNamesAt, listWordsAt, type PersonWords, type Words, wordsAt } from './words.ts';
