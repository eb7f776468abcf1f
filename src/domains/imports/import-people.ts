/**
 * Taking in a file of people: what it says becomes the directory of its source, all of it or nothing.
 */
import { invalidField } from '../../errors.ts';
import { inTransaction, type Scope } from '../../scope.ts';
import { lockRoles, ROLES } from '../directory/index.ts';
import { analyzeFrom } from './limits.ts';
import { createNoteList, type NoteList, refuseRows } from './notes.ts';
import { peopleRows } from './people-rows.ts';
import { type ReadFile, readFile, type Upload } from './read-file.ts';
import { guardRemovals, recordImport } from './record-import.ts';
import type { ImportRow } from './store.ts';
import { removeCircles, findUnknownManagers, updateManagers } from './store-managers.ts';
import {
  countPeopleLosses,
  insertPeople,
  insertPersons,
  listHolderFates,
  updateMissingPeople,
  updatePeople,
  updatePeopleStatistics,
} from './store-people.ts';
import { findRepeatedPeople, insertPeopleFile, lockImports, updateSettings } from './store-staging.ts';
import { takeTurn } from './take-turn.ts';

/** What is asked for beside the file. */
export interface PeopleImport {
  /** Where the people come from; `people` where it is ''. */
  readonly source: string;
  readonly allowRemovals: boolean;
}

const maxNameLength = 200;

/**
 * Imports people. The whole file is read before the database is touched. INVALID_ARGUMENT for a bad file or row, FAILED_PRECONDITION
 * where too many people would be disabled.
 */
export async function importPeople(scope: Scope, request: PeopleImport, upload: Upload): Promise<ImportRow> {
  const source = request.source.trim() || 'people';
  if (source.length > maxNameLength) {
    throw invalidField('source', `must not be longer than ${maxNameLength} characters`);
  }
  const file = await readFile(upload, peopleRows);
  let done: ImportRow;
  try {
    done = await takeTurn(() => inTransaction(scope, (inside) => mergePeople(inside, source, request.allowRemovals, file)));
  } finally {
    await file.spool.close();
  }
  if (done.added + done.changed + done.removed >= analyzeFrom && !scope.db.inTransaction) {
    await updatePeopleStatistics(scope).catch((error: unknown) =>
      scope.log.warn({ err: error }, 'the statistics could not be renewed after an import'),
    );
  }
  return done;
}

async function mergePeople(scope: Scope, source: string, allowRemovals: boolean, file: ReadFile): Promise<ImportRow> {
  await updateSettings(scope);
  await insertPeopleFile(scope, file.spool);
  file.errors.addMany(await findRepeatedPeople(scope));
  const errors = file.errors.list();
  if (errors.count > 0) {
    throw refuseRows(errors);
  }
  // Two sources may tell of the same person: one import of people at a time.
  await lockImports(scope, 'people');
  await lockRoles(scope);

  const warnings = createNoteList();
  await insertPersons(scope);
  await updateManagers(scope);
  warnings.addMany(await findUnknownManagers(scope));
  warnings.addMany(await removeCircles(scope));

  const keptId = await keepLastAdministrator(scope, source, warnings);
  const losses = await countPeopleLosses(scope, source, keptId);
  guardRemovals(
    { verb: 'disable', removed: losses.disabled, total: losses.people, noun: `people of the source ${JSON.stringify(source)}` },
    allowRemovals,
  );

  const changed = await updatePeople(scope, source, keptId);
  const removed = await updateMissingPeople(scope, source, keptId);
  const added = await insertPeople(scope, source);
  const { count, first } = warnings.list();
  return recordImport(
    scope,
    {
      kind: 'PEOPLE',
      source,
      appId: '',
      fileSha256: file.sha256,
      revision: null,
      rows: file.rowCount,
      added,
      changed,
      removed,
      unchanged: file.rowCount - added - changed,
      warningCount: count,
      warnings: first,
    },
    { disabled: losses.disabled },
  );
}

/**
 * The Super Administrator who stays enabled although the file says otherwise, because nobody else would be left: the one who was there
 * first. '' where none is needed.
 */
async function keepLastAdministrator(scope: Scope, source: string, warnings: NoteList): Promise<string> {
  const holders = await listHolderFates(scope, source, ROLES.SUPER_ADMINISTRATOR.id);
  const kept = holders[0];
  if (kept === undefined || holders.some((holder) => holder.stays)) {
    return '';
  }
  warnings.add({
    line: kept.line ?? 1,
    column: kept.line === null ? 'email' : 'employment_status',
    reason: `${kept.email} is the last Super Administrator and stays enabled${kept.line === null ? ', though no row is theirs' : ''}`,
  });
  return kept.id;
}
