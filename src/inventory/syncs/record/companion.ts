/** Somebody who accompanies an import: a dry run, or a fetch whose rows are imported. */
import type { Context } from '../../../context.ts';
import type { Guard } from './guard.ts';
import type { SyncRow } from './store.ts';

/** Deeds of a companion at the guard, and at the end of the import in its transaction; a dry run throws there, so that all is undone. */
export interface Companion {
  /** True if nothing of the import is to stay, its refusal neither. */
  readonly isRehearsal: boolean;
  guard(isAllowed: boolean): Guard;
  end(context: Context, row: SyncRow): Promise<void>;
}
