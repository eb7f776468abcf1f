/**
 * kill -9 at random moments of import, prepare, decisions and close: of the server, of PostgreSQL, of both. Each time the server is started
 * again by the same command and has to repair and resume by itself. COUNTERSIGN_KILLS says how many kills (6 unless given; 20 is the full
 * test), COUNTERSIGN_KILL_GRANTS how many grants a review has, COUNTERSIGN_KILL_SEED repeats a run.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import { type DataSet, readDataSet } from '../support/data-sets.ts';
import {
  type Campaign,
  decideOne,
  distinctKeys,
  draftReview,
  importGrants,
  importPeople,
  listOpenTasks,
  listPeople,
  makeReviewer,
  moveReview,
  resizeGrants,
  retries,
  type Reviewer,
  submitMany,
  writeGrantsCsv,
} from './campaign.ts';
import { checkDatabase, checkReports, countImported } from './check-campaign.ts';
import { clientOf, killPostmaster, makePlace, type Place, readCredential, type ServerProcess, startServer } from './server-process.ts';

const kills = Number(process.env['COUNTERSIGN_KILLS'] ?? 6);
const grantCount = Number(process.env['COUNTERSIGN_KILL_GRANTS'] ?? 20_000);
const seed = Number(process.env['COUNTERSIGN_KILL_SEED'] ?? Date.now() % 1_000_000);
const killsPerReview = 6;
const reviews = Math.ceil(kills / killsPerReview);

const phases = ['import', 'prepare', 'decisions', 'close'] as const;
type Phase = (typeof phases)[number];
const victims = ['server', 'database', 'both'] as const;

/** One kill: whom, and after how much of the phase's usual length. */
interface Blow {
  readonly phase: Phase;
  readonly victim: (typeof victims)[number];
  readonly at: number;
}

/** The usual length of a phase in milliseconds at 20,000 grants; learnt from blows that came too late. */
const usual: Record<Phase, number> = { import: 700, prepare: 600, decisions: 1200, close: 250 };

/** Random numbers from 0 to 1 that come again with the same seed (mulberry32). */
function createRandom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** All phases and victims get their share; the moments are random. */
function planBlows(random: () => number): Blow[] {
  const turn = Math.floor(random() * 12);
  return Array.from({ length: kills }, (_, index) => ({
    phase: phases[index % phases.length] as Phase,
    // Shifted by one each time all phases had their turn, so that every phase meets every victim.
    victim: victims[(turn + index + Math.floor(index / phases.length)) % victims.length] as Blow['victim'],
    at: random(),
  }));
}

const random = createRandom(seed);
const blows = planBlows(random);
const journal: string[] = [];
let place: Place;
let server: ServerProcess;
let admin: Client;
let data: DataSet;
let csv: Buffer;
let reviewers: Reviewer[] = [];
let late = 0;
const decided = { singly: 0, submitted: 0 };
const outagesMs: number[] = [];

beforeAll(async () => {
  place = await makePlace();
  server = startServer(place);
  await server.ready();
  admin = clientOf(place, await readCredential(place));
  data = readDataSet('americas_small');
  csv = writeGrantsCsv(resizeGrants(data, grantCount));
});
afterAll(async () => {
  console.log(`kills ${kills}, seed ${seed}, grants ${grantCount}\n${journal.join('\n')}`);
  await server.end('SIGTERM');
  await place.remove();
});

/** Kills, starts again by the same command what has to be started by somebody, and waits until it is ready. */
async function strike(blow: Blow, isOver: boolean): Promise<void> {
  const begun = Date.now();
  const hit = blow.victim === 'server' ? true : await killPostmaster(place);
  if (blow.victim !== 'database') {
    await server.end('SIGKILL');
    server = startServer(place);
  }
  // Where only the database died, the server has to notice and bring it back by itself.
  await delay(50);
  await server.ready();
  outagesMs.push(Date.now() - begun);
  late += isOver ? 1 : 0;
  journal.push(
    `${blow.phase} ${Math.round(blow.at * 100)} %: ${blow.victim}${hit ? '' : ' (was down)'}${isOver ? ' (phase was over)' : ''}, ready after ${outagesMs.at(-1)} ms`,
  );
}

/** Does the work of a phase while blows fall on it. */
async function underBlows(mine: readonly Blow[], phase: Phase, work: () => Promise<void>, check?: () => Promise<void>): Promise<void> {
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  working.catch(() => undefined);
  for (const blow of mine.filter((one) => one.phase === phase)) {
    await delay(blow.at * usual[phase] * (phase === 'decisions' ? 1 : grantCount / 20_000));
    if (isOver) {
      usual[phase] *= 0.7;
    }
    await strike(blow, isOver);
    await check?.();
  }
  await working;
}

