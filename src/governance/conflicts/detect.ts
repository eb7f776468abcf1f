/**
 * Finding conflicts: after each revision in proportion to what it changed, of a monitor that was enabled or changed, and of everything each hour. One
 * detection of a tenant runs after the other, so that each sees what the one before made of the alerts.
 */
import { inTransaction, type Context } from '../../context.ts';
import { callAgain, type JobKind } from '../../jobs/index.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { findRevision } from '../../inventory/ledger/index.ts';
import { recordAlerts } from './record.ts';
import { findNextEnd, listActivated, updateEndedExemptions } from './store-alerts.ts';
import {
  countChanges,
  type Detected,
  listConcernedMonitors,
  lockDetection,
  type RevisionSpan,
  updateAlerts,
  updateDetection,
} from './store-detect.ts';
import { listEnabledMonitors, lockEnabledMonitors } from './store-monitors.ts';

/** The kind of the job that looks at what changed; its subject is the tenant. */
export const detectKind = 'conflicts.detect';

/** The kind of the job that looks at everything one monitor looks for; its subject is the monitor. */
export const checkKind = 'conflicts.check';

/** The kind of the job that looks at everything each hour and ends exemptions; its subject is the tenant. */
export const tickKind = 'conflicts.tick';

/** Changes beyond which looking at everything costs less than finding whom it concerns. */
const fewChanges = 20_000;

/** Interval of looks at everything, whatever changed. */
const wholeMs = 3_600_000;

/** Exemptions that end in one chunk. */
const endsPerChunk = 1_000;

/** Monitors that an event names. */
const namedMonitors = 100;

/** Makes the alerts of monitors true, with an event for each that changes and one for all. The caller has locked the detection and the monitors. */
async function detect(context: Context, monitorIds: readonly string[], revision: number, span?: RevisionSpan): Promise<Detected> {
  const changeId = newId(context.now);
  const detected = monitorIds.length === 0 ? { active: 0, resolved: 0 } : await updateAlerts(context, changeId, monitorIds, span);
  if (detected.active + detected.resolved > 0) {
    await recordAlerts(context, 'conflict_alert.activated', changeId, 'ACTIVE');
    await recordAlerts(context, 'conflict_alert.resolved', changeId, 'RESOLVED');
    await recordEvent(context, {
      kind: 'conflicts.detected',
      targetId: changeId,
      data: { revision, ...detected, monitors: await listActivated(context, changeId, namedMonitors) },
    });
  }
  return detected;
}

/** Looks at what changed since the last look; returns what became of it. */
export function detectChanges(context: Context): Promise<Detected> {
  return inTransaction(context, async (inside) => {
    const last = await lockDetection(inside);
    const until = await findRevision(inside);
    if (until <= last.revision) {
      return { active: 0, resolved: 0 };
    }
    const span = { after: last.revision, until };
    const enabled = await lockEnabledMonitors(inside);
    const concerned = enabled.length === 0 ? [] : await listConcernedMonitors(inside, enabled, span);
    const isSmall = concerned.length > 0 && (await countChanges(inside, span, fewChanges + 1)) <= fewChanges;
    const detected = await detect(inside, concerned, until, isSmall ? span : undefined);
    await updateDetection(inside, { ...last, revision: until });
    return detected;
  });
}

/** Looks at everybody for all monitors, or for one; returns what became of it. */
export function detectAll(context: Context, monitorId?: string): Promise<Detected> {
  return inTransaction(context, async (inside) => {
    await lockDetection(inside);
    const until = await findRevision(inside);
    const monitors = await lockEnabledMonitors(inside, monitorId === undefined ? undefined : [monitorId]);
    const detected = await detect(inside, monitors, until);
    if (monitorId === undefined) {
      await updateDetection(inside, { revision: until, wholeAt: inside.now });
    }
    return detected;
  });
}

/** Follows each change of access. */
export const detectJob: JobKind = {
  // Giving up would silently leave conflicts unseen.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context) {
    await detectChanges(context);
    return 'finished';
  },
};

/** Follows a monitor that is enabled or looks for something else. */
export const checkJob: JobKind = {
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    await detectAll(context, job.subjectId);
    return 'finished';
  },
};

/** Ends exemptions whose time is over, looks at everything where that is an hour ago, and sleeps as a call until either comes again. */
export const tickJob: JobKind = {
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const { db, tenantId, now } = context;
    const changeId = newId(now);
    const ended = await updateEndedExemptions(context, changeId, endsPerChunk);
    if (ended > 0) {
      await recordAlerts(context, 'conflict_alert.exemption_ended', changeId, 'ACTIVE');
    }
    if (ended === endsPerChunk) {
      return { cursor: {}, done: job.done + ended, total: 0 };
    }
    const { wholeAt } = await lockDetection(context);
    const isDue = wholeAt === null || now.getTime() - wholeAt.getTime() >= wholeMs;
    const isWatching = (await listEnabledMonitors(context)).length > 0;
    if (isWatching && isDue) {
      await detectAll(context);
    }
    const wholeNext = new Date((isDue ? now : (wholeAt ?? now)).getTime() + wholeMs);
    const endNext = await findNextEnd(context);
    const runAt = isWatching && (endNext === undefined || wholeNext < endNext) ? wholeNext : endNext;
    if (runAt !== undefined) {
      await callAgain(db, { tenantId, kind: tickKind, subjectId: tenantId, runAt }, context.now);
    }
    return 'finished';
  },
};
