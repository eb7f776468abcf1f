/** A clock of a page that is hours off and can be moved on: for tests of what happens while time passes. */
import type { Page } from 'playwright-core';

/** Name of the shift among what a tab keeps, which outlives a reload and no other tab has. */
const key = 'test.clock';

/**
 * For pages, before they load: shifts `Date`, and lets timers be due earlier. Our own and not Playwright's, whose clock is one for all pages of a
 * context.
 */
export const shiftableClock = `(() => {
  const [RealDate, set, clear] = [Date, setTimeout, clearTimeout];
  let shift = 0;
  try {
    shift = Number(sessionStorage.getItem('${key}') ?? 0);
  } catch {}
  globalThis.Date = new Proxy(RealDate, {
    construct: (of, args, target) => Reflect.construct(of, args.length > 0 ? args : [RealDate.now() + shift], target),
    apply: () => new RealDate(RealDate.now() + shift).toString(),
    get: (of, name) => (name === 'now' ? () => RealDate.now() + shift : Reflect.get(of, name)),
  });
  const waiting = new Map();
  let last = 0;
  const plan = (id, timer) => {
    timer.handle = set(() => fire(id), Math.max(0, timer.due - RealDate.now()));
    waiting.set(id, timer);
  };
  const fire = (id) => {
    const timer = waiting.get(id);
    waiting.delete(id);
    timer?.run();
  };
  globalThis.setTimeout = (run, ms = 0, ...args) => {
    plan(++last, { due: RealDate.now() + Number(ms), run: () => run(...args) });
    return last;
  };
  globalThis.clearTimeout = (id) => {
    clear(waiting.get(id)?.handle);
    waiting.delete(id);
  };
  globalThis.testClock = {
    set(ms) {
      shift = ms;
      sessionStorage.setItem('${key}', String(shift));
    },
    pass(ms) {
      shift += ms;
      sessionStorage.setItem('${key}', String(shift));
      for (const [id, timer] of [...waiting].sort(([, left], [, right]) => left.due - right.due)) {
        if (waiting.has(id)) {
          clear(timer.handle);
          timer.due -= ms;
          timer.due <= RealDate.now() ? fire(id) : plan(id, timer);
        }
      }
    },
  };
})()`;

/** Sets the clock of a tab, whatever it shows later. */
export async function setClock(page: Page, shiftMs: number): Promise<void> {
  await page.evaluate(`testClock.set(${shiftMs})`);
}

/** Lets time pass on a page: its clock shows it, and what was to happen until then happens now. */
export async function passTime(page: Page, ms: number): Promise<void> {
  await page.evaluate(`testClock.pass(${ms})`);
}
