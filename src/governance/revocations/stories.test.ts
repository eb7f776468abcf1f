/**
 * Random stories of one access whose removal was requested: files with and without it, some begun before what they are held against, some refused,
 * claims and retries, followed at once or late, beside a plain model of the table.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tries } from '../../../test/support/runs.ts';
import { useRemovals } from '../../../test/support/removals.ts';
import { statusOf } from '../../../test/support/task-people.ts';
import { claimRemoval, retryRemoval } from './act.ts';

const removals = useRemovals(['ann', 'bob', 'cyn', 'dan', 'eve']);
const others = ['bob x', 'cyn x', 'dan x', 'eve x'];
const first = Date.UTC(2026, 5, 1);
/** A moment of the story, by its hour. */
const hour = (n: number): Date => new Date(first + n * 3_600_000);

type Act = { readonly kind: 'with' | 'without'; readonly age: number } | { readonly kind: 'refused' | 'claim' | 'retry' | 'follow' };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('with' as const, 'without' as const), age: fc.constantFrom(0, 0, 0, 25) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('claim' as const, 'claim' as const, 'retry' as const, 'refused' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('follow' as const) }) },
);

interface Model {
  state: string;
  claimedAt: number;
  evidenceAt: number;
  isHeld: boolean;
}

const open = ['IN_PROGRESS', 'CLAIMED', 'STILL_PRESENT', 'REAPPEARED'];

/** Applies a file begun at an hour to the model. */
function read(model: Model, has: boolean, begun: number, requestedAt: number): void {
  const given = has && !model.isHeld;
  model.isHeld = has;
  const counts = begun > requestedAt && begun > model.evidenceAt;
  if (counts && open.includes(model.state) && !has) {
    Object.assign(model, { state: 'VERIFIED', evidenceAt: begun });
  } else if (counts && model.state === 'CLAIMED' && has && begun > model.claimedAt) {
    Object.assign(model, { state: 'STILL_PRESENT', evidenceAt: begun });
  } else if (given && model.state === 'VERIFIED') {
    Object.assign(model, { state: 'REAPPEARED', evidenceAt: begun });
  }
}

let count = 0;

it('ends where the model ends, whatever comes in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 9 }), async (acts) => {
      const app = `Story ${++count}`;
      const requestedAt = 100;
      await removals.file(app, ['ann pay', ...others], hour(1));
      const id = await removals.request(app, 'ann', 'pay', hour(requestedAt));
      const model: Model = { state: 'IN_PROGRESS', claimedAt: 0, evidenceAt: 0, isHeld: true };
      let now = requestedAt;
      for (const one of acts) {
        now += 10;
        if (one.kind === 'with' || one.kind === 'without') {
          const has = one.kind === 'with';
          await removals.file(app, has ? ['ann pay', ...others] : others, hour(now - one.age));
          read(model, has, now - one.age, requestedAt);
        } else if (one.kind === 'refused') {
          expect(await statusOf(removals.file(app, [' x'], hour(now)))).toBe(400);
        } else {
          // What people do, they do to what is known by then.
          await removals.verify(hour(now));
          expect((await removals.read(id)).state).toBe(model.state);
        }
        if (one.kind === 'claim') {
          const isAllowed = ['IN_PROGRESS', 'STILL_PRESENT'].includes(model.state);
          expect(await statusOf(claimRemoval(removals.at(hour(now)), id, ''))).toBe(isAllowed ? 200 : 400);
          Object.assign(model, isAllowed ? { state: 'CLAIMED', claimedAt: now } : {});
        } else if (one.kind === 'retry') {
          const isAllowed = model.state === 'REAPPEARED';
          expect(await statusOf(retryRemoval(removals.at(hour(now)), id, ''))).toBe(isAllowed ? 200 : 400);
          Object.assign(model, isAllowed ? { state: 'IN_PROGRESS' } : {});
        }
      }
      await removals.verify(hour(now + 1));
      expect((await removals.read(id)).state).toBe(model.state);
    }),
    { numRuns: tries(3, 60), endOnFailure: true },
  );
}, 600_000);
