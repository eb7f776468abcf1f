/**
 * Pages of the catalog's lists; how they are cut is in wire/page.ts.
 */
export { pageByKey, readPage } from '../../../wire/page.ts';
