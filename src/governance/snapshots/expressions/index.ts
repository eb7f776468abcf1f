/** Expressions as SQL over what the inventory and snapshots hold. */
export type { Places } from './store-translate-columns.ts';
export { getTranslationSql } from './store-translate.ts';
