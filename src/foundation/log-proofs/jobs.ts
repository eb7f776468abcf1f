/** The check of a log every night, in pieces: what does not hold is an event, a line of the server's log and a metric. */
import type { Context } from '../../context.ts';
import type { ChunkResult, Job, JobKind } from '../../jobs/index.ts';
import { newId } from '../../wire/ids.ts';
import { findLog, recordEvent } from '../audit/index.ts';
import { anchorKind, type AnchorRules, createAnchorJob } from './anchors/index.ts';
import { beginCheck, type CheckState, continueCheck, endCheck } from './check/index.ts';
import { findLastCheck, insertCheck } from './store.ts';

/** The name that the queue knows the check by. */
export const checkKind = 'log.check';

const hourMs = 3_600_000;
/** Hours of the night, in UTC. */
const nightEnds = 6;
const chunkMs = 1_000;
/** Sentences in the event. */
const maxTold = 20;

/** True if a log is to be checked now: once a night, and at any hour where two nights passed without. */
export async function isCheckDue(context: Context): Promise<boolean> {
  const last = await findLastCheck(context);
  const ageHours = last === undefined ? 24 : (context.now.getTime() - last.checkedAt.getTime()) / hourMs;
  return ageHours >= 48 || (ageHours >= 20 && context.now.getUTCHours() < nightEnds);
}

async function checkPieces(context: Context, job: Job): Promise<ChunkResult> {
  const scope = { outside: [] };
  let state = 'next' in job.cursor ? (job.cursor as unknown as CheckState) : await beginCheck(context, 0);
  const giveUpAt = performance.now() + chunkMs;
  for (let next: CheckState | undefined = state; next !== undefined; next = await continueCheck(context, scope, state)) {
    state = next;
    if (performance.now() >= giveUpAt) {
      return { cursor: { ...state }, done: state.events, total: (await findLog(context))?.size ?? 0 };
    }
  }
  await recordCheck(context, await endCheck(context, state));
  return 'finished';
}

async function recordCheck(context: Context, { events: size, findings, sentences }: CheckState): Promise<void> {
  await insertCheck(context, newId(context.now), { checkedAt: context.now, size, findings, sentences: sentences.slice(0, maxTold) });
  if (findings > 0) {
    const told = sentences.slice(0, maxTold);
    await recordEvent(context, { kind: 'log.check_failed', targetId: context.tenantId, data: { size, findings, sentences: told } });
    context.log.error({ tenant: context.tenantId, findings, sentences: told }, 'the event log is not as it was sealed');
  }
}

/** The jobs of this module, by the names that the queue knows them by. */
export function createJobKinds(rules: Pick<AnchorRules, 'checkpointDir'>): ReadonlyMap<string, JobKind> {
  return new Map([
    [checkKind, { handler: checkPieces }],
    [anchorKind, createAnchorJob(rules)],
  ]);
}
