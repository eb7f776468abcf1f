/** Time of the data of an import: since when they hold, and whether they are whole. */
import { invalidField } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import type { Upload } from '../rows/index.ts';
import { type CountedNotes, maxNotesTold } from '../values/index.ts';
import type { SyncRow } from './store.ts';

/** Time of the data of an import. */
export interface Observed {
  readonly record: Pick<SyncRow, 'observedFrom' | 'isComplete' | 'incompleteReason' | 'fetchId'>;
  /** Sentences of a fetch, as notes of no line. */
  readonly warnings: CountedNotes;
}

/**
 * Returns what tells of the rows of an upload, to be asked once they were read: they are of the beginning of the import, or of before, where the
 * request or the fetch says so. INVALID_ARGUMENT for a moment in the future.
 */
export function observe({ now }: Context, asked: Date | undefined, upload: Upload): () => Observed {
  if (asked !== undefined && asked > now) {
    throw invalidField('observedFrom', 'is in the future');
  }
  if (upload.body !== undefined) {
    const record = { observedFrom: asked ?? now, isComplete: true, incompleteReason: '', fetchId: null };
    return () => ({ record, warnings: { count: 0, notes: [] } });
  }
  return () => {
    const { observedFrom, incompleteReason, warnings } = upload.facts();
    const notes = warnings.slice(0, maxNotesTold).map((reason) => ({ line: 0, column: '', reason }));
    const isComplete = incompleteReason === '';
    const earliest = observedFrom < now ? observedFrom : now;
    return {
      record: { observedFrom: earliest, isComplete, incompleteReason, fetchId: upload.fetchId || null },
      warnings: { count: notes.length, notes },
    };
  };
}
