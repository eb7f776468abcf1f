/**
 * Random stories of one person with a queue in two tabs and on a second device, through the real screens: decisions, what is taken back, submissions,
 * reloads, failing requests, no connection, clocks that are off. What a screen showed last of a task is what the server has in the end, or every open
 * screen says that it is not. COUNTERSIGN_TEST_STORIES is their number, COUNTERSIGN_TEST_SEED the first seed; a story that fails is made as small as it
 * gets.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { type TestServer, useTestServer } from '../support/server.ts';
import { makeStory, sayStory, storyOf, type TabStory } from '../support/tab-acts.ts';
import { openTabWorld, type TabWorld, type Wrong } from '../support/tab-world.ts';

const stories = Number(process.env['COUNTERSIGN_TEST_STORIES'] ?? 24);
const firstSeed = Number(process.env['COUNTERSIGN_TEST_SEED'] ?? 1);
/** Stories that are told at the same time, each on screens of its own. */
const atOnce = Number(process.env['COUNTERSIGN_TEST_STORIES_AT_ONCE'] ?? 3);

/** Stories that are made as small as they get. */
const mostMadeSmall = 5;

let server: TestServer;
let browser: TestBrowser;
let worlds: readonly TabWorld[];

const sayWrong = (wrong: readonly Wrong[]): string =>
  wrong.map(({ item, said, server: has, shown }) => `item ${item}: said ${said}; the server has ${has}; ${shown.join('; ')}`).join('\n');

/** The smallest part of a story that is still wrong. */
async function shrink(
  world: TabWorld,
  story: TabStory,
): Promise<{ readonly story: TabStory; readonly wrong: readonly Wrong[] } | undefined> {
  let smallest: { story: TabStory; wrong: readonly Wrong[] } | undefined;
  for (let place = story.acts.length - 1; place >= 0; place--) {
    const from = smallest?.story ?? story;
    const smaller = { ...from, acts: from.acts.filter((_, index) => index !== place) };
    const wrong = await world.tell(smaller);
    if (wrong.length > 0) {
      smallest = { story: smaller, wrong };
    }
  }
  return smallest;
}

describe.skipIf(!hasBrowser)('stories of one person on several screens', () => {
  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    browser.expectComplaint(/net::ERR_|status of (409|503)/);
    worlds = await Promise.all(Array.from({ length: atOnce }, (_, place) => openTabWorld(browser, server, `Stories ${place}`)));
  });
  afterAll(async () => {
    await Promise.all(worlds.map((world) => world.close()));
    await browser?.close();
    await server.stop();
  });

  it.each<readonly [string, TabStory]>([
    [
      'a tab that changes what another one submits',
      storyOf([
        { kind: 'certify', on: 'left', item: 0 },
        { kind: 'certify', on: 'left', item: 1 },
        { kind: 'certify', on: 'left', item: 2 },
        { kind: 'submit', on: 'left' },
        { kind: 'deny', on: 'right', item: 0 },
        { kind: 'takeBack', on: 'right', item: 1 },
        { kind: 'pass', seconds: 11 },
      ]),
    ],
    [
      'a slow clock, and a changed decision that could not be saved before a reload',
      storyOf(
        [
          { kind: 'certify', on: 'left', item: 0 },
          { kind: 'pass', seconds: 11 },
          { kind: 'fail', on: 'left', failing: 'abort' },
          { kind: 'deny', on: 'left', item: 0 },
          { kind: 'reload', on: 'left' },
        ],
        { left: -1 },
      ),
    ],
  ])('%s', async (_, story) => {
    expect(sayWrong(await (worlds[0] as TabWorld).tell(story))).toBe('');
  });

  it(`end as they were said: ${stories} from seed ${firstSeed}`, { timeout: 3_600_000 }, async () => {
    const seeds = Array.from({ length: stories }, (_, index) => firstSeed + index);
    const failures: string[] = [];
    // Said at once: who tells a thousand need not wait for the last.
    const fail = (failure: string): void => {
      failures.push(failure);
      console.log(failure);
    };
    await Promise.all(
      worlds.map(async (world) => {
        for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
          const story = makeStory(seed);
          const wrong = await world.tell(story).catch((error: unknown) => error);
          if (!Array.isArray(wrong)) {
            fail(`seed ${seed}: ${sayStory(story)}\n${String(wrong)}`);
          } else if (wrong.length > 0) {
            // A few are enough to see what is wrong.
            const small = (failures.length < mostMadeSmall && (await shrink(world, story).catch(() => undefined))) || { story, wrong };
            fail(`seed ${seed}: ${sayStory(small.story)}\n${sayWrong(small.wrong)}`);
          }
        }
      }),
    );
    expect(failures.join('\n\n')).toBe('');
  });
});
