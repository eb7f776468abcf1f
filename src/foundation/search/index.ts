/**
 * Text search for the modules that hold what is searched: the conditions their statements carry, and how a page is found among a hundred
 * thousand without reading them all (docs/decisions/0011-text-search.md). This module knows no table but the index of texts.
 */
export {
  containsFolded,
  containsText,
  containsTextOrIs,
  hasName,
  hasNameInAnyCase,
  hasText,
  type TextRange,
  textRange,
} from './conditions.ts';
export { listByText } from './list-by-text.ts';
export { findTextCandidates, listRenamed } from './store.ts';
export { rowsWithIds } from './store-rows.ts';
export { hasWordStarts } from './store-words.ts';
