/**
 * Taking in a file of grants: what it says becomes who has access to what in one app, all of it or nothing.
 */
import { invalidField } from '../../errors.ts';
import { inTransaction, type Scope } from '../../scope.ts';
import { ensureApp, findRevision, takeRevision } from '../catalog/index.ts';
import { grantRows } from './grant-rows.ts';
import { analyzeFrom } from './limits.ts';
import { createNoteList, refuseRows } from './notes.ts';
import { type ReadFile, readFile, type Upload } from './read-file.ts';
import { guardRemovals, recordImport } from './record-import.ts';
import type { ImportRow } from './store.ts';
import { findUnknownOwners, insertAccountNumbers, insertAccounts, removeMissingAccounts, updateAccounts } from './store-accounts.ts';
import { insertEntitlementNumbers, insertEntitlements } from './store-entitlements.ts';
import {
  findDifference,
  type GrantDifference,
  insertGrants,
  insertPairs,
  updateCounts,
  updateGrants,
  updateMissingGrants,
  updateStatistics,
} from './store-grants.ts';
import { findContradictions, insertGrantsFile, updateSettings } from './store-staging.ts';
import { takeTurn } from './take-turn.ts';

/** What is asked for beside the file. */
export interface GrantsImport {
  /** Display name of the app. */
  readonly app: string;
  readonly allowRemovals: boolean;
}

/**
 * Imports the grants of an app, which is made where it is not there. The whole file is read before the database is touched.
 * INVALID_ARGUMENT for a bad file or row, FAILED_PRECONDITION where too many grants would end.
 */
export async function importGrants(scope: Scope, request: GrantsImport, upload: Upload): Promise<ImportRow> {
  if (request.app.trim() === '') {
    throw invalidField('app', 'names the app whose grants these are; it must not be empty');
  }
  const file = await readFile(upload, grantRows);
  let done: ImportRow;
  try {
    done = await takeTurn(() => inTransaction(scope, (inside) => mergeGrants(inside, request, file)));
  } finally {
    await file.spool.close();
  }
  if (done.added + done.changed + done.removed >= analyzeFrom && !scope.db.inTransaction) {
    await updateStatistics(scope).catch((error: unknown) =>
      scope.log.warn({ err: error }, 'the statistics could not be renewed after an import'),
    );
  }
  return done;
}

async function mergeGrants(scope: Scope, request: GrantsImport, file: ReadFile): Promise<ImportRow> {
  await updateSettings(scope);
  await insertGrantsFile(scope, file.spool);
  // Another import of the same app waits here, and goes on with what this one leaves behind.
  const app = await ensureApp(scope, request.app);

  await insertAccountNumbers(scope, app.id, file.hasProfiles);
  file.errors.addMany(await findContradictions(scope));
  const errors = file.errors.list();
  if (errors.count > 0) {
    throw refuseRows(errors);
  }
  const warnings = createNoteList();
  warnings.addMany(await findUnknownOwners(scope));

  await insertEntitlementNumbers(scope);
  await insertPairs(scope);
  const entitlements = await insertEntitlements(scope, app.id, app.appAccessId);
  // Changed ones before new ones: among the rows added just now nothing is to be looked for.
  const changed = await updateAccounts(scope, app.id);
  const accounts = { changed, removed: await removeMissingAccounts(scope, app.id), added: await insertAccounts(scope, app.id) };
  const difference = await findDifference(scope, app.id, app.appAccessId);
  const removed = difference.open - difference.matched;
  guardRemovals(
    { verb: 'end', removed, total: difference.open, noun: `grants of the app ${JSON.stringify(app.displayName)}` },
    request.allowRemovals,
  );

  const isChanged = accounts.added + accounts.changed + accounts.removed > 0 || differs(difference);
  const revision = isChanged ? await takeRevision(scope, app.id, 'IMPORT') : await findRevision(scope);
  await writeGrants(scope, app.id, revision, difference);
  await updateCounts(scope, app.id);
  const { count, first } = warnings.list();
  return recordImport(
    scope,
    {
      kind: 'GRANTS',
      source: app.displayName,
      appId: app.id,
      fileSha256: file.sha256,
      revision,
      rows: file.rowCount,
      added: difference.pairs - difference.matched,
      changed: difference.changed,
      removed,
      unchanged: difference.matched - difference.changed,
      warningCount: count,
      warnings: first,
    },
    { accounts, entitlements },
  );
}

function differs(difference: GrantDifference): boolean {
  const { pairs, open, matched, accessPairs, accessOpen, accessMatched, rowsToUpdate } = difference;
  return pairs !== matched || open !== matched || accessPairs !== accessMatched || accessOpen !== accessMatched || rowsToUpdate > 0;
}

async function writeGrants(scope: Scope, appId: string, revision: number, difference: GrantDifference): Promise<void> {
  const { pairs, open, matched, accessPairs, accessOpen, accessMatched, rowsToUpdate } = difference;
  if (open + accessOpen > matched + accessMatched) {
    await updateMissingGrants(scope, appId, revision);
  }
  if (rowsToUpdate > 0) {
    await updateGrants(scope, appId);
  }
  if (pairs + accessPairs > matched + accessMatched) {
    await insertGrants(scope, appId, revision);
  }
}
