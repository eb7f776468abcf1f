/**
 * Rehearsing an import: everything is done as ever, looked at, and undone. What it would do is then known exactly, the guard against removals speaks
 * without refusing, and nothing of it is recorded.
 */
import type { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { RefusedFile } from '../values/index.ts';
import type { Guard, SyncRow } from '../record/index.ts';
import { type DifferenceRow, listGrantDifferences, listPeopleDifferences } from './store-rehearsal.ts';

/** Most differences in one answer. */
const shownAtOnce = 200;

/** Outcome an import would have. */
export interface Rehearsal {
  readonly row: SyncRow;
  /** Reason the file would be refused for what it takes away; '' where it would not. */
  readonly refusal: string;
  readonly differences: readonly DifferenceRow[];
  /** Place where the next answer goes on; undefined at the end. */
  readonly nextKey: readonly string[] | undefined;
}

/** Findings, thrown so that their transaction is undone. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed';
  readonly rehearsal: Rehearsal;
  constructor(rehearsal: Rehearsal) {
    super('rehearsed');
    this.rehearsal = rehearsal;
  }
}

/** An import that is rehearsed: from where its differences are listed, and what its guard said. */
class Rehearsing {
  readonly isRehearsal = true;
  readonly #after: readonly string[] | undefined;
  #refusal = '';
  constructor(after: readonly string[] | undefined) {
    this.#after = after;
  }

  /** A guard that remembers what it would have refused. */
  guard(isAllowed: boolean): Guard {
    return {
      isAllowed,
      stop: (_trip, error: AppError) => {
        this.#refusal = error.message;
      },
    };
  }

  /** Lists what the merge has done in this transaction, and ends it. */
  async end(context: Context, row: SyncRow): Promise<never> {
    const found =
      row.kind === 'PEOPLE'
        ? await listPeopleDifferences(context, this.#after, shownAtOnce + 1)
        : await listGrantDifferences(context, row, this.#after, shownAtOnce + 1);
    const differences = found.slice(0, shownAtOnce);
    const last = found.length > shownAtOnce ? differences.at(-1) : undefined;
    throw new Rehearsed({ row, refusal: this.#refusal, differences, nextKey: last === undefined ? undefined : [last.place, last.change] });
  }
}

/** Runs a rehearsed import and returns what it would do. A file that cannot be imported whatever is allowed is refused as ever. */
export async function rehearse(
  after: readonly string[] | undefined,
  work: (rehearsing: Rehearsing) => Promise<unknown>,
): Promise<Rehearsal> {
  try {
    await work(new Rehearsing(after));
  } catch (error) {
    if (error instanceof Rehearsed) {
      return error.rehearsal;
    }
    throw error instanceof RefusedFile ? error.refusal : error;
  }
  throw new TypeError('a rehearsed import was not undone');
}
