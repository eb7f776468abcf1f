/**
 * Verifying removals: what each app got (syncs, pushes, changes made here) is held against its removals, once each and in order. A sync is done
 * only when its file was complete and passed the guard, so one that was refused proves nothing.
 */
import type { JobKind } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { requestAnew } from './request.ts';
import { deadlineDays } from './record/index.ts';
import type { Piece } from './store-request.ts';
import {
  type Evidence,
  findEvidence,
  lockNextMark,
  updateMark,
  updateObjectless,
  updateProven,
  updatePushed,
  updateReappeared,
  updateRemovedHere,
  updateStillPresent,
} from './store-verify.ts';

/** The kind of the job that follows the inventory; its subject is the tenant. */
export const verifyKind = 'revocations.verify';

type ProofEvent = `revocations.${'claimed' | 'verified' | 'still_present' | 'reappeared' | 'withdrawn'}`;

async function record(
  context: Context,
  appId: string,
  kind: ProofEvent,
  { count, digest, ids }: Piece,
  evidence?: Evidence,
): Promise<void> {
  if (count === 0) {
    return;
  }
  // A mail about a few names them; of many the list has the rest.
  const data = { count, digest, ids: ids.slice(0, 100), syncId: evidence?.syncId ?? '', revision: evidence?.revision ?? 0 };
  await recordEvent(context, { kind, targetType: 'app', targetId: appId, data });
}

/** Holds one thing that an app got against its removals. */
async function followEvidence(context: Context, appId: string, evidence: Evidence): Promise<void> {
  const dueAt = new Date(context.now.getTime() + deadlineDays.usual * 86_400_000);
  // A sync that may lack something leaves what it does not name as it was: neither is known.
  if (evidence.cause === 'IMPORT' && evidence.isComplete) {
    await record(context, appId, 'revocations.still_present', await updateStillPresent(context, appId, evidence), evidence);
    await record(context, appId, 'revocations.verified', await updateProven(context, appId, evidence), evidence);
  } else if (evidence.cause === 'SCIM') {
    await record(context, appId, 'revocations.verified', await updatePushed(context, appId, evidence), evidence);
  } else if (evidence.cause === 'MANUAL' && evidence.actorId !== '') {
    await record(context, appId, 'revocations.claimed', await updateRemovedHere(context, appId, evidence), evidence);
  }
  if (evidence.isChange) {
    const reappeared = await updateReappeared(context, appId, evidence, dueAt);
    await record(context, appId, 'revocations.reappeared', reappeared, evidence);
    await requestAnew(context, appId, reappeared.ids);
  }
}

/** Follows what one app got, one thing in each piece. */
export const verifyJob: JobKind = {
  // Giving up would leave what is proven unsaid.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const behind = typeof job.cursor.behind === 'string' ? job.cursor.behind : '';
    const mark = await lockNextMark(context, behind);
    if (mark === undefined) {
      return 'finished';
    }
    const evidence = await findEvidence(context, mark);
    if (evidence === undefined) {
      return { cursor: { behind: mark.appId }, done: job.done, total: 0 };
    }
    await followEvidence(context, mark.appId, evidence);
    // Behind the proofs: what a file no longer has is proven, rather than withdrawn.
    await record(context, mark.appId, 'revocations.withdrawn', await updateObjectless(context, mark.appId));
    await updateMark(context, mark.appId, evidence);
    return { cursor: { behind }, done: job.done + 1, total: 0 };
  },
};
