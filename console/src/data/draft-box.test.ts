/** The box of drafts with a device, tabs, a server and a clock of the test's own. */
import { describe, expect, it } from 'vitest';
import type { SaveFailure } from './draft-around.ts';
import { DraftBox } from './draft-box.ts';
import { counts, type Draft, mergeCopies, mostAtOnce, type StagedDecision } from './drafts.ts';

/** Lets what is due in promises happen. */
const settle = async (): Promise<void> => {
  for (let round = 0; round < 20; round++) {
    await Promise.resolve();
  }
};

class World {
  held: readonly Draft[] = [];
  staged: readonly StagedDecision[] = [];
  readonly saves: (readonly Draft[])[] = [];
  failures: SaveFailure[] = [];
  listFails = false;
  time = 1_000_000;
  timers: { at: number; run: () => void }[] = [];
  readonly tabs = new Set<(drafts: readonly Draft[]) => void>();

  box(): DraftBox {
    let mine: ((drafts: readonly Draft[]) => void) | undefined;
    return new DraftBox({
      shelf: {
        read: async () => this.held,
        update: async (change) => {
          this.held = change(this.held);
        },
      },
      tabs: {
        send: (drafts) => {
          for (const tab of this.tabs) {
            if (tab !== mine) {
              tab(drafts);
            }
          }
        },
        hear: (heard) => {
          mine = heard;
          this.tabs.add(heard);
          return () => this.tabs.delete(heard);
        },
      },
      server: {
        list: async () => {
          if (this.listFails) {
            throw new Error('nobody answers');
          }
          return this.staged;
        },
        save: async (decisions) => {
          const failure = this.failures.shift();
          if (failure === undefined) {
            this.saves.push(decisions);
          }
          return failure;
        },
      },
      timers: {
        now: () => this.time,
        later: (ms, run) => {
          const timer = { at: this.time + ms, run };
          this.timers.push(timer);
          return () => {
            this.timers = this.timers.filter((one) => one !== timer);
          };
        },
      },
    });
  }

  /** Lets time pass, with what is due in it. */
  async pass(ms: number): Promise<void> {
    const until = this.time + ms;
    for (;;) {
      await settle();
      const next = this.timers.filter(({ at }) => at <= until).sort((left, right) => left.at - right.at)[0];
      if (next === undefined) {
        break;
      }
      this.time = Math.max(this.time, next.at);
      this.timers = this.timers.filter((one) => one !== next);
      next.run();
    }
    this.time = until;
    await settle();
  }
}

const certify = (taskId: string) => ({ taskId, choice: 'certify' as const, comment: '', until: '', amend: false });
const deny = (taskId: string) => ({ ...certify(taskId), choice: 'deny' as const, comment: 'left' });
const meant = (box: DraftBox): string[] => [...box.drafts.values()].filter(counts).map(({ taskId }) => taskId);

async function open(world = new World()): Promise<{ world: World; box: DraftBox }> {
  const box = world.box();
  await box.open();
  return { world, box };
}

describe('sending', () => {
  it('takes decisions of two seconds together', async () => {
    const { world, box } = await open();
    box.decide([certify('a')]);
    await world.pass(1000);
    box.decide([certify('b')]);
    expect(box.saving).toMatchObject({ state: 'waiting', unsaved: 2 });
    await world.pass(900);
    expect(world.saves).toEqual([]);
    await world.pass(200);
    expect(world.saves.map((one) => one.map(({ taskId }) => taskId))).toEqual([['a', 'b']]);
    expect(box.saving).toMatchObject({ state: 'saved', unsaved: 0 });
  });

  it('waits a little longer with a single one', async () => {
    const { world, box } = await open();
    box.decide([certify('a')]);
    await world.pass(3900);
    expect(world.saves).toHaveLength(0);
    await world.pass(200);
    expect(world.saves).toHaveLength(1);
  });

  it('sends twenty at once', async () => {
    const { world, box } = await open();
    for (let made = 0; made < 20; made++) {
      box.decide([certify(`t${made}`)]);
    }
    await world.pass(1);
    expect(world.saves.map(({ length }) => length)).toEqual([20]);
  });

  it('makes thirty requests at most of sixty decisions, however fast they come', async () => {
    for (const pace of [30, 400, 1100, 2500]) {
      const { world, box } = await open();
      for (let made = 0; made < 60; made++) {
        box.decide([certify(`t${made}`)]);
        await world.pass(pace);
      }
      await world.pass(10_000);
      expect(world.saves.length, `one each ${pace} ms`).toBeLessThanOrEqual(31);
      expect(world.saves.at(-1)).toHaveLength(60);
    }
  });

  it('sends the whole list each time, so that what was taken back is gone there', async () => {
    const { world, box } = await open();
    box.decide([certify('a'), certify('b')]);
    await world.pass(5000);
    box.undo('a');
    await world.pass(5000);
    expect(world.saves.map((one) => one.map(({ taskId }) => taskId))).toEqual([['a', 'b'], ['b']]);
    expect([...box.drafts.keys()]).toEqual(['b']);
  });

  it('says what stays on this device because the server holds no more, and does not try for ever', async () => {
    const { world, box } = await open();
    box.decide(Array.from({ length: mostAtOnce + 7 }, (_, index) => certify(`t${index}`)));
    await world.pass(60_000);
    expect(world.saves).toHaveLength(1);
    expect(box.saving).toMatchObject({ state: 'saved', unsaved: 7 });
  });
});

