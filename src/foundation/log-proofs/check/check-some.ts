/**
 * Checks of some events of a log while somebody waits: their leaves, their codes, and the rows that they recorded. The tree that the leaves belong
 * to, and rows that no event knows, are for the check of the whole log.
 */
import type { Context } from '../../../context.ts';
import { type EntryRow, listEntries, listKeys, listNamedEntries, listReviewEntries } from '../../audit/index.ts';
import { checkEvents, codeKeysOf, sayMisplaced } from './check-events.ts';
import { checkContradictions, checkEvidence } from './check-evidence.ts';
import { fillPlaces } from './fill-places.ts';
import { evidenceSlot } from './slots.ts';
import { type EvidenceScope, firstState } from './state.ts';

/** Findings about some events. */
export interface SomeChecked {
  /** Events and rows of evidence that were looked at. */
  readonly events: number;
  readonly rows: number;
  readonly sentences: readonly string[];
}

/** Events of one piece of a review's check. */
const pieceSize = 500;

async function checkSome(context: Context, entries: readonly EntryRow[], recorded: readonly EntryRow[]): Promise<SomeChecked> {
  const first = entries[0];
  if (first === undefined) {
    return { events: 0, rows: 0, sentences: [] };
  }
  // Behind an event with a code, each has one.
  const [before] = first.position === 0 ? [] : await listEntries(context, first.position - 1, 1);
  const state = { ...firstState, hasCodes: before !== undefined && before.mac !== null };
  const found = checkEvents(context, codeKeysOf(context, await listKeys(context)), entries, state);
  const misplaced = await sayMisplaced(context, found.state);
  const evidence = await checkEvidence(context, evidenceSlot.get(), recorded);
  return { events: entries.length, rows: evidence.rows, sentences: [...found.sentences, ...misplaced, ...evidence.sentences] };
}

/** Checks the sealed ones of these events of a task, at most a few hundred, the rows that those of `recording` recorded, and the task's outcome. */
export async function checkTaskEvents(
  context: Context,
  taskId: string,
  eventIds: readonly string[],
  recording: ReadonlySet<string>,
): Promise<SomeChecked> {
  const entries: EntryRow[] = [];
  for (const entry of await listNamedEntries(context, eventIds, [])) {
    entries.push(...(await fillPlaces(context, [entry])));
  }
  const recorded = entries.filter(({ eventId }) => recording.has(eventId));
  return withContradictions(context, await checkSome(context, entries, recorded), { taskId });
}

/**
 * Checks a review's events from a position on, and the rows that they recorded; with the last of them the outcomes of its tasks. `next` is the position to go on at, undefined at the end.
 * Reads what the review has.
 */
export async function checkReviewEvents(
  context: Context,
  reviewId: string,
  from: number,
): Promise<SomeChecked & { readonly next: number | undefined }> {
  const entries = await fillPlaces(context, await listReviewEntries(context, reviewId, from, pieceSize));
  const last = entries.length < pieceSize ? undefined : entries.at(-1);
  const found = await checkSome(context, entries, entries);
  return last === undefined
    ? { ...(await withContradictions(context, found, { reviewId })), next: undefined }
    : { ...found, next: last.position + 1 };
}

async function withContradictions(context: Context, found: SomeChecked, only: EvidenceScope): Promise<SomeChecked> {
  return { ...found, sentences: [...found.sentences, ...(await checkContradictions(context, evidenceSlot.get(), only))] };
}
