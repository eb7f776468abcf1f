/**
 * The job that tells those who look after a source what is wrong with it: at once, and again each day for as long as it lasts. Its subject is the
 * source; one that is paused or deleted is left alone. Where mail is not configured nothing is written down, and it goes on looking.
 */
import type { Context } from '../../context.ts';
import { callAgain, type JobKind } from '../../jobs/index.ts';
import { listConnectorCredentials } from '../../foundation/credentials/index.ts';
import { listTroubles, toldAfterFailures, type Trouble } from '../../inventory/fetches/index.ts';
import { batchAt, type IsConfigured, listNews } from './notice-jobs.ts';
import { callNotify, insertNoticesForSource, listLastTold, type SourceKind } from './notices/index.ts';

/** The kind of job. */
export const sourceJobKind = 'mail.source';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Pause between two looks at credentials, which end a day after the next one is used. */
const credentialsMs = 12 * hourMs;
const unusedMs = 90 * dayMs;
const endsWithinMs = 30 * dayMs;

/** Kinds that are said again each day, and whether a source is so now. */
export const lastingTroubles: Readonly<Partial<Record<SourceKind, (trouble: Trouble) => boolean>>> = {
  SOURCE_FAILING: ({ failures }) => failures >= toldAfterFailures,
  SOURCE_HELD: ({ heldReason }) => heldReason !== null,
  SOURCE_STALE: ({ staleSince }) => staleSince !== null,
};

/** The notices of a source that are new, and when it is looked at again. */
interface Looked {
  readonly added: number;
  readonly next: Date | undefined;
}

/** Creates the job. */
export function createSourceJob(isConfigured: IsConfigured): JobKind {
  return {
    // Giving up would silently leave people without their mails.
    maxAttempts: Number.MAX_SAFE_INTEGER,
    async handler(context, { subjectId }) {
      const [trouble] = await listTroubles(context, [subjectId]);
      if (trouble === undefined) {
        return 'finished';
      }
      const isOn = await isConfigured(context);
      const dueAt = batchAt(context.now);
      const lasting = await tellTroubles(context, trouble, dueAt, isOn);
      const credentials = await tellCredentials(context, subjectId, dueAt, isOn);
      const recovered = isOn ? await tellRecovered(context, subjectId, dueAt) : 0;
      if (lasting.added + credentials.added + recovered > 0) {
        await callNotify(context, dueAt);
      }
      const [next] = [lasting.next, credentials.next]
        .filter((at) => at !== undefined)
        .sort((one, other) => one.getTime() - other.getTime());
      if (next !== undefined) {
        await callAgain(context.db, { tenantId: context.tenantId, kind: sourceJobKind, subjectId, runAt: next }, context.now);
      }
      return 'finished';
    },
  };
}

async function tellTroubles(context: Context, trouble: Trouble, dueAt: Date, isOn: boolean): Promise<Looked> {
  const { sourceId } = trouble;
  const kinds = Object.entries(lastingTroubles).filter(([, lasts]) => lasts(trouble));
  const told = await listLastTold(context, sourceId, Object.keys(lastingTroubles) as SourceKind[]);
  let added = 0;
  let next: Date | undefined;
  for (const [kind] of kinds) {
    const last = told.get(kind);
    const isDue = last === undefined || context.now.getTime() - last.getTime() >= dayMs;
    if (isDue && isOn) {
      const notice = { kind: kind as SourceKind, slot: context.now.toISOString(), data: {}, dueAt };
      added += await insertNoticesForSource(context, notice, sourceId);
    }
    const again = new Date((isDue ? context.now : last).getTime() + dayMs);
    next = next === undefined || again < next ? again : next;
  }
  return { added, next };
}

async function tellRecovered(context: Context, sourceId: string, dueAt: Date): Promise<number> {
  let added = 0;
  for (const { id, data } of await listNews(context, 'connector.recovered', sourceId)) {
    const notice = { kind: 'SOURCE_RECOVERED', slot: id, data: { failures: data.failures ?? 0 }, dueAt } as const;
    added += await insertNoticesForSource(context, notice, sourceId);
  }
  return added;
}

/** Each end of a credential, and each that nobody uses, is said once. */
async function tellCredentials(context: Context, sourceId: string, dueAt: Date, isOn: boolean): Promise<Looked> {
  const credentials = await listConnectorCredentials(context, sourceId);
  const now = context.now.getTime();
  let added = 0;
  for (const { id, clientId, expiresAt, lastUsedAt, createdAt } of isOn ? credentials : []) {
    if (expiresAt !== null && expiresAt.getTime() - now <= endsWithinMs) {
      const data = { clientId, endsAt: expiresAt.toISOString() };
      added += await insertNoticesForSource(context, { kind: 'SOURCE_CREDENTIAL_ENDS', slot: id, data, dueAt }, sourceId);
    }
    if (now - (lastUsedAt ?? createdAt).getTime() >= unusedMs) {
      added += await insertNoticesForSource(context, { kind: 'SOURCE_CREDENTIAL_UNUSED', slot: id, data: { clientId }, dueAt }, sourceId);
    }
  }
  return { added, next: credentials.length === 0 ? undefined : new Date(now + credentialsMs) };
}