describe('taking back', () => {
  it('goes step by step, several decisions of one step together', async () => {
    const { box } = await open();
    box.decide([certify('a')]);
    box.decide([certify('b'), certify('c')]);
    expect(box.undoLast()).toEqual(['b', 'c']);
    expect(meant(box)).toEqual(['a']);
    expect(box.undoLast()).toEqual(['a']);
    expect(box.undoLast()).toEqual([]);
  });

  it('brings back what was decided before', async () => {
    const { box } = await open();
    box.decide([certify('a')]);
    box.decide([deny('a')]);
    box.undoLast();
    expect(box.drafts.get('a')).toMatchObject({ choice: 'certify', comment: '' });
  });

  it('of one task is a step, too', async () => {
    const { box } = await open();
    box.decide([deny('a')]);
    expect(box.undo('a')).toBe(true);
    expect(box.undo('a')).toBe(false);
    box.undoLast();
    expect(box.drafts.get('a')).toMatchObject({ choice: 'deny' });
  });

  it('goes on behind this visit, the newest first', async () => {
    const world = new World();
    const first = await open(world);
    first.box.decide([certify('a')]);
    world.time += 10;
    first.box.decide([certify('b')]);
    await settle();
    first.box.close();
    world.listFails = true;
    const { box } = await open(world);
    expect(box.undoLast()).toEqual(['b']);
    expect(meant(box)).toEqual(['a']);
  });
});

