/** A check of a whole log, or of a part of it: piece by piece, so that a job can stop between two, and to the end for whoever waits. */
import type { Context } from '../../../context.ts';
import { type EpochRow, listEntries, listEpochs, listEventsWithoutLeaf, listKeys, sealLog } from '../../audit/index.ts';
import { findFrontier } from '../tree/index.ts';
import { checkEvents, codeKeysOf, sayMisplaced } from './check-events.ts';
import { checkEvidence, checkRest } from './check-evidence.ts';
import { checkHead, checkTree } from './check-tree.ts';
import { fillPlaces } from './fill-places.ts';
import { evidenceSlot } from './slots.ts';
import { checkBeginning } from './check-epoch.ts';
import { type CheckState, firstState, type OutsideCheckpoint, withFindings } from './state.ts';

/** Things that a check looks at beside the log itself. */
interface CheckScope {
  readonly outside: readonly OutsideCheckpoint[];
}

/** Entries of one piece. */
const pieceSize = 2_000;
const maxUnplaced = 100;
/** Time for the seal at the end of a check. */
const sealMs = 60_000;

/** A check from a position on; the tree before it is taken as it is stored, and what comes later still has to lead to the checkpoints. */
export async function beginCheck(context: Context, since: number): Promise<CheckState> {
  const epochs = await listEpochs(context);
  const epoch = epochs.findLast(({ base }) => base <= since) ?? epochs[0];
  if (epoch === undefined) {
    return firstState;
  }
  const size = Math.min(Math.max(0, since - epoch.base), epoch.size);
  const frontier = size === 0 ? [] : await findFrontier(context, epoch, size);
  return {
    ...firstState,
    epoch: epoch.epoch,
    next: epoch.base + size,
    size,
    goodSize: size,
    frontier: Buffer.concat(frontier).toString('base64'),
    // Behind an event with a code, each has one.
    hasCodes: size > 0 && (await listEntries(context, epoch.base + size - 1, 1)).some(({ mac }) => mac !== null),
  };
}

/** Goes on by one piece; undefined where there is nothing left but the end (`endCheck`). */
export async function continueCheck(context: Context, scope: CheckScope, state: CheckState): Promise<CheckState | undefined> {
  const epochs = await listEpochs(context);
  const epoch = epochs.find((one) => one.epoch === state.epoch);
  if (epoch === undefined) {
    return undefined;
  }
  const rows = (await listEntries(context, state.next, pieceSize)).filter(
    ({ position }) => position < (epochs.find((one) => one.epoch === epoch.epoch + 1)?.base ?? Number.MAX_SAFE_INTEGER),
  );
  if (rows.length === 0) {
    const ended = withFindings(state, await checkHead(context, epoch, scope.outside, state));
    const next = epochs.find((one) => one.epoch === epoch.epoch + 1);
    return next === undefined
      ? { ...ended, epoch: -1 }
      : withFindings(
          { ...ended, epoch: next.epoch, next: next.base, size: 0, frontier: '', goodSize: 0, isTreeBroken: false },
          await checkBeginning(context, epoch, next),
        );
  }
  return checkPiece(context, epoch, scope, state, await fillPlaces(context, rows));
}

async function checkPiece(
  context: Context,
  epoch: EpochRow,
  scope: CheckScope,
  state: CheckState,
  rows: Awaited<ReturnType<typeof listEntries>>,
): Promise<CheckState> {
  const keys = await listKeys(context);
  const gaps = findGaps(state.next, rows);
  const events = checkEvents(context, codeKeysOf(context, keys), rows, state);
  const tree = await checkTree(context, epoch, keys, rows, scope.outside, events.state);
  const evidence = await checkEvidence(context, evidenceSlot.get(), rows);
  const next = (rows.at(-1)?.position ?? state.next) + 1;
  return withFindings({ ...tree.state, next, rows: tree.state.rows + evidence.rows }, [
    ...gaps,
    ...events.sentences,
    ...tree.sentences,
    ...evidence.sentences,
  ]);
}

function findGaps(next: number, rows: readonly { readonly position: number }[]): string[] {
  return rows.flatMap(({ position }, at) => {
    const wanted = at === 0 ? next : (rows[at - 1]?.position ?? 0) + 1;
    return position === wanted ? [] : [`Positions ${wanted}..${position - 1}: their leaves are gone.`];
  });
}

/** The end of a check: what is out of place, rows and events that belong nowhere. */
export async function endCheck(context: Context, state: CheckState): Promise<CheckState> {
  const unplaced = context.db.inTransaction ? [] : await findUnplaced(context);
  return withFindings(state, [
    ...(await sayMisplaced(context, state)),
    ...unplaced.map(({ id }) => `Event ${id} has no position, although everything is sealed.`),
    ...(await checkRest(context, evidenceSlot.get())),
  ]);
}

/**
 * Events that no seal takes although they were committed. Others go on writing while a check runs: what has no leaf yet counts only if it has
 * none after another seal either, and that one came to its end.
 */
async function findUnplaced(context: Context): Promise<{ readonly id: string }[]> {
  const first = await listEventsWithoutLeaf(context, maxUnplaced);
  if (first.length === 0 || (await sealLog(context, { forMs: sealMs, waitsForLock: true })) !== 'sealed') {
    return [];
  }
  const still = new Set((await listEventsWithoutLeaf(context, maxUnplaced)).map(({ id }) => id));
  return first.filter(({ id }) => still.has(id));
}

/** A whole check, from a position on. */
export async function checkLog(context: Context, scope: CheckScope, since = 0): Promise<CheckState> {
  let state = await beginCheck(context, since);
  for (let next: CheckState | undefined = state; next !== undefined; next = await continueCheck(context, scope, state)) {
    state = next;
  }
  return endCheck(context, state);
}
