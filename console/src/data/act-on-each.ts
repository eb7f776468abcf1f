/** Doing something to each of several, of which some may be refused: what was done, and why the rest was not. */
import { errorMessage } from './act.ts';
import { isOutage, isSignedOut } from './query.ts';

/** One that was not done, and why. */
export interface NotDone<T> {
  readonly one: T;
  readonly message: string;
}

/** Those that were done, and those that were not. */
export interface Outcome<T> {
  readonly done: readonly T[];
  readonly notDone: readonly NotDone<T>[];
}

/**
 * Does it to one after the other; a refusal of one leaves the others alone. Where nobody answers or the session has ended, the rest is not tried.
 * `onNext` hears how many are behind it before each.
 */
export async function actOnEach<T>(
  all: readonly T[],
  act: (one: T) => Promise<unknown>,
  onNext: (behind: number) => void = () => undefined,
): Promise<Outcome<T>> {
  const done: T[] = [];
  const notDone: NotDone<T>[] = [];
  let against: string | undefined;
  for (const [index, one] of all.entries()) {
    if (against !== undefined) {
      notDone.push({ one, message: against });
      continue;
    }
    onNext(index);
    try {
      await act(one);
      done.push(one);
    } catch (error) {
      notDone.push({ one, message: errorMessage(error) });
      against = isOutage(error) || isSignedOut(error) ? errorMessage(error) : undefined;
    }
  }
  return { done, notDone };
}