describe('this device', () => {
  it('keeps what was decided before it is sent', async () => {
    const { world, box } = await open();
    box.decide([deny('a')]);
    await settle();
    expect(world.held).toMatchObject([{ taskId: 'a', choice: 'deny', savedAt: 0 }]);
  });

  it('brings it back without the server, and sends it when that answers', async () => {
    const world = new World();
    const first = await open(world);
    first.box.decide([deny('a')]);
    await settle();
    world.failures = [{ kind: 'outage', message: '' }];
    first.box.close();
    await world.pass(60_000);
    expect(world.saves).toEqual([]);
    world.listFails = true;
    const { box } = await open(world);
    expect(meant(box)).toEqual(['a']);
    await world.pass(10_000);
    expect(world.saves).toMatchObject([[{ taskId: 'a' }]]);
  });

  it('sends what waits when the page is left, what was taken back too, and nothing behind that', async () => {
    const { world, box } = await open();
    box.decide([certify('a'), certify('b')]);
    await world.pass(10_000);
    expect(world.saves).toHaveLength(1);
    box.undo('b');
    box.close();
    await settle();
    expect(world.saves).toHaveLength(2);
    await world.pass(60_000);
    expect(world.saves).toHaveLength(2);
  });

  it('takes what the server holds from another device', async () => {
    const world = new World();
    world.staged = [{ taskId: 'a', choice: 'deny', comment: 'x', until: '', amend: false, stagedAt: 5 }];
    const { box } = await open(world);
    expect(meant(box)).toEqual(['a']);
    expect(box.saving).toMatchObject({ state: 'saved', unsaved: 0 });
  });

  it('is written by two tabs without either losing anything', async () => {
    const world = new World();
    const [left, right] = [await open(world), await open(world)];
    left.box.decide([certify('a')]);
    right.box.decide([certify('b')]);
    await settle();
    expect(world.held.map(({ taskId }) => taskId).sort()).toEqual(['a', 'b']);
    expect([meant(left.box).sort(), meant(right.box).sort()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });
});

describe('without an answer', () => {
  const outage: SaveFailure = { kind: 'outage', message: 'no answer' };

  it('it is tried again after one second, two, four, up to thirty, and deciding goes on', async () => {
    const { world, box } = await open();
    world.failures = Array.from({ length: 7 }, () => outage);
    const waits: number[] = [];
    box.decide([certify('a')]);
    await world.pass(4000);
    for (let round = 0; round < 7; round++) {
      expect(box.saving.state).toBe('device');
      const wait = box.saving.retryAt - world.time;
      waits.push(wait);
      box.decide([certify(`t${round}`)]);
      await world.pass(wait);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(world.saves.at(-1)).toHaveLength(8);
    expect(box.saving).toMatchObject({ state: 'saved', unsaved: 0 });
  });

  it('says since when decisions are here alone', async () => {
    const { world, box } = await open();
    world.failures = [outage, outage];
    const begun = world.time;
    box.decide([certify('a')]);
    await world.pass(4500);
    box.decide([certify('b')]);
    expect(box.saving).toMatchObject({ state: 'device', unsaved: 2, since: begun });
  });

  it('tries at once where that is wanted', async () => {
    const { world, box } = await open();
    world.failures = [outage];
    box.decide([certify('a')]);
    await world.pass(4100);
    await box.flush();
    expect(box.saving.state).toBe('saved');
  });
});

describe('a refusal', () => {
  it('of single tasks leaves them beside, and sends the rest', async () => {
    const { world, box } = await open();
    world.failures = [{ kind: 'tasks', message: '', tasks: new Map([['a', 'is no task of yours']]) }];
    box.decide([certify('a'), certify('b')]);
    await world.pass(10_000);
    expect(world.saves).toMatchObject([[{ taskId: 'b' }]]);
    expect(box.drafts.get('a')).toMatchObject({ choice: 'certify', refused: 'is no task of yours' });
    expect(meant(box)).toEqual(['b']);
  });

  it.each(['signedOut', 'closed'] as const)('%s ends the sending, and keeps what was decided', async (kind) => {
    const { world, box } = await open();
    world.failures = [{ kind, message: 'why' }];
    box.decide([certify('a')]);
    await world.pass(60_000);
    expect(box.saving).toMatchObject({ state: kind, unsaved: 1 });
    expect(world.saves).toEqual([]);
    expect(world.held).toHaveLength(1);
  });

  it('because somebody was first can be agreed to', async () => {
    const { box } = await open();
    box.decide([certify('a')]);
    box.refuse(['a', 'unknown'], 'Farid was first');
    expect(meant(box)).toEqual([]);
    box.discard('a');
    await settle();
    expect(box.drafts.size).toBe(0);
  });
});

describe('a submission', () => {
  it('takes what was decided out of the drafts, and leaves what was refused with its reason', async () => {
    const { world, box } = await open();
    box.decide([certify('a'), certify('b')]);
    await world.pass(5000);
    box.settle([
      { taskId: 'a', decided: true, message: '' },
      { taskId: 'b', decided: false, message: 'already denied by Farid' },
    ]);
    await settle();
    expect([...box.drafts.values()]).toMatchObject([{ taskId: 'b', refused: 'already denied by Farid' }]);
    expect(mergeCopies(new Map(), box.drafts).size).toBe(1);
    expect(world.held).toHaveLength(1);
    expect(box.undoLast()).toEqual(['b']);
  });

  it('waits for what is on its way', async () => {
    const { world, box } = await open();
    box.decide([certify('a')]);
    const sending = box.flush();
    await box.rest();
    await sending;
    expect(world.saves).toHaveLength(1);
  });

  it('is no longer possible once the review ended', async () => {
    const { box } = await open();
    box.end();
    expect(box.saving.state).toBe('closed');
  });
});
