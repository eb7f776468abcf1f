/**
 * The record and the event of an import, and the guard against files that take too much away; the same for people and grants.
 */
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { removalShare } from './limits.ts';
import { type ImportRow, insertImport } from './store.ts';

/** Writes the record and the one event of an import; `details` goes into the event beside the counts. */
export async function recordImport(
  scope: Scope,
  done: Omit<ImportRow, 'id' | 'createdById' | 'createdAt'>,
  details: object,
): Promise<ImportRow> {
  const row: ImportRow = { ...done, id: newId(scope.now), createdById: scope.actor.userId, createdAt: scope.now };
  await insertImport(scope, row);
  const { source, appId, fileSha256, revision, rows, added, changed, removed, unchanged, warningCount } = row;
  await recordEvent(scope, {
    kind: row.kind === 'PEOPLE' ? 'people.imported' : 'grants.imported',
    targetType: 'import',
    targetId: row.id,
    data: { source, appId, fileSha256, revision, rows, added, changed, removed, unchanged, warningCount, ...details },
  });
  return row;
}

/** What a file would take away, in words: 'disable 30 of the 79 people of the source "people"'. */
export interface Removal {
  readonly verb: string;
  readonly removed: number;
  readonly total: number;
  readonly noun: string;
}

/** Refuses, with FAILED_PRECONDITION and the counts, a file that takes away more than a fifth, unless that was allowed. */
export function guardRemovals(removal: Removal, isAllowed: boolean): void {
  const { verb, removed, total, noun } = removal;
  if (isAllowed || removed * removalShare.denominator <= total * removalShare.numerator) {
    return;
  }
  const share = Math.floor((removed / total) * 1000) / 10;
  throw new AppError(
    'FAILED_PRECONDITION',
    `Nothing was imported: the file would ${verb} ${removed} of the ${total} ${noun} (${share} %), which is more than ${removalShare.numerator} %. If that is right, send it again with allow_removals=true.`,
    { violations: [{ field: 'allowRemovals', description: `would ${verb} ${removed} of ${total}` }] },
  );
}
