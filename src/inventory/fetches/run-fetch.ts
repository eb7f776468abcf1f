/**
 * A fetch as an effect of the queue, which keeps its lease: the other system is asked, what it holds is read to its end, and only then imported. The sync
 * and the end of the fetch are one transaction, so that whoever is killed when, there is one sync.
 */
import { type Context, inTransaction } from '../../context.ts';
import { type AppError, isAppError } from '../../errors.ts';
import type { Effect, EffectKind, Lease, Outcome, Receipt } from '../../jobs/index.ts';
import { type FaultKind, FetchFault } from '../../lib/tables/fetch-fault.ts';
import { isDirectoryApp } from '../identity/index.ts';
import { findTenantHost, hostNameOf } from '../../foundation/tenants/index.ts';
import { type FetchSource, findFetchSource, openSecrets } from '../sources/index.ts';
import { HeldByGuard, translateFileError } from '../syncs/index.ts';
import { spoolContent, type SpooledContent } from './content-spool.ts';
import { endFailed, type Failure, recordRecovery } from './end-fetch.ts';
import { type Asked, type FoundContents, type Fetcher, findFetcher, type Installation } from './fetchers/index.ts';
import { holdFetch } from './hold.ts';
import { importContents, type Ours, type Taken } from './import-contents.ts';
import { maxRuns } from './states.ts';
import { moveFetch } from './move-fetch.ts';
import { type FetchRow, findFetch, findNewest } from './store.ts';

/** Longest time of one fetch. */
const timeLimitMs = 6 * 3_600_000;
const atOnce = { inProcess: 4, ofTenant: 2 } as const;

/** Fetch that ended without a failure, or how it failed; the queue keeps it as the receipt. */
type Ended = { readonly failure?: Failure };

/** Somebody else works on the fetch, or nobody wants it any more. */
class NotOurs extends Error {
  override readonly name = 'NotOurs';
}

/** The effect of fetching. */
export function createFetchEffect(installation: Installation, clock: () => Date): EffectKind {
  return {
    maxAttempts: maxRuns,
    timeLimitMs,
    concurrency: atOnce.inProcess,
    tenantConcurrency: atOnce.ofTenant,
    open: (context, lease) => openFetch(context, lease, installation, clock),
  };
}

async function openFetch(context: Context, lease: Lease, installation: Installation, clock: () => Date): Promise<Effect | undefined> {
  const fetch = await findFetch(context, lease.id);
  const source = fetch && (await findFetchSource(context, fetch.sourceId));
  const open = source && findFetcher(source.kind)?.open;
  if (fetch === undefined || source === undefined || open === undefined) {
    return undefined;
  }
  if (fetch.state === 'RUNNING' || fetch.state === 'READING') {
    // Whoever worked on it is silent.
    await moveFetch(context, fetch.id, 'WAITING');
  }
  if (source.deletedAt !== null || source.pausedAt !== null) {
    await moveFetch(context, fetch.id, 'SKIPPED', { error: `The source is ${source.deletedAt === null ? 'paused' : 'deleted'}.` });
    return undefined;
  }
  if (!(await moveFetch(context, fetch.id, 'RUNNING', { leaseToken: lease.token }))) {
    return undefined;
  }
  return {
    lastError: fetch.error,
    async attempt(running, signal) {
      return (await tryFetch({ ...running, now: clock() }, { fetch, source, open, lease, installation, clock, signal })) as Receipt;
    },
    record: (ending, outcome) => recordOutcome(ending, fetch, source, lease, outcome),
  };
}

interface Run {
  readonly fetch: FetchRow;
  readonly source: FetchSource;
  readonly open: NonNullable<Fetcher['open']>;
  readonly lease: Lease;
  readonly installation: Installation;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
}

/** Whatever fails is the outcome of the fetch; a retry is another fetch. Only what cuts it off is thrown. */
async function tryFetch(context: Context, run: Run): Promise<Ended> {
  try {
    await runFetch(context, run);
    return {};
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof NotOurs) {
      return {};
    }
    return { failure: explain(context, error) };
  }
}

