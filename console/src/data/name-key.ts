/** Names compared as the server does: two are the same where their keys are, and a search finds what it finds there. */
export { askedWords } from '../../../src/lib/names/asked-words.ts';
export { getNameKey } from '../../../src/lib/names/same-name.ts';
export { foldForSearch, searchWords } from '../../../src/lib/names/search-fold.ts';
