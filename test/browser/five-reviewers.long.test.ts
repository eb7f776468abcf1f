/**
 * Five people finish a review each: one with a slow clock, one in a hardened browser, one at a German keyboard, one at 200 % zoom, one abroad. What the server
 * has in the end is what each of them meant, item by item.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { hasBrowser, openBrowser, type PageOptions, type TestBrowser } from '../support/browser.ts';
import { longTenSeconds, type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { meantBy, type ReviewerAct, wholeReview } from '../support/reviewer-acts.ts';
import { Hand, openReview, signInOnScreen, tabTo, untilFocus } from '../support/reviewer-hand.ts';
import { expectRecord } from '../support/reviewer-record.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { passTime, setClock, shiftableClock } from '../support/shifted-clock.ts';

let server: TestServer;
let browser: TestBrowser;

const items = 9;
const hourMs = 3_600_000;
/** 24 January of the next year: months ahead of the autumn, and always within what can be chosen. */
const day = `${new Date().getUTCFullYear() + 1}-01-24`;
const typedAs = (order: 'month first' | 'day first'): string => {
  const [year = '', month = '', ofMonth = ''] = day.split('-');
  return order === 'month first' ? `${month}${ofMonth}${year}` : `${ofMonth}${month}${year}`;
};
const acts = wholeReview((number) => `Because of reason ${number}.`, { typed: typedAs('month first'), day });

/** A browser that gives a page nothing to keep, share or tell. */
const refusing = `{
  const refuse = (of, name) =>
    Object.defineProperty(of, name, { configurable: true, get() { throw new DOMException('denied', 'SecurityError'); } });
  for (const name of ['indexedDB', 'localStorage', 'sessionStorage', 'caches']) refuse(globalThis, name);
  for (const name of ['BroadcastChannel', 'Notification']) Object.defineProperty(globalThis, name, { value: undefined });
  for (const name of ['locks', 'serviceWorker', 'clipboard', 'storage']) Object.defineProperty(Navigator.prototype, name, { value: undefined });
}`;
const withoutTabs = `for (const name of ['BroadcastChannel', 'Notification']) {
  globalThis[name] = class { constructor() { throw new DOMException('denied', 'SecurityError'); } };
}`;

/** Says what of the focus is out of sight: it is on the screen, and what lies there is it or in it. */
const focusInSight = `(() => {
  const at = document.activeElement;
  if (at === document.body) return 'nothing has the focus';
  const { left, top, right, bottom } = at.getBoundingClientRect();
  const [x, y] = [(Math.max(0, left) + Math.min(innerWidth, right)) / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2];
  const points = [[x, y], [x, top + 6], [x, bottom - 6]];
  const isSeen = points.some(([px, py]) => {
    const there = document.elementFromPoint(px, py);
    return there !== null && (at.contains(there) || there.contains(at) && there.closest('label') !== null);
  });
  return isSeen ? '' : 'not in sight: ' + at.outerHTML.slice(0, 200) + JSON.stringify([left, top, right, bottom]);
})()`;

/** The same of the button that submits. */
const submitInSight = `(() => {
  const button = [...document.querySelectorAll('nav button')].at(-1);
  const { left, top, right, bottom } = button.getBoundingClientRect();
  const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && button.contains(there) ? '' : button.outerHTML.slice(0, 200);
})()`;

/** A key as the systems of others send it, where what has the focus is. */
const press = (page: Page, init: object): Promise<void> =>
  page.evaluate(
    `void document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...${JSON.stringify(init)} }))`,
  );

/** Somebody at a review of their own, signed in through the screens. */
interface Desk {
  readonly story: QueueStory;
  readonly page: Page;
  readonly ids: readonly string[];
  readonly hand: Hand;
  readonly since: number;
}

interface DeskOptions {
  readonly name: string;
  readonly page?: PageOptions;
  /** Scripts of the page, before it loads. */
  readonly scripts?: readonly string[];
  readonly review?: object;
  readonly accounts?: readonly string[];
  readonly nameOfFarid?: string;
  /** Their own time zone. */
  readonly zone?: string | undefined;
  /** What is done to the page before somebody signs in. */
  readonly prepare?: (page: Page) => Promise<void>;
  readonly write?: (page: Page, words: string) => Promise<void>;
  /** What is looked at wherever Tab leads. */
  readonly look?: (page: Page) => Promise<void>;
  /** What is looked at in the list of one's own reviews. */
  readonly atHome?: (page: Page) => Promise<unknown>;
}

