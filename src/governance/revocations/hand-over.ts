/**
 * Following people: what those were asked about removals who can no longer be asked goes to others, as it does in reviews. One job of the tenant,
 * called for by the events that can be the reason.
 */
import type { JobKind } from '../../jobs/index.ts';
import { findStaleBatch, handOver } from '../tasks/index.ts';

/** The kind of the job; its subject is the tenant. */
export const handOverKind = 'revocations.people';

/** Batch by batch. */
export const handOverJob: JobKind = {
  // Giving up would leave access with nobody to remove it.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const behind = typeof job.cursor.behind === 'string' ? job.cursor.behind : '';
    const batchId = await findStaleBatch(context, 'REVOKE', behind);
    if (batchId === undefined) {
      return 'finished';
    }
    const { handed } = await handOver(context, 'REVOKE', batchId);
    return { cursor: { behind: batchId }, done: job.done + handed, total: 0 };
  },
};
