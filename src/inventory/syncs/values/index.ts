/** The public interface of the part values: cells of files: columns by name, times, words for states. */
export { canBeEndName, isEndName, isExitName, isOver } from './end-dates.ts';
export {
  type Complain,
  escapeCopy,
  isWrittenTime,
  quote,
  readEmail,
  readKey,
  readMadeTime,
  readProfile,
  readText,
  readTime,
  readWord,
} from './fields.ts';
export { type FileValues, type MadeCell, createFileValues } from './file-values.ts';
export { alwaysAnalyzeFrom, analyzeFrom, fileLimits, maxNotesTold } from './limits.ts';
export {
  type DateOrder,
  type Mapping,
  type Mappings,
  type Places,
  type Split,
  type WantedColumns,
  type WordKind,
  anyValue,
  columnsIn,
  ignoredIn,
  isColumnEntry,
  entryKey,
  mappingOptions,
  maxNameLength,
  columnPlaces,
  readSplit,
  settingsIn,
  splitCell,
  valuesIn,
  maxHeaderLine,
  readHeaderLine,
} from './mapping.ts';
export { type NoteList, RefusedFile, createNoteList, refuseFile, refuseRows } from './notes.ts';
export { isSurelyNothing } from './empty-words.ts';
export { type CellRule, type FoundFault, noteFaults, createOddCellReader, strictestRules, useOfColumn } from './odd-cells.ts';
export { readOtherTime } from './times.ts';
export {
  type CountedNoteRow,
  type CountedNotes,
  type FileFacts,
  type Findings,
  type HowRead,
  type KindCounts,
  type RowNote,
  collectNotes,
} from './types.ts';
export { wordMeaning, oppositeWord, senseOfName, knownWords } from './value-words.ts';
