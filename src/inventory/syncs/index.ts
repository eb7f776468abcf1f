/** The public interface of imports: files of people and grants become the directory and the catalog. */
export { services } from './service.ts';
export { getLastSyncSql, listPreviousSyncs } from './reads.ts';
export { HeldByGuard, importFetched } from './import-fetched.ts';
export { evidence, findSync, listSyncsAt, type SyncRow } from './record/index.ts';
export { type OpenRows, openFetched, openRows, openSpool, type Spool, translateFileError } from './rows/index.ts';
export { syncSlot } from './slots.ts';
export { eraseSyncTexts } from './store-erase.ts';
