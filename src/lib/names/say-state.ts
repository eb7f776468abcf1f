/** States in sentences for people. */

/** Returns a state as words: a reader of "The removal is IN_PROGRESS" meets a name of the API. */
export function sayState(state: string): string {
  return state.toLowerCase().replaceAll('_', ' ');
}
