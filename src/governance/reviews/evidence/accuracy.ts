/**
 * Age of the data that a review asks about: for each source of the apps in scope its last sync and what is wrong with it. What is held by that is
 * in timers.ts.
 */
import type { Context } from '../../../context.ts';
import { findStaleAfter } from '../../../inventory/fetches/index.ts';
import { timestamp } from '../../../wire/timestamps.ts';
import { type Accuracy, type AccuracyFlag, type ReviewRow, type SourceAccuracy, requireReview, setupAppIds } from '../record/index.ts';
import { listAllApps, listSourceStates, type SourceState } from './store-accuracy.ts';
import { listChosenApps, listSnapshotApps } from '../../snapshots/index.ts';

/** Lists faults of a source at a moment. */
function flagsOf(source: SourceState, now: Date): AccuracyFlag[] {
  const { lastDoneAt, observedFrom, lastResult, isPaused, isComplete, isHeld } = source;
  const ageMs = observedFrom === null ? 0 : now.getTime() - observedFrom.getTime();
  const isStale = ageMs > findStaleAfter({ ...source, id: source.connectorId }, now) * 1000;
  return [
    ...(isStale ? (['STALE'] as const) : []),
    ...(lastResult === 'FAILED' ? (['FAILED'] as const) : []),
    ...(isPaused ? (['PAUSED'] as const) : []),
    ...(lastDoneAt === null ? (['NEVER'] as const) : []),
    ...(isHeld ? (['HELD'] as const) : []),
    ...(isComplete ? [] : (['INCOMPLETE'] as const)),
  ];
}

function shapeSource(source: SourceState, now: Date): SourceAccuracy {
  const { connectorId, appId, displayName, appDisplayName, lastResult, rows } = source;
  return {
    connectorId,
    appId,
    displayName,
    appDisplayName,
    lastSyncAt: timestamp(source.lastSyncAt) ?? '',
    lastResult: lastResult ?? '',
    lastDoneAt: timestamp(source.lastDoneAt) ?? '',
    observedFrom: timestamp(source.observedFrom) ?? '',
    rows,
    flags: flagsOf(source, now),
  };
}

/** The accuracy of these apps now. */
async function findAccuracy(context: Context, appIds: readonly string[]): Promise<Accuracy> {
  const states = await listSourceStates(context, appIds);
  const fed = new Set(states.filter((state) => state.lastDoneAt !== null).map((state) => state.appId));
  return {
    checkedAt: context.now.toISOString(),
    supported: appIds.length > 0 && appIds.every((id) => fed.has(id)),
    sources: states.map((state) => shapeSource(state, context.now)),
  };
}

/** The sources of a snapshot that was just taken, as they are now. */
export async function findSnapshotAccuracy(context: Context, reviewId: string): Promise<Accuracy> {
  return findAccuracy(context, await listSnapshotApps(context, reviewId));
}

/** The sources of a draft as they are now: of the apps it names, else of all, since it then asks about whatever people hold. */
export async function findDraftAccuracy(context: Context, review: ReviewRow): Promise<Accuracy> {
  const named = new Set([...setupAppIds(review.document), ...(await listChosenApps(context, review.id))]);
  return findAccuracy(context, named.size > 0 ? [...named] : await listAllApps(context));
}

/** The sources with something wrong about them. */
export function flaggedSources(accuracy: Accuracy | null): readonly SourceAccuracy[] {
  return (accuracy?.sources ?? []).filter((source) => source.flags.length > 0);
}

/** A source and what is wrong with it, for messages: "payroll (STALE, PAUSED)". */
export function nameSources(sources: readonly SourceAccuracy[]): string {
  const named = sources.slice(0, 5).map(({ displayName, flags }) => `${displayName} (${flags.join(', ')})`);
  return sources.length > 5 ? `${named.join('; ')}; and ${sources.length - 5} more` : named.join('; ');
}

/** The accuracy of a review the caller reads: of its apps now, and at its snapshot where there is one. */
export async function readAccuracy(
  context: Context,
  id: string,
): Promise<{ review: ReviewRow; now: Accuracy; atSnapshot: Accuracy | null }> {
  const review = await requireReview(context, id, 'read');
  const isDraft = review.state === 'DRAFT' || review.state === 'PREPARING';
  const now = isDraft ? await findDraftAccuracy(context, review) : await findSnapshotAccuracy(context, id);
  return { review, now, atSnapshot: isDraft ? null : review.accuracy };
}
