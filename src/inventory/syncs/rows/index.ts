/** The public interface of the part rows: files read as rows, and kept until their turn comes. */
export { openFetched } from './fetched-rows.ts';
export { openSentC1z } from './c1z-rows.ts';
export { grantRows, shownColumns } from './grant-rows.ts';
export { type OpenRows, type RowBatch, openRows, translateFileError } from './open-rows.ts';
export { nextBatch, takeHead } from './head.ts';
export { peopleRows } from './people-rows.ts';
export { type ReadFile, readFile } from './read-file.ts';
export { createRowSieve } from './row-sieve.ts';
export { openSpool, type Spool } from './spool.ts';
export { type Faults, groupFaults } from './table-reader.ts';
export { type SentFile, type Upload, expectUpload } from './upload.ts';
