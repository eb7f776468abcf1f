/**
 * Figures of the event log: decisions over HTTP at 32 connections, beside the same program without codes of events and without a sealer, and how long
 * a proof takes in the log that they left. Both programs run in turn on the same data, so that neither has the warmer database.
 */
import { performance } from 'node:perf_hooks';
import { EventLogService } from '../../src/gen/countersign/v1/event_log_pb.js';
import { decideAtOnce, makeReviewers, type Reviewer } from '../deciding.ts';
import type { World } from '../data/world.ts';
import { atLeast, atMost, type Figure, median, percentile } from '../figure.ts';

/** Decisions of each reviewer in a round; before them as many to warm up as `warmUp`. */
const decisionsEach = 30;
const warmUp = 10;
/** Fewer of both in a short run. */
const [shortDecisionsEach, shortWarmUp] = [10, 4];
/** Sealed or not, round by round: whatever grows meanwhile falls on both alike. */
const rounds = [false, true, true, false] as const;
const proofs = 500;
const proofLimitMs = 10;
/** Sealing and codes may cost 15 %. */
const leastShare = 0.85;

/** Decisions a second of one round, with the server started anew. */
async function measureRound(world: World, reviewers: readonly Reviewer[], isSealed: boolean, isShort: boolean): Promise<number> {
  await world.server.restart(isSealed ? [] : ['--import', `${import.meta.dirname}/../peers/unsealed.ts`]);
  await decideAtOnce(world, reviewers, isShort ? shortWarmUp : warmUp);
  return (await decideAtOnce(world, reviewers, isShort ? shortDecisionsEach : decisionsEach)).perSecond;
}

async function measureProofs({ server }: World): Promise<{ readonly size: number; readonly taken: readonly number[] }> {
  const { checkpoint } = await server.admin.call(EventLogService.method.getCheckpoint, {});
  const size = Number(checkpoint?.size ?? 0);
  const taken: number[] = [];
  for (let n = 0; n < proofs; n++) {
    const position = Math.floor((n * size) / proofs);
    const started = performance.now();
    await server.admin.call(EventLogService.method.prove, { positions: [String(position)], treeSize: String(size) });
    taken.push(performance.now() - started);
  }
  return { size, taken };
}

/** At least 0.85 of the decisions without, a proof within 10 ms (p95). */
export const measureSealing: Figure = async (open, { isShort }) => {
  const world = await open();
  await world.started();
  const reviewers = await makeReviewers(world, rounds.length * (warmUp + decisionsEach));
  const perSecond = { sealed: [] as number[], bare: [] as number[] };
  for (const isSealed of rounds) {
    perSecond[isSealed ? 'sealed' : 'bare'].push(await measureRound(world, reviewers, isSealed, isShort));
  }
  await world.server.restart();
  const { size, taken } = await measureProofs(world);
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  const [ours, peer] = [mean(perSecond.sealed), mean(perSecond.bare)];
  const [middle, slow] = [median(taken), percentile(taken, 0.95)];
  return [
    atLeast(
      leastShare,
      {
        title: `decisions of ${reviewers.length} reviewers at once, sealed and with codes`,
        ours: `${ours.toFixed(0)}/s`,
        peer: `${peer.toFixed(0)}/s without`,
        ratio: ours / peer,
      },
      'of the decisions without',
    ),
    atMost(
      1,
      {
        title: `a proof in a log of ${size.toLocaleString('en')} (p95, median ${middle.toFixed(1)} ms)`,
        ours: `${slow.toFixed(1)} ms`,
        peer: `${proofLimitMs} ms`,
        ratio: slow / proofLimitMs,
      },
      'of the limit',
    ),
  ];
};
