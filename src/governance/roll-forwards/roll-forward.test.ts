/** Roll-forwards against a plain model: every line, every cause, and that the sum is the population of the second review. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import fc from 'fast-check';
import { tries } from '../../../test/support/runs.ts';
import { openReviewTest, type ReviewTest } from '../../../test/support/review.ts';
import { arbitraryStory, liveStory, type Story, tellStory } from '../../../test/support/roll-forward-story.ts';
import { jobKinds } from './index.ts';
import { readLines } from './roll-forward.ts';

let test: ReviewTest;
const clock = { now: Date.now() };
beforeAll(async () => {
  test = await openReviewTest('domino', () => new Date(clock.now), jobKinds);
});
afterAll(() => test.close());

const nothing = { held: [], left: [] };

it('a story worked out on paper', async () => {
  const story: Story = {
    before: {
      held: [
        [0, 0, false],
        [0, 1, false],
        [1, 0, true],
        [2, 0, false],
        [3, 0, false],
      ],
      left: [],
    },
    // ann read; sorted by account and right.
    denied: [0],
    after: [
      {
        held: [
          [0, 1, false],
          [3, 0, false],
          [1, 2, false],
        ],
        left: [2],
      },
      {
        held: [
          [0, 1, false],
          [0, 0, false],
        ],
        left: [],
      },
    ],
    isNarrow: false,
  };
  const told = await liveStory(test, clock, 'worked', story);
  expect(told.lines).toEqual(
    [
      'REMOVED DECISION ann read',
      'REMOVED EXPIRY bob read',
      'REMOVED LEAVER cyn read',
      // Came and went in between.
      'ADDED bob admin',
      'REMOVED UNEXPLAINED bob admin',
      'REMOVED UNEXPLAINED dot read',
      // Given again after it was denied.
      'ADDED ann read',
    ].sort(),
  );
  // With the one that nobody takes away.
  expect(told.made).toMatchObject({ firstCount: 6, secondCount: 3 });
  expect(told.difference).toBe(0);
  expect(told.rows.every((row) => row.syncId !== '')).toBe(true);
  expect(told.rows.find((row) => row.cause === 'DECISION')?.decidedInId).toBe(told.firstId);
  const only = async (filter: object) =>
    (await readLines(test.admin(), told.secondId, { kinds: [], causes: [], ...filter }, 0, 10)).map((row) => row.cause || row.kind);
  expect(await only({ kinds: ['ADDED'] })).toEqual(['ADDED', 'ADDED']);
  expect((await only({ causes: ['EXPIRY', 'LEAVER'] })).sort()).toEqual(['EXPIRY', 'LEAVER']);
});

it('says what a narrower scope left out', async () => {
  const before = {
    held: [
      [0, 0, false],
      [0, 1, true],
    ] as const,
    left: [],
  };
  const told = await liveStory(test, clock, 'narrow', { before, denied: [], after: [before], isNarrow: true });
  expect(told.lines).toEqual(['LEFT_SCOPE GRANT ann write']);
  expect(told.difference).toBe(0);
});

it('agrees with the model over random stories', { timeout: 600_000 }, async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryStory, async (story) => {
      count += 1;
      const told = await liveStory(test, clock, `story-${count}`, story);
      const model = tellStory(story);
      expect(told.lines).toEqual(model.lines);
      expect([told.made.firstCount, told.made.secondCount, told.difference]).toEqual([model.first + 1, model.second + 1, 0]);
    }),
    {
      numRuns: tries(3, 60),
      examples: [[{ before: nothing, denied: [], after: [], isNarrow: false }]],
    },
  );
});