/** The people who have most to decide: managers of many, themselves active. */
function busiestManagers(count: number): string[] {
  const active = new Set(data.people.filter((one) => one.employment_status === 'ACTIVE').map((one) => one.email));
  const managers = new Map(data.people.map((one) => [one.email, one.manager_email]));
  const tasks = new Map<string, number>();
  for (const grant of resizeGrants(data, grantCount)) {
    const manager = managers.get(grant.email) ?? '';
    if (active.has(manager)) {
      tasks.set(manager, (tasks.get(manager) ?? 0) + 1);
    }
  }
  return [...tasks]
    .sort((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([email]) => email);
}

/** Two reviewers decide one at a time, the others by submissions. */
async function decide(campaign: Campaign): Promise<void> {
  await Promise.all(
    reviewers.map(async (reviewer, index) => {
      const ids = await listOpenTasks(reviewer, campaign.reviewId, index < 2 ? 150 : 600);
      if (index < 2) {
        for (const id of ids) {
          await decideOne(campaign, reviewer, id);
          decided.singly += 1;
        }
        return;
      }
      for (let from = 0; from < ids.length; from += 100) {
        const some = ids.slice(from, from + 100);
        await submitMany(campaign, reviewer, some);
        decided.submitted += some.length;
      }
    }),
  );
}

/** Decides on while the review is closed: what was acknowledged before the close was accepted holds. */
async function decideOn(campaign: Campaign, isClosing: () => boolean): Promise<void> {
  const [reviewer] = reviewers as [Reviewer];
  for (const id of await listOpenTasks(reviewer, campaign.reviewId, 60)) {
    if (!(await decideOne(campaign, reviewer, id, isClosing))) {
      return;
    }
    decided.singly += 1;
  }
}

describe(`a review that is killed ${kills} times (seed ${seed})`, () => {
  it.each(Array.from({ length: reviews }, (_, index) => index + 1))(
    'loses no acknowledged decision, doubles and misses nothing: review %i',
    { timeout: 600_000 },
    async (number) => {
      const mine = blows.slice((number - 1) * killsPerReview, number * killsPerReview);
      const app = `App ${number}`;
      const keys = distinctKeys(resizeGrants(data, grantCount));
      const allOrNothing = async (): Promise<void> => {
        const { grants, imports } = await countImported(place, app);
        expect([0, keys.size]).toContain(grants);
        expect(imports > 0).toBe(grants > 0);
      };
      await underBlows(
        mine,
        'import',
        async () => {
          expect(await importPeople(admin, data.peopleCsv)).toBe(data.people.length);
          const { added, unchanged } = await importGrants(admin, app, csv);
          // An attempt whose answer was lost may have been whole: then the next one changes nothing.
          expect([
            [keys.size, 0],
            [0, keys.size],
          ]).toContainEqual([added, unchanged]);
        },
        allOrNothing,
      );
      expect((await countImported(place, app)).grants).toBe(keys.size);
      if (reviewers.length === 0) {
        const people = await listPeople(admin);
        reviewers = await Promise.all(busiestManagers(6).map((email) => makeReviewer(admin, people.get(email) ?? '', email)));
      }
      const campaign = await draftReview(admin, app, keys);
      await underBlows(mine, 'prepare', async () => {
        await moveReview(admin, campaign, 'prepare');
        await moveReview(admin, campaign, 'start');
      });
      await underBlows(mine, 'decisions', () => decide(campaign));
      let isClosing = false;
      const deciding = decideOn(campaign, () => isClosing);
      deciding.catch(() => undefined);
      await delay(100);
      isClosing = true;
      await underBlows(mine, 'close', () => moveReview(admin, campaign, 'close'));
      await deciding;
      expect(await checkReports(admin, campaign, '')).toBe(keys.size);
      await checkDatabase(place, campaign);
      journal.push(
        `review ${number}: ${keys.size} items, ${campaign.journal.size} acknowledged decisions, ${campaign.uncertain.size} uncertain`,
      );
    },
  );

  it('left nothing behind and was hit where it hurts', async () => {
    journal.push(
      `${decided.singly} decided singly, ${decided.submitted} by submissions; asked again ${retries.unreachable} times (nobody there) and ${retries.unavailable} times (503); ${late} of ${kills} kills fell behind the end of their phase`,
    );
    expect(outagesMs.length).toBe(kills);
    expect(Math.max(0, ...outagesMs)).toBeLessThan(30_000);
    expect(server.output()).not.toContain('"level":60');
  });
});
