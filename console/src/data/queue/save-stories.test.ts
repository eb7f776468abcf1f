/**
 * Stories of one person's decisions in tabs and on devices, with answers that are lost, tabs that hear late, pages that are gone at once and clocks that
 * somebody sets: what the server has in the end is what was said last, and every screen shows it.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tries } from '../../../../test/support/runs.ts';
import { isMeant } from './drafts.ts';
import { type Box, certify, deny, Server, World } from './save-drafts.fixture.ts';

const ids = ['a', 'b', 'c'];
const tabsEach = 2;

type Act =
  | { readonly kind: 'certify' | 'deny' | 'undo'; readonly id: string }
  | { readonly kind: 'undoLast' | 'submit' | 'takeBack' | 'sendNow' | 'sendAgain' | 'reload' | 'close' | 'look' | 'send' | 'fallBehind' }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'fail' | 'lose'; readonly count: number }
  | { readonly kind: 'setClock'; readonly hours: number };

interface Moment {
  readonly device: number;
  readonly tab: number;
  readonly act: Act;
}

const id = fc.constantFrom(...ids);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('certify' as const, 'deny' as const, 'undo' as const), id }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        ...(['undoLast', 'submit', 'takeBack', 'sendNow', 'sendAgain', 'reload', 'close', 'look', 'send', 'fallBehind'] as const),
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(500, 4_000, 11_000) }) },
  fc.record({ kind: fc.constantFrom('fail' as const, 'lose' as const), count: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ kind: fc.constant('setClock' as const), hours: fc.integer({ min: -30, max: 30 }) }),
);

/** Acts of a person on so many devices. */
const story = (devices: number): fc.Arbitrary<Moment[]> =>
  fc.array(fc.record({ device: fc.nat(devices - 1), tab: fc.nat(tabsEach - 1), act }), { maxLength: 40, size: 'max' });

class Telling {
  readonly server = new Server();
  readonly devices: { readonly world: World; readonly tabs: (Box | undefined)[] }[];
  /** What was said last about each task, by device. */
  readonly said: Map<string, string>[];
  /** Tasks whose decision was taken back last on some device: what was recorded stays, which that device may not know. */
  readonly takenBack = new Set<string>();
  /** Tasks that were taken back while it was not known whether a submission of them arrived. */
  readonly mayBeRecorded = new Set<string>();
  #key = 0;

  constructor(devices: number) {
    this.devices = Array.from({ length: devices }, () => ({
      world: new World(this.server),
      tabs: Array.from({ length: tabsEach }, () => undefined),
    }));
    this.said = this.devices.map(() => new Map());
  }

  async tabOf(device: number, tab: number): Promise<Box> {
    const { world, tabs } = this.#device(device);
    const open = tabs[tab] ?? world.box();
    if (tabs[tab] === undefined) {
      tabs[tab] = open;
      await open.open();
      await world.pass(0);
      await open.look();
    }
    return open;
  }

  async tell({ device, tab, act: one }: Moment): Promise<void> {
    const { world, tabs } = this.#device(device);
    if (one.kind === 'pass') {
      return this.#pass(one.ms);
    }
    if (one.kind === 'fail') {
      this.server.failures = Array.from({ length: one.count }, () => ({ kind: 'outage' as const, message: '' }));
      return;
    }
    if (one.kind === 'lose') {
      this.server.lost = one.count;
      return;
    }
    if (one.kind === 'setClock') {
      world.skew = one.hours * 3_600_000;
      return;
    }
    if (one.kind === 'reload' || one.kind === 'close') {
      one.kind === 'reload' ? tabs[tab]?.crash() : tabs[tab]?.close();
      tabs[tab] = undefined;
      await world.pass(0);
      return;
    }
    const box = await this.tabOf(device, tab);
    box.catchUp();
    if (one.kind === 'fallBehind') {
      box.fallBehind();
      return;
    }
    const before = box.drafts;
    this.#do(box, one);
    // What the screen says of what it changed, or submits, is what the person said.
    for (const [taskId, draft] of box.drafts) {
      if (before.get(taskId) !== draft || (one.kind === 'submit' && isMeant(draft))) {
        this.said[device]?.set(taskId, isMeant(draft) ? draft.choice : this.#recorded(box, taskId));
        isMeant(draft) || this.takenBack.add(taskId);
        isMeant(draft) || !this.#isUnsure() ? this.mayBeRecorded.delete(taskId) : this.mayBeRecorded.add(taskId);
      }
    }
    await world.pass(0);
  }

  /** Screens that say that all is saved while the server has another decision, where nobody decides elsewhere, and which heard of everything. */
  listLies(): string[] {
    return this.devices.flatMap(({ tabs }) =>
      tabs.flatMap((box) => {
        if (box === undefined || box.isBehind || box.saving.unsaved > 0) {
          return [];
        }
        return [...box.drafts.values()]
          .filter((draft) => isMeant(draft) && draft.choice !== this.finalOf(draft.taskId))
          .map(({ taskId, choice }) => `${taskId} is ${choice}, all saved; the server has ${this.finalOf(taskId)}`);
      }),
    );
  }

  #do(box: Box, one: Act): void {
    const { phase } = box.submission;
    const isFree = phase !== 'waiting' && phase !== 'sending' && phase !== 'elsewhere';
    if ((one.kind === 'certify' || one.kind === 'deny') && isFree) {
      box.decide([one.kind === 'certify' ? certify(one.id) : deny(one.id)]);
    } else if (one.kind === 'undo') {
      box.undo(one.id);
    } else if (one.kind === 'undoLast' && isFree) {
      box.undoLast();
    } else if (one.kind === 'submit' && isFree && phase !== 'unsure' && phase !== 'failed') {
      box.submit(String(this.#key++));
    } else if (one.kind === 'takeBack') {
      phase === 'elsewhere' ? box.ask('undo') : phase === 'waiting' ? box.undoLast() : undefined;
    } else if (one.kind === 'sendNow') {
      phase === 'elsewhere' ? box.ask('send') : box.sendSubmission();
    } else if (one.kind === 'sendAgain' && (phase === 'unsure' || phase === 'failed')) {
      box.sendSubmission();
    } else if (one.kind === 'look') {
      void box.look();
    } else if (one.kind === 'send') {
      void box.flush();
    }
  }

  /** True if a screen says that another decision than its own holds. */
  isSaidOtherwise(taskId: string): boolean {
    return this.devices.some(({ tabs }) => tabs.some((box) => box?.drafts.get(taskId)?.instead !== undefined));
  }

  #isUnsure(): boolean {
    return this.devices.some(({ tabs }) => tabs.some((box) => box?.submission.phase === 'unsure' || box?.submission.phase === 'failed'));
  }

  /** A decision that is taken back leaves what was recorded before. */
  #recorded(box: Box, taskId: string): string {
    return { CERTIFIED: 'certify', DECERTIFIED: 'deny' }[box.outcomeOf(taskId)] ?? 'none';
  }

