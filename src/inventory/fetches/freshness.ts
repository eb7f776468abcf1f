/** Freshness: the data of a source are stale once the moment they are of is longer ago than the source allows. */
import type { Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { type AgedSource, type AgingSource, listAgedSources, updateStaleSince } from '../sources/index.ts';
import { findNext, scheduleIn } from './schedule.ts';

const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;
const perPage = 500;
/** Usual ages of what is not fetched: a file that somebody sends, and an identity provider. */
const sentSeconds: Readonly<Partial<Record<AgingSource['kind'], number>>> = { FILE: 7 * daySeconds, SCIM: 2 * daySeconds };

/**
 * Returns the age from which on the data of a source are too old, in seconds: what it says, else what is usual of its kind. Of what is fetched that
 * is a day, or three times the pause between two fetches.
 */
export function findStaleAfter(source: AgingSource, now: Date): number {
  const usual = source.staleAfter ?? sentSeconds[source.kind];
  if (usual !== undefined) {
    return usual;
  }
  const schedule = scheduleIn(source, 'UTC');
  const first = findNext(schedule, now);
  const second = first && findNext(schedule, first);
  const pauseMs = first === undefined || second === undefined ? 0 : second.getTime() - first.getTime();
  return Math.max(daySeconds, Math.round((3 * pauseMs) / 1000));
}

/** Looks at every source once: writes an event where one grew stale, and takes it back where it did not stay so. */
export async function lookAtAges(context: Context): Promise<void> {
  for (let behind = ''; ; ) {
    const page = await listAgedSources(context, { behind }, perPage);
    for (const source of page) {
      await lookAtAge(context, source);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < perPage) {
      return;
    }
    behind = last.id;
  }
}

/** Looks at one source, in the transaction of its sync. */
export async function lookAtAgeOf(context: Context, id: string): Promise<void> {
  for (const source of await listAgedSources(context, { id }, 1)) {
    await lookAtAge(context, source);
  }
}

async function lookAtAge(context: Context, source: AgedSource): Promise<void> {
  const { id, appId, displayName, observedFrom, staleSince } = source;
  const staleAt = new Date(observedFrom.getTime() + findStaleAfter(source, context.now) * 1000);
  if (staleAt > context.now) {
    if (staleSince !== null) {
      await updateStaleSince(context, id, null);
    }
    return;
  }
  if (staleSince === null) {
    await updateStaleSince(context, id, staleAt);
    await recordEvent(context, {
      kind: 'connector.stale',
      targetId: id,
      data: { appId, displayName, observedFrom: observedFrom.toISOString(), staleSince: staleAt.toISOString() },
    });
  }
}
