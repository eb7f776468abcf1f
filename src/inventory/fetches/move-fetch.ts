/** Changing the state of a fetch: by the table of states alone. */
import type { Context } from '../../context.ts';
import { countEnd } from './count-ends.ts';
import { type FetchState, isFinal, statesBefore } from './states.ts';
import { type FetchFacts, updateState } from './store.ts';

/**
 * Gives a fetch its next state; false, and nothing changed, where it has none that this one may follow, or where `token` is not the lease it is worked on
 * under.
 */
export async function moveFetch(context: Context, id: string, state: FetchState, facts: FetchFacts = {}, token?: string): Promise<boolean> {
  const kind = await updateState(context, { id, state, from: statesBefore(state), facts, token });
  if (kind !== undefined && (state === 'HELD' || isFinal(state))) {
    countEnd(kind, state);
  }
  return kind !== undefined;
}
