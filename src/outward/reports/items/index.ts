/** The public interface of the part items: what a report tells of each item of a review, and the files that are text. */
export { defaultColumns, findColumn } from './columns.ts';
export { describeEnd, describeOutcome, type FlagsOf, identify, personAt } from './item-history.ts';
export { columnsNamed, listPeople, readItems, rowsPerPiece, tellsEmployeeIds } from './read-items.ts';
export { accountNameSql, ownerNameSql } from './store-items.ts';
export { besides, rowWriters } from './write-rows.ts';
