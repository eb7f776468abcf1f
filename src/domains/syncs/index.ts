/** The public interface of imports: files of people and grants become the directory and the catalog. */
export { importGrants } from './import-grants.ts';
export { importPeople } from './import-people.ts';
export type { Upload } from './upload.ts';
export { services } from './service.ts';
export type { SyncRow } from './store.ts';
