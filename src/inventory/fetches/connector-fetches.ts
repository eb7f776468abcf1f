/**
 * Fetches that a connector carries out: it is handed one that waits, uploads what it found, and whoever received that imports it. Its lease is the
 * task of the connector, so nothing of the queue is waited in.
 */
import { type Context, inTransaction } from '../../context.ts';
import { findFetchSource } from '../sources/index.ts';
import { endFailed } from './end-fetch.ts';
import type { SpooledContent } from './content-spool.ts';
import type { FoundContents } from './fetchers/index.ts';
import { explain, importOrHold, takeContents } from './run-fetch.ts';
import { moveFetch } from './move-fetch.ts';
import { type FetchRow, findFetch, findUnderWay, updateFacts } from './store.ts';

/** Returns the fetch of a source that is under way. */
export function findFetchUnderWay(context: Context, sourceId: string): Promise<FetchRow | undefined> {
  return findUnderWay(context, sourceId);
}

/** Hands a fetch to a connector under this lease, also one whose holder fell silent; false where it has ended. */
export async function handOutFetch(context: Context, id: string, lease: string): Promise<boolean> {
  const fetch = await findFetch(context, id);
  if (fetch?.state === 'RUNNING' || fetch?.state === 'READING') {
    await moveFetch(context, id, 'WAITING');
  }
  return moveFetch(context, id, 'RUNNING', { leaseToken: lease });
}

/** True if a fetch is still held under this lease. */
export async function isHandedOut(context: Context, id: string, lease: string): Promise<boolean> {
  const fetch = await findFetch(context, id);
  return fetch !== undefined && fetch.leaseToken === lease && (fetch.state === 'RUNNING' || fetch.state === 'READING');
}

/** Ends a fetch that its connector could not carry out; another follows after a pause. */
export function failFetch(context: Context, id: string, lease: string, message: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const fetch = await findFetch(inside, id);
    const source = fetch && (await findFetchSource(inside, fetch.sourceId));
    if (fetch !== undefined && source !== undefined) {
      await endFailed(inside, fetch, source, { message, retry: 'again', retryAfterSeconds: 0 }, lease);
    }
  });
}

/** Takes down that everything is here; false where the fetch is no longer held under this lease. */
export function beginFetchReading(context: Context, id: string, lease: string): Promise<boolean> {
  return moveFetch(context, id, 'READING', {}, lease);
}

/** Content that a connector brought. */
export interface Brought {
  readonly id: string;
  readonly lease: string;
  /** Opens it; throws as fetchers do, or as a file that cannot be read. */
  open(): Promise<FoundContents>;
  readonly signal: AbortSignal;
  readonly clock: () => Date;
}

/** Imports what a connector brought, or holds it, and ends the fetch. Returns why it failed; '' where it did not. */
export async function importBrought(context: Context, { id, lease, open, signal, clock }: Brought): Promise<string> {
  const fetch = await findFetch(context, id);
  const source = fetch && (await findFetchSource(context, fetch.sourceId));
  if (fetch === undefined || source === undefined) {
    return 'The source was deleted.';
  }
  const spools: SpooledContent[] = [];
  try {
    const found = await open();
    const taken = await takeContents(found, spools, signal);
    const reading = { ...context, now: clock() };
    if (await updateFacts(reading, id, { ...taken.facts, mark: found.mark }, lease)) {
      await importOrHold(reading, { fetch, source, token: lease }, taken, signal);
    }
    return '';
  } catch (error) {
    signal.throwIfAborted();
    const failure = explain(context, error);
    await inTransaction({ ...context, now: clock() }, (inside) => endFailed(inside, fetch, source, failure, lease));
    return failure.message;
  } finally {
    await Promise.all(spools.map(({ spool }) => spool.close()));
  }
}