async function sitDown({ name, page: options, scripts = [], prepare, write, look, atHome, zone, ...more }: DeskOptions): Promise<Desk> {
  const story = await tellQueueStory(server, { items, name, rules: { requireDenialReason: true }, ...more });
  if (zone !== undefined) {
    await request(server, await server.ownClient(story.elif), 'PUT', '/api/v1/my/preferences', { preferences: { timeZone: zone } });
  }
  const since = Date.now();
  const page = await browser.signedOutPage(server, options);
  for (const script of [...scripts, longTenSeconds]) {
    await page.addInitScript(script);
  }
  await prepare?.(page);
  await signInOnScreen(page, server, story.elif);
  await atHome?.(page);
  const ids = await openReview(page, story.reviewId, () => look?.(page));
  return { story, page, ids, since, hand: new Hand({ page, ids, write: write === undefined ? undefined : (words) => write(page, words) }) };
}

const saved = (page: Page) => page.locator('nav [data-state=saved]').waitFor({ state: 'attached' });
const date = (locale: string, of: string): string =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date(of));
const berlin = (of: string): string => new Date(Date.parse(`${of}T23:59:59Z`) - hourMs).toISOString();

async function compare({ story, ids, since, page }: Desk, done: readonly ReviewerAct[], endOf = berlin): Promise<void> {
  await expectRecord({ story, ids, since, endOf, meant: meantBy(done, ids.length) });
  await page.context().close();
}