  /** Everybody answers, every device looks, and each submission of which it was not known whether it arrived is sent again. */
  async end(): Promise<void> {
    this.server.failures = [];
    this.server.lost = 0;
    for (let round = 0; round < 4; round++) {
      for (const device of this.devices.keys()) {
        for (let tab = 0; tab < tabsEach; tab++) {
          const box = await this.tabOf(device, tab);
          box.catchUp();
          if (box.submission.phase === 'unsure' || box.submission.phase === 'failed') {
            box.sendSubmission();
          }
          await this.#pass(60_000);
          await box.look();
          await this.#pass(60_000);
        }
      }
    }
  }

  finalOf(taskId: string): string {
    return this.server.values.get(taskId)?.choice ?? this.server.recorded.get(taskId) ?? 'none';
  }

  /** The screens that are open, and what each shows about a task. */
  screens(taskId: string): string[] {
    return this.devices.flatMap(({ tabs }) =>
      tabs.flatMap((box) => {
        const draft = box?.drafts.get(taskId);
        return box === undefined ? [] : isMeant(draft) ? draft.choice : this.#recorded(box, taskId);
      }),
    );
  }

  async #pass(ms: number): Promise<void> {
    await Promise.all(this.devices.map(({ world }) => world.pass(ms)));
  }

  #device(device: number): (typeof this.devices)[number] {
    const found = this.devices[device];
    if (found === undefined) {
      throw new Error('no such device');
    }
    return found;
  }
}

async function tell(devices: number, moments: readonly Moment[]): Promise<Telling> {
  const telling = new Telling(devices);
  for (const moment of moments) {
    await telling.tell(moment);
    if (devices === 1) {
      expect(telling.listLies()).toEqual([]);
    }
  }
  await telling.end();
  for (const taskId of ids) {
    const final = telling.finalOf(taskId);
    expect(telling.screens(taskId), `what the screens show of ${taskId}`).toEqual(Array(devices * tabsEach).fill(final));
  }
  for (const { tabs } of telling.devices) {
    for (const box of tabs) {
      expect(box?.saving).toMatchObject({ state: 'saved', unsaved: 0 });
    }
  }
  return telling;
}

const numRuns = tries(150, 3000);

it('on one device end with what was said last, in whichever tab', async () => {
  await fc.assert(
    fc.asyncProperty(story(1), async (moments) => {
      const telling = await tell(1, moments);
      for (const [taskId, said] of telling.said[0] ?? []) {
        telling.mayBeRecorded.has(taskId) || expect([taskId, telling.finalOf(taskId)]).toEqual([taskId, said]);
      }
    }),
    { numRuns },
  );
}, 300_000);

it('on two devices end with what was said last on one of them, which both show', async () => {
  await fc.assert(
    fc.asyncProperty(story(2), async (moments) => {
      const telling = await tell(2, moments);
      for (const taskId of ids.filter((one) => !telling.isSaidOtherwise(one))) {
        // What is taken back on one device leaves what the other one submitted.
        const recorded = telling.takenBack.has(taskId) ? [telling.server.recorded.get(taskId) ?? 'none'] : [];
        const said = telling.said.flatMap((each) => each.get(taskId) ?? []).concat(recorded);
        expect([taskId, said.length === 0 ? ['none'] : said]).toEqual([taskId, expect.arrayContaining([telling.finalOf(taskId)])]);
      }
    }),
    { numRuns },
  );
}, 300_000);
