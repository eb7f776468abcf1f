/** Rehearsing a merge or a split: everything is done as ever, looked at, and undone. So what it says is what would be. */
import { type Context, inTransaction } from '../../context.ts';
import type { Outcome } from './parts.ts';

/** An outcome, thrown so that its transaction is undone. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed';
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('rehearsed');
    this.outcome = outcome;
  }
}

/** Runs an act in one transaction and returns its outcome; a rehearsed one is undone. */
export async function actOrRehearse(context: Context, isRehearsal: boolean, act: (context: Context) => Promise<Outcome>): Promise<Outcome> {
  try {
    return await inTransaction(context, async (inside) => {
      const outcome = await act(inside);
      if (isRehearsal) {
        throw new Rehearsed(outcome);
      }
      return outcome;
    });
  } catch (error) {
    if (error instanceof Rehearsed) {
      return error.outcome;
    }
    throw error;
  }
}
