/**
 * Two and three containers that start at the same moment on one data directory, again and again, with stops and kills at any moment.
 * COUNTERSIGN_ROUNDS says how many rounds (20 unless given; 200 is the full test), COUNTERSIGN_ROUNDS_SEED repeats a run.
 */
import { describe, expect, it } from 'vitest';
import { canMakeContainers } from '../support/containers.ts';
import { createRandom } from '../support/random.ts';
import { events, expectAllKept, type Kind, playRound, type SharedDirectory, shareDirectory } from './shared-directory.ts';

const rounds = Number(process.env['COUNTERSIGN_ROUNDS'] ?? 20);
const seed = Number(process.env['COUNTERSIGN_ROUNDS_SEED'] ?? Date.now() % 1_000_000);
const roundsOfDirectory = 5;

describe.runIf(canMakeContainers)('containers on one data directory', () => {
  it.each<Kind>(['process', 'service'])(
    'use one server, and nothing acknowledged is lost: %s',
    { timeout: rounds * 120_000 },
    async (kind) => {
      const random = createRandom(seed);
      const journal: string[] = [];
      let shared: SharedDirectory | undefined;
      try {
        for (let round = 0; round < rounds; round += 1) {
          shared ??= await shareDirectory(kind);
          const event = events[round % events.length] as (typeof events)[number];
          const count = round % 10 === 9 ? 3 : 2;
          // Whoever is stopped at the very first start may leave no credential behind, until the next one.
          const atMs = round % roundsOfDirectory === 0 || random() < 0.5 ? undefined : Math.round(random() * 4000);
          journal.push(`${round + 1}: ${count} containers, ${event}${atMs === undefined ? '' : ` after ${atMs} ms`}`);
          await playRound(shared, { count, event, atMs });
          if ((round + 1) % roundsOfDirectory === 0 || round + 1 === rounds) {
            await expectAllKept(shared);
            journal.push(`${shared.acknowledged.size} acknowledged writes are there`);
            await shared.place.remove();
            shared = undefined;
          }
        }
      } catch (error) {
        expect.fail(`seed ${seed}\n${journal.join('\n')}\n${(error as Error).message}`);
      } finally {
        console.log(`seed ${seed}\n${journal.join('\n')}`);
        await shared?.place.remove();
      }
    },
  );
});
