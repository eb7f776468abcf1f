/**
 * Member counts of access profiles. What few hold is counted when somebody looks; what very many hold (an entitlement of all staff) is counted by a
 * job, and until it has been, views show what was counted last: a page of such profiles would take minutes.
 */
import { enqueueJob, type JobKind } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { findRevision } from '../ledger/index.ts';
import { type CountState, countManyMembers, countMembers, findUncounted, listCountStates, updateCounted } from './store-members.ts';

/** The kind of the job; its subject is the tenant. */
export const countKind = 'profiles.count_members';

/** As many lookups as a page of profiles takes in a few milliseconds each. */
export const cheapLookups = 500;
/** People come and go without a revision of the inventory; what a job counted holds for so long. */
const countedForMs = 5 * 60_000;

const isStale = (state: CountState, revision: number, now: Date): boolean =>
  state.countedRevision !== revision || state.countedAt === null || now.getTime() - state.countedAt.getTime() > countedForMs;

/** The numbers of members by profile, and a job that counts those anew that take longer and are no longer true. */
export async function readMemberCounts(context: Context, ids: readonly string[]): Promise<Map<string, number>> {
  const states = await listCountStates(context, ids);
  const cheap = states.filter((state) => state.lookups <= cheapLookups).map((state) => state.id);
  const counts = cheap.length === 0 ? new Map<string, number>() : await countMembers(context, cheap);
  const others = states.filter((state) => state.lookups > cheapLookups);
  if (others.length > 0) {
    const revision = await findRevision(context);
    if (others.some((state) => isStale(state, revision, context.now))) {
      await enqueueJob(context.db, { tenantId: context.tenantId, kind: countKind, subjectId: context.tenantId }, context.now);
    }
  }
  const kept = new Map(others.map((state) => [state.id, state.memberCount]));
  return new Map(states.map(({ id }) => [id, counts.get(id) ?? kept.get(id) ?? 0]));
}

/** Counts the members of one profile after the other that takes long and is no longer true. */
export const countJob: JobKind = {
  async handler(context, job) {
    const after = typeof job.cursor.after === 'string' ? job.cursor.after : '';
    // Before counting: what changes meanwhile makes it count again.
    const revision = await findRevision(context);
    const next = await findUncounted(context, after, cheapLookups, revision, new Date(context.now.getTime() - countedForMs));
    if (next === undefined) {
      return 'finished';
    }
    await updateCounted(context, next.id, await countManyMembers(context, next.id), revision);
    return { cursor: { after: next.id }, done: job.done + 1, total: 0 };
  },
};