describe.skipIf(!hasBrowser)('what the server has of a whole review is what was meant', () => {
  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    browser.expectComplaint(/net::ERR_|status of (?:409|503)/);
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it.each([
    ['an hour slow', -1],
    ['thirty hours fast', 30],
  ])('by somebody whose clock is %s, and is set while they work', async (how, hours) => {
    const desk = await sitDown({
      name: `A clock ${how}`,
      scripts: [shiftableClock],
      prepare: async (page) => {
        await page.goto('/healthz');
        await setClock(page, hours * hourMs);
      },
    });
    const { page, hand } = desk;
    for (const act of acts.slice(0, 5)) {
      await hand.act(act);
    }
    await saved(page);
    await page.route('**/pending_decisions', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    for (const act of acts.slice(5, 8)) {
      await hand.act(act);
    }
    await page.locator('nav [data-state=device]').waitFor({ state: 'attached' });
    await setClock(page, (hours - 2) * hourMs);
    for (const act of acts.slice(8, 10)) {
      await hand.act(act);
    }
    await page.unroute('**/pending_decisions');
    await page.reload();
    await page.locator('[role=row][data-current]').waitFor();
    for (const act of acts.slice(10)) {
      await hand.act(act);
    }
    await passTime(page, 60_000);
    await saved(page);
    await hand.submit();
    await compare(desk, acts);
  });

  it.each([
    ['refuses everything', [refusing]],
    ['never answers', ['IDBFactory.prototype.open = () => ({});', withoutTabs]],
  ])('by somebody whose hardened browser %s', async (how, scripts) => {
    const desk = await sitDown({
      name: `A browser that ${how}`,
      page: { context: { timezoneId: 'UTC', reducedMotion: 'reduce', serviceWorkers: 'block' } },
      scripts,
      review: { signatureConfig: { requireSignature: true, meaningOfSignature: 'I looked at each of these.' } },
      prepare: async (page) => {
        await page.route(/[/._-](?:banners?|ads?|adverts?|track(?:er|ing)?|analytics|beacons?|telemetry)[/._-]/i, (route) => route.abort());
      },
    });
    const { page, hand, story } = desk;
    await page.getByText('This browser keeps nothing for this page').waitFor();
    for (const act of acts.slice(0, 6)) {
      await hand.act(act);
    }
    // At once, without the pause in which a browser that keeps them collects several.
    await saved(page);
    await page.route('**/pending_decisions', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    for (const act of acts.slice(6, 9)) {
      await hand.act(act);
    }
    await page.getByText('keep it open until your decisions are saved').waitFor();
    await tabTo(page, 'nav a[href="/home"]', 'Shift+Tab');
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.evaluate('void setTimeout(() => location.reload(), 0)');
    await expect.poll(() => asked).toEqual(['beforeunload']);
    await page.unroute('**/pending_decisions');
    await tabTo(page, '[role=row][tabindex="0"]');
    for (const act of acts.slice(9)) {
      await hand.act(act);
    }
    await saved(page);
    await hand.sign();
    await expect.poll(async () => (await story.counts()).undecided).toBe('1');
    await compare(desk, acts, (of) => `${of}T23:59:59.000Z`);
  });

  it('by somebody at a German keyboard, who has no pointer', async () => {
    const german = wholeReview((number) => `Größer als nötig, Grund ${number}: „ä ö ü ß“`, { typed: typedAs('month first'), day }).map(
      (act) => (act.kind === 'pass' ? { ...act, name: 'Fa\u0308rid' } : act),
    );
    const desk = await sitDown({
      name: 'Prüfung über alles',
      page: { context: { locale: 'de-DE' } },
      nameOfFarid: 'Färid Sämple',
      accounts: ['jörg.groß'],
      write: async (page, words) => {
        await page.keyboard.type(words);
        // An input method composes: its Escape and Enter are not ours.
        for (const key of ['Escape', 'Enter', 'Process']) {
          await press(page, { key, isComposing: true, ctrlKey: key === 'Enter' });
        }
      },
    });
    const { page, hand, ids } = desk;
    await page.getByRole('button', { name: 'Bestätigen', exact: true }).waitFor();
    for (const act of german.slice(0, 5)) {
      await hand.act(act);
    }
    // Keys that write nothing of ours: a dead one, y where z was, Umlauts, and signs with AltGr, as Ctrl and Alt for some systems.
    const shown = () => page.locator('[role=row][data-id]').evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
    await hand.go(2);
    const before = await shown();
    for (const key of ['Dead', 'y', 'ö', 'ä', 'ü', 'ß', '#', '+', '-', 'Process', 'Unidentified']) {
      await press(page, { key, code: 'KeyZ' });
    }
    for (const key of ['c', 'd', 'z']) {
      await press(page, { key, ctrlKey: true, altKey: true });
    }
    expect(await shown()).toEqual(before);
    const current = () => page.locator('[role=row][data-current]').getAttribute('data-id');
    const here = await current();
    await press(page, { key: '[', ctrlKey: true, altKey: true });
    await expect.poll(current).not.toBe(here);
    await press(page, { key: ']', ctrlKey: true, altKey: true });
    await hand.go(2);
    for (const [typed, count] of [
      ['JO\u0308RG', 1],
      ['gross', 1],
      ['Sample, Tara', 3],
    ] as const) {
      await press(page, { key: '/', shiftKey: true });
      await untilFocus(page, 'input[type=search]');
      await page.keyboard.press('Control+A');
      await page.keyboard.type(typed);
      await press(page, { key: 'Enter', isComposing: true });
      await untilFocus(page, 'input[type=search]');
      await expect.poll(() => page.locator('[role=row][data-id]').count(), { message: typed }).toBe(count);
    }
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('[role=row][data-id]').count()).toBe(ids.length);
    for (const act of german.slice(5)) {
      await hand.act(act);
    }
    // z of this keyboard is where others have y.
    await hand.go(9);
    await hand.act({ kind: 'certify', item: 9 });
    await press(page, { key: 'z', code: 'KeyY' });
    await page.locator(`[role=row][data-id="${ids[9]}"]:not([data-decided])`).waitFor();
    await hand.act({ kind: 'deny', item: 9, words: 'Niemand ist zuständig.' });
    await saved(page);
    await hand.submit();
    await compare(desk, [...german, { kind: 'deny', item: 9, words: 'Niemand ist zuständig.' }]);
  });

  it.each([
    ['200 %', { width: 640, height: 360 }, 2],
    ['400 %', { width: 320, height: 256 }, 4],
    ['a window of 1000 pixels', { width: 1000, height: 700 }, 1],
  ])('by somebody at %s, to whom everything is in sight', async (how, size, deviceScaleFactor) => {
    const look = async (page: Page): Promise<void> => {
      await expect.poll(() => page.evaluate<string>(focusInSight)).toBe('');
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    };
    const desk = await sitDown({
      name: how,
      page: { size, context: { deviceScaleFactor } },
      write: async (page, words) => {
        await look(page);
        await page.keyboard.type(words);
        await look(page);
      },
      look,
    });
    const { page, hand } = desk;
    for (const act of acts) {
      await hand.act(act);
      await look(page);
      expect(await page.evaluate<string>(submitInSight)).toBe('');
    }
    await saved(page);
    await hand.submit(() => look(page));
    await compare(desk, acts);
  });

  it.each([
    ['Pacific/Auckland', undefined, 'en-NZ', 13],
    ['Pacific/Honolulu', undefined, 'de-DE', -10],
    ['Pacific/Auckland', 'Europe/Berlin', 'en-US', 1],
  ])('by somebody whose browser is in %s, with the zone %s of their own', async (timezoneId, own, locale, hours) => {
    const tonight = new Date(Date.now() + 5 * hourMs).toISOString();
    const shownAs = (options: Intl.DateTimeFormatOptions): string =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone: own ?? timezoneId }).format(new Date(tonight));
    const due = `${shownAs({ weekday: 'short', day: 'numeric', month: 'short' })}, ${shownAs({ hour: '2-digit', minute: '2-digit' })}`;
    const desk = await sitDown({
      name: `Abroad in ${timezoneId}, ${own ?? 'no zone'}`,
      page: { context: { timezoneId, locale } },
      review: { completionDate: tonight },
      zone: own,
      atHome: (page) => page.getByText(due).first().waitFor(),
    });
    const { page, hand } = desk;
    await page.getByText(due).first().waitFor();
    for (const act of acts) {
      await hand.act(act);
    }
    await page.getByText(date(locale, day)).first().waitFor();
    await saved(page);
    await hand.submit();
    await compare(desk, acts, (of) => new Date(Date.parse(`${of}T23:59:59Z`) - hours * hourMs).toISOString());
  });
});