/** Errors that another try will meet again. */
const certain: readonly string[] = [
  'INVALID_ARGUMENT',
  'FAILED_PRECONDITION',
  'PERMISSION_DENIED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** Tries that follow a fault of a fetcher. */
const retries: Readonly<Record<FaultKind, Failure['retry']>> = { SETTINGS: 'never', REFUSED: 'never', HALF: 'once', UNREACHED: 'again' };

/** Returns the failure that an error is. */
export function explain(context: Context, thrown: unknown): Failure {
  const error = translateFileError(thrown);
  if (error instanceof FetchFault) {
    context.log.warn({ err: error }, 'a fetch failed');
    return { message: error.message, retry: retries[error.kind], retryAfterSeconds: error.retryAfterSeconds };
  }
  if (!isAppError(error) || error.code === 'INTERNAL') {
    context.log.error({ err: error }, 'a fetch failed on our side');
    return { message: 'Something went wrong on our side.', retry: 'again', retryAfterSeconds: 0 };
  }
  context.log.warn({ err: error, detail: error.detail }, 'a fetch failed');
  const retry = certain.includes(error.code) ? 'never' : error.code === 'CONFLICT' ? 'once' : 'again';
  return { message: error.message, retry, retryAfterSeconds: error.retryAfterSeconds ?? 0 };
}

/** Mark of what was taken last, or discarded: the same is not held again. '' where the source was changed since, so that it is read anew. */
async function findLastMark(context: Context, source: FetchSource): Promise<string> {
  const last = await findNewest(context, source.id, ['DONE', 'HELD', 'DISCARDED']);
  return last !== undefined && last.startedAt !== null && source.updatedAt < last.startedAt ? last.mark : '';
}

async function runFetch(context: Context, run: Run): Promise<void> {
  const { fetch, source, open, lease, installation, clock, signal } = run;
  const host = hostNameOf((await findTenantHost(context.db, context.tenantId)) ?? '');
  const lastMark = await findLastMark(context, source);
  const { '@type': _type, ...settings } = source.config ?? {};
  const readSecrets = () => openSecrets(context, source.id);
  const secrets = await readSecrets();
  const isDirectory = await isDirectoryApp(context, source.appId);
  const { zone } = source;
  const about = { settings, secrets, readSecrets, installation, isDirectory, host, lastMark, zone };
  const asked: Asked = { ...about, clock, signal };
  const found = await open(asked);
  if ('isUnchanged' in found) {
    return await endUnchanged(context, run);
  }
  const spools: SpooledContent[] = [];
  try {
    const taken = await takeContents(found, spools, signal);
    if (taken.isUnchanged) {
      return await endUnchanged(context, run);
    }
    const reading = { ...context, now: clock() };
    await claim(moveFetch(reading, fetch.id, 'READING', { ...taken.facts, mark: found.mark }, lease.token));
    await importOrHold(reading, { fetch, source, token: lease.token }, taken, signal);
  } finally {
    await Promise.all([found.close?.(), ...spools.map(({ spool }) => spool.close())]);
  }
}

/** Ends a fetch that found what was taken before: the other system answered, so it has recovered. */
function endUnchanged(context: Context, { fetch, source, lease }: Run): Promise<void> {
  return inTransaction(context, async (inside) => {
    await claim(moveFetch(inside, fetch.id, 'UNCHANGED', {}, lease.token));
    await recordRecovery(inside, fetch, source);
  });
}

async function claim(moved: Promise<boolean>): Promise<void> {
  if (!(await moved)) {
    throw new NotOurs('the fetch is not ours any more');
  }
}

/** Reads contents to their ends, into spools that the caller closes. */
export async function takeContents(found: FoundContents, spools: SpooledContent[], signal: AbortSignal): Promise<Taken> {
  for (const content of found.contents) {
    spools.push(await spoolContent(content, signal));
  }
  const { observedFrom, incompleteReason, warnings, rows, isUnchanged = false } = await found.facts();
  const bytes = spools.reduce((sum, { spool }) => sum + spool.size(), 0);
  return { contents: spools, facts: { observedFrom, incompleteReason, warnings: warnings.slice(0, 100), bytes }, rows, isUnchanged };
}

/** Imports what was taken, or holds it where a guard stops it. */
export async function importOrHold(context: Context, ours: Ours, taken: Taken, signal: AbortSignal): Promise<void> {
  try {
    await importContents(context, ours, taken, { isConfirmed: false, signal });
  } catch (error) {
    if (!(error instanceof HeldByGuard)) {
      throw error;
    }
    await holdFetch(context, ours, taken, error.message);
  }
}

async function recordOutcome(context: Context, fetch: FetchRow, source: FetchSource, lease: Lease, outcome: Outcome): Promise<void> {
  switch (outcome.action) {
    case 'succeed': {
      const { failure } = outcome.receipt as Ended;
      if (failure !== undefined) {
        await endFailed(context, fetch, source, failure, lease.token);
      }
      return;
    }
    case 'fail':
      if (outcome.attempts < lease.attempts) {
        // This process stops: another goes on.
        await moveFetch(context, fetch.id, 'WAITING', {}, lease.token);
      } else {
        await endFailed(context, fetch, source, { message: outcome.error, retry: 'again', retryAfterSeconds: 0 }, lease.token);
      }
      return;
    case 'give-up':
      await endFailed(context, fetch, source, { message: giveUpMessage(outcome.error), retry: 'again', retryAfterSeconds: 0 }, undefined);
  }
}

function giveUpMessage(error: AppError): string {
  return error.message === '' ? `The service ended during each of ${maxRuns} tries.` : error.message;
}
