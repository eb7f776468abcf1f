/** Acts in stories of one person with a queue on several screens: what there is, and how chance makes a story of them. Pure. */
import { createRandom } from './random.ts';

/** Two tabs of one browser, and a second device. */
export const screens = ['left', 'right', 'device'] as const;
export type ScreenName = (typeof screens)[number];

/** Items in the review of a story. */
export const itemsInStory = 6;

/** Items that a story decides: few, so that its acts meet. */
const itemsDecided = 3;

/** How requests of a screen that change something fail: no connection, a server that is down, or an answer that is lost. */
export type Failing = 'abort' | 'unavailable' | 'lost';

export type Act =
  | { readonly kind: 'certify' | 'deny' | 'takeBack'; readonly on: ScreenName; readonly item: number }
  /** The item and the one after it, chosen and decided as one. */
  | { readonly kind: 'certifyBoth' | 'denyBoth'; readonly on: ScreenName; readonly item: number }
  /** The browser freezes a screen that is out of sight; the next act on it wakes it. */
  | { readonly kind: 'sleep'; readonly on: ScreenName }
  | { readonly kind: 'undo' | 'submit' | 'sendNow' | 'undoSubmission' | 'reload' | 'reopen'; readonly on: ScreenName }
  | { readonly kind: 'offline' | 'online'; readonly on: 'left' | 'device' }
  | { readonly kind: 'fail'; readonly on: ScreenName; readonly failing: Failing }
  | { readonly kind: 'heal'; readonly on: ScreenName }
  | { readonly kind: 'pass'; readonly seconds: number };

/** A story: by how many hours each screen's clock is off, and what is done. */
export interface TabStory {
  readonly hours: Readonly<Record<ScreenName, number>>;
  readonly acts: readonly Act[];
}

const right = { left: 0, right: 0, device: 0 };

/** A story of these acts; all clocks are right unless it says so. */
export function storyOf(acts: readonly Act[], hours: Partial<TabStory['hours']> = {}): TabStory {
  return { hours: { ...right, ...hours }, acts };
}

/** The story of a seed. */
export function makeStory(seed: number): TabStory {
  const random = createRandom(seed);
  const oneOf = <T>(...all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  // Half of the stories are of one browser alone.
  const named: readonly ScreenName[] = oneOf<readonly ScreenName[]>(['left', 'right'], ['left', 'right', 'device']);
  const item = (): number => Math.floor(random() * itemsDecided);
  const next = (): Act => {
    const on = oneOf(...named);
    const at = Math.floor(random() * 100);
    if (at < 36) {
      return { kind: oneOf('certify', 'deny', 'takeBack'), on, item: item() };
    }
    if (at < 42) {
      return { kind: oneOf('certifyBoth', 'denyBoth'), on, item: item() };
    }
    if (at < 50) {
      return { kind: 'undo', on };
    }
    if (at < 62) {
      return { kind: 'submit', on };
    }
    if (at < 72) {
      return { kind: oneOf('sendNow', 'undoSubmission'), on };
    }
    if (at < 78) {
      return { kind: 'pass', seconds: oneOf(4, 11, 40) };
    }
    if (at < 84) {
      return { kind: oneOf('reload', 'reopen', 'sleep'), on };
    }
    if (at < 90) {
      return {
        kind: oneOf('offline', 'online'),
        on: oneOf(...(named.includes('device') ? (['left', 'device'] as const) : (['left'] as const))),
      };
    }
    return oneOf<Act>({ kind: 'fail', on, failing: oneOf('abort', 'unavailable', 'lost') }, { kind: 'heal', on });
  };
  const off = random() < 0.3;
  const hour = (): number => (off ? oneOf(0, -3, -1, 1, 5) : 0);
  const hours = { left: hour(), right: hour(), device: hour() };
  // It begins with something to go on with.
  const first = Array.from({ length: 3 }, (): Act => ({ kind: oneOf('certify', 'deny'), on: oneOf(...named), item: item() }));
  return { hours, acts: [...first, ...Array.from({ length: 3 + Math.floor(random() * 9) }, next)] };
}

/** An act in words, for a report. */
export function sayAct(act: Act): string {
  const { kind, ...more } = act;
  return [kind, ...Object.values(more)].join(' ');
}

/** A story in words. */
export function sayStory({ hours, acts }: TabStory): string {
  const off = screens.filter((name) => hours[name] !== 0).map((name) => `clock of ${name} ${hours[name]} h`);
  return [...off, ...acts.map(sayAct)].join('; ');
}
