/** The gate with work that ends when the test says so: shares, turns, refusals, and who leaves while waiting. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFairGate, type FairGate, type GateLimits } from './fair-gate.ts';

const limits: GateLimits = { total: 6, perGroup: 4, perMember: 2, mostWaitingPerMember: 3, mostWaiting: 8 };
const nobodyLeaves = new AbortController().signal;

/** Work that is let in and waits for `end`. */
interface Piece {
  readonly name: string;
  isIn: boolean;
  end(): Promise<void>;
  readonly done: Promise<string>;
}

/** All that was let in, in order. */
function begin(gate: FairGate, entered: string[], name: string, gone = nobodyLeaves): Piece {
  const [group = '', member = ''] = name.split('/');
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const piece = { name, isIn: false } as { -readonly [Key in keyof Piece]: Piece[Key] };
  const done = gate.run(
    group,
    member,
    () => gone,
    async () => {
      piece.isIn = true;
      entered.push(name);
      await ended;
      return name;
    },
  );
  done.catch(() => undefined);
  piece.done = done;
  piece.end = async () => {
    resolve();
    await done;
    await settle();
  };
  return piece;
}

/** Lets what can go on go on. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('gives a member and a group their share, and others theirs beside them', async () => {
  const gate = createFairGate(limits);
  const entered: string[] = [];
  for (const name of ['a/1', 'a/1', 'a/1', 'a/2', 'a/2', 'a/3', 'b/1', 'b/1', 'c/1']) {
    begin(gate, entered, name);
  }
  await settle();
  expect(entered).toEqual(['a/1', 'a/1', 'a/2', 'a/2', 'b/1', 'b/1']);
  expect(gate.stats()).toEqual({ working: 6, waiting: 3 });
});

it('lets in by turns of groups, then of members, whoever waited longest of each', async () => {
  const gate = createFairGate({ ...limits, total: 1 });
  const entered: string[] = [];
  const pieces = ['a/1', 'a/1', 'a/1', 'a/2', 'b/1', 'b/1'].map((name) => begin(gate, entered, name));
  await settle();
  const ended = new Set<Piece>();
  while (ended.size < pieces.length) {
    const inside = pieces.filter((piece) => piece.isIn && !ended.has(piece));
    expect(inside).toHaveLength(1);
    for (const piece of inside) {
      await piece.end();
      ended.add(piece);
    }
  }
  expect(entered).toEqual(['a/1', 'a/1', 'b/1', 'a/2', 'b/1', 'a/1']);
  expect(gate.stats()).toEqual({ working: 0, waiting: 0 });
});

it('refuses what waits beyond the limit of a member, and of all', async () => {
  const gate = createFairGate({ ...limits, mostWaiting: 4 });
  const pieces = Array.from({ length: 6 }, () => begin(gate, [], 'a/1'));
  await expect(pieces[5]?.done).rejects.toMatchObject({ reason: 'MEMBER_FULL' });
  const others = Array.from({ length: 5 }, () => begin(gate, [], 'b/1'));
  await expect(others[3]?.done).rejects.toMatchObject({ reason: 'FULL' });
});

it('forgets who leaves while waiting, and goes on after work that fails', async () => {
  const gate = createFairGate({ ...limits, total: 1 });
  const entered: string[] = [];
  const leaving = new AbortController();
  const first = begin(gate, entered, 'a/1');
  const second = begin(gate, entered, 'a/2', leaving.signal);
  leaving.abort();
  await expect(second.done).rejects.toMatchObject({ reason: 'LEFT' });
  const failing = gate.run(
    'b',
    '1',
    () => nobodyLeaves,
    () => Promise.reject(new Error('broken')),
  );
  const last = begin(gate, entered, 'b/3');
  const fails = expect(failing).rejects.toThrow('broken');
  await first.end();
  await fails;
  await settle();
  expect(entered).toEqual(['a/1', 'b/3']);
  await last.end();
  expect(gate.stats()).toEqual({ working: 0, waiting: 0 });
});

it('holds every limit and loses nobody, whatever comes and ends', async () => {
  const step = fc.oneof(fc.record({ name: fc.constantFrom('a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1') }), fc.record({ ends: fc.nat(20) }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const gate = createFairGate({ ...limits, mostWaiting: 100, mostWaitingPerMember: 100 });
      let pieces: Piece[] = [];
      for (const next of steps) {
        if ('name' in next) {
          pieces.push(begin(gate, [], next.name));
        } else {
          const inside = pieces.filter(({ isIn }) => isIn);
          const ended = inside[next.ends % Math.max(1, inside.length)];
          await ended?.end();
          pieces = pieces.filter((piece) => piece !== ended);
        }
        await settle();
        const inside = pieces.filter(({ isIn }) => isIn);
        const countOf = (start: string) => inside.filter(({ name }) => name.startsWith(start)).length;
        expect(inside.length).toBeLessThanOrEqual(limits.total);
        for (const group of ['a', 'b', 'c']) {
          expect(countOf(`${group}/`)).toBeLessThanOrEqual(limits.perGroup);
        }
        for (const { name, isIn } of pieces) {
          expect(countOf(name)).toBeLessThanOrEqual(limits.perMember);
          // Nobody waits beside a free place.
          const [group = ''] = name.split('/');
          const isFull = inside.length === limits.total || countOf(`${group}/`) === limits.perGroup || countOf(name) === limits.perMember;
          expect(isIn || isFull).toBe(true);
        }
      }
      while (pieces.length > 0) {
        const inside = pieces.filter(({ isIn }) => isIn);
        await Promise.all(inside.map((piece) => piece.end()));
        pieces = pieces.filter((piece) => !inside.includes(piece));
      }
      expect(gate.stats()).toEqual({ working: 0, waiting: 0 });
    }),
    { numRuns: 60 },
  );
});
