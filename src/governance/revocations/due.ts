/**
 * Removals that take too long: said once when they are due, and once more to the administrators some days later. One job of the tenant, which sleeps
 * as a call until the next moment.
 */
import { callAgain, type JobKind } from '../../jobs/index.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { findNextDue, updateOverdue } from './store-due.ts';

/** The kind of the job; its subject is the tenant. */
export const dueKind = 'revocations.due';

/** Removals of one piece. */
const perPiece = 5_000;

/** Says what is overdue, piece by piece, then calls for itself at the next moment. */
export const dueJob: JobKind = {
  // Giving up would silently end all that is said at dates.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const { tenantId } = context;
    for (const before of [0, 1] as const) {
      const { count, digest, ids } = await updateOverdue(context, before, perPiece);
      if (count > 0) {
        const data = { count, digest, ids: ids.slice(0, 100), isEscalated: before === 1 };
        await recordEvent(context, { kind: 'revocation.overdue', targetId: tenantId, data });
        return { cursor: {}, done: job.done + count, total: 0 };
      }
    }
    const next = await findNextDue(context);
    if (next !== undefined) {
      await callAgain(context.db, { tenantId, kind: dueKind, subjectId: tenantId, runAt: next }, context.now);
    }
    return 'finished';
  },
};
