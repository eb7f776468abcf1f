/** Screens of one person with a queue open, as stories act on them: by keys, and by what is shown. */
import type { BrowserContext, Page, Route } from 'playwright-core';
import { passTime, setClock, shiftableClock } from './shifted-clock.ts';
import type { StoryReview, Word } from './story-reviews.ts';
import { type Act, type Failing, type ScreenName, screens } from './tab-acts.ts';

/** What a row shows of a decision. */
export interface Shown extends Word {
  /** Words that the decision is not on the server, or does not count. */
  readonly isSaidOtherwise: boolean;
}

/** Longest that something may take which has to come. */
const longestMs = 60_000;

/** Longest that a screen may take to show an act. */
const longestActMs = 5_000;

/** Requests that change what the server has. */
const writes = /\/api\/v1\/access_review\/[^/]+\/(pending_decisions|submissions)\b/;

/** What the rows show, by the ids of their tasks. */
const readRows = `[...document.querySelectorAll('[role=grid] [role=row][data-id]')].map((row) => {
  const kind = row.querySelector('[data-kind]')?.dataset.kind ?? '';
  return [row.dataset.id, {
    mark: row.querySelector('[role=gridcell]').textContent.trim(),
    comment: /“(.*)”/.exec(row.textContent)?.[1] ?? '',
    isSaidOtherwise: kind === 'conflict' || kind === 'others' || / on this device/.test(row.textContent),
  }];
})`;

/** Work that keeps a decision on this device, as long as it may take: a few rounds through the parts of a browser that it goes through. */
const untilKept = `(async () => {
  for (let round = 0; round < 6; round++) {
    await crypto.subtle.digest('SHA-256', new Uint8Array(1000));
    const [{ name } = {}] = (await indexedDB.databases()).filter(({ name }) => name === 'countersign');
    await new Promise((resolve) => {
      if (name === undefined) {
        setTimeout(resolve, 5);
        return;
      }
      const open = indexedDB.open(name);
      open.onerror = resolve;
      open.onsuccess = () => {
        const db = open.result;
        const stores = [...db.objectStoreNames];
        if (stores.length === 0) {
          db.close();
          resolve();
          return;
        }
        const all = db.transaction(stores, 'readwrite');
        all.oncomplete = all.onabort = () => {
          db.close();
          resolve();
        };
        all.objectStore(stores[0]).count();
      };
    });
  }
})()`;

/** One screen. */
export class Screen {
  page: Page | undefined;
  failing: Failing | undefined;
  isAsleep = false;
  /** Seconds that passed since it fell asleep. */
  slept = 0;
  readonly #context: BrowserContext;
  readonly #name: ScreenName;
  #review: StoryReview | undefined;
  #hours = 0;

  constructor(name: ScreenName, context: BrowserContext) {
    this.#name = name;
    this.#context = context;
  }

  get isOpen(): boolean {
    return this.page !== undefined;
  }

  get #shown(): Page {
    if (this.page === undefined) {
      throw new Error(`${this.#name} is closed`);
    }
    return this.page;
  }

  /** Opens the queue of a review: in the tab that is there, as a link of the console does, else in a new one. */
  async open(review: StoryReview, hours: number): Promise<void> {
    this.#review = review;
    this.#hours = hours;
    this.failing = undefined;
    if (this.isAsleep) {
      await this.wake();
    }
    const path = `/r/${review.id}?show=all&by=list`;
    if (this.page === undefined) {
      this.page = await this.#context.newPage();
      await this.page.addInitScript(shiftableClock);
      await this.page.route(writes, (route) => this.#answer(route));
      // The clock of a tab is set where its origin is known, and nothing of ours runs.
      await this.page.goto('/healthz');
      await setClock(this.page, hours * 3_600_000);
      await this.page.goto(path);
    } else {
      await this.#closeDialogs();
      await setClock(this.page, hours * 3_600_000);
      await this.page.evaluate(`history.pushState({}, '', '${path}')`);
    }
    await this.#untilRead();
  }

  /** Waits for the rows of the review. The page's own security policy lets no script wait in it. */
  async #untilRead(): Promise<void> {
    const giveUpAt = Date.now() + longestMs;
    while ((await this.read()).get(this.#review?.taskIds[0] ?? '') === undefined) {
      if (Date.now() > giveUpAt) {
        throw new Error(`${this.#name} does not show its queue`);
      }
      await this.#shown.waitForTimeout(10);
    }
  }

  async #answer(route: Route): Promise<void> {
    if (this.failing === undefined || route.request().method() === 'GET') {
      await route.continue();
    } else if (this.failing === 'unavailable') {
      await route.fulfill({ status: 503, contentType: 'application/json', body: '{}' });
    } else {
      if (this.failing === 'lost') {
        await route.fetch().catch(() => undefined);
      }
      await route.abort().catch(() => undefined);
    }
  }

  /** What each row shows. */
  async read(): Promise<ReadonlyMap<string, Shown>> {
    return new Map(await this.#shown.evaluate<[string, Shown][]>(readRows));
  }

  /** The first line of what is said about the whole queue: whether all is saved, and banners. */
  async saving(): Promise<{ readonly isSaved: boolean; readonly words: string }> {
    const [state, words] = await this.#shown.evaluate<[string, string]>(`[
      document.querySelector('nav [data-state]')?.dataset.state ?? '',
      document.querySelector('main')?.innerText.slice(0, 300) ?? '',
    ]`);
    return { isSaved: state === 'saved', words };
  }

  /** Waits until all is saved, where it can be: what was to be sent by now has arrived. */
  async untilSaved(): Promise<void> {
    const giveUpAt = Date.now() + (this.failing === undefined ? longestActMs : 0);
    while (!(await this.saving()).isSaved && Date.now() < giveUpAt) {
      await this.#shown.waitForTimeout(10);
    }
  }

  /** True while decisions of this screen can be taken back, before they go out. */
  isWaiting(): Promise<boolean> {
    return this.#shown.evaluate<boolean>(`document.querySelector('section[aria-label="Submission on its way"]') !== null`);
  }

  /** Closes what lies over the page, and gives the focus to a row. */
  async #focus(id: string): Promise<void> {
    const page = this.#shown;
    await this.#closeDialogs();
    await page.evaluate(`{
      document.querySelector('[aria-live=assertive]')?.replaceChildren();
      document.querySelector('[role=row][data-id="${id}"]')?.focus();
    }`);
  }

  async #closeDialogs(): Promise<void> {
    const page = this.#shown;
    for (let tries = 0; tries < 5 && (await page.getByRole('dialog').count()) > 0; tries++) {
      await page.keyboard.press('Escape');
      await page
        .getByRole('dialog')
        .waitFor({ state: 'detached', timeout: 2000 })
        .catch(() => undefined);
    }
  }

  /** Words of a refusal since a row got the focus. */
  #refusal(): Promise<string> {
    return this.#shown.evaluate<string>(`document.querySelector('[aria-live=assertive]')?.textContent ?? ''`);
  }

  /** Presses keys on a row. */
  async press(id: string, key: string): Promise<void> {
    await this.#focus(id);
    await this.#shown.keyboard.press(key);
  }

  /** Decides; a reason is given where one is asked for. What the row shows then is what was said. */
  async decide(id: string, choice: 'certify' | 'deny', reason: string): Promise<void> {
    const mark = choice === 'deny' ? 'denied' : 'certified';
    const before = (await this.read()).get(id);
    if (choice === 'certify' && before?.mark === mark) {
      return;
    }
    await this.press(id, choice === 'deny' ? 'd' : 'c');
    await this.#answerQuestion([id], choice, reason);
  }

  /** Chooses items, and decides them as one. */
  async decideBoth(ids: readonly string[], choice: 'certify' | 'deny', reason: string): Promise<void> {
    for (const id of ids) {
      await this.press(id, 'x');
    }
    await this.#shown.keyboard.press(choice === 'deny' ? 'd' : 'c');
    await this.#answerQuestion(ids, choice, reason);
    // Whatever came of it: nothing is chosen afterwards.
    await this.press(ids[0] ?? '', 'Escape');
  }

  /** Gives the reason that is asked for, and waits until the rows show the decision. */
  async #answerQuestion(ids: readonly string[], choice: 'certify' | 'deny', reason: string): Promise<void> {
    const page = this.#shown;
    const mark = choice === 'deny' ? 'denied' : 'certified';
    const field = page.getByRole('textbox', { name: /^Why is it/ });
    const isDecided = async (comment = ''): Promise<boolean> => {
      const rows = await this.read();
      return ids.every((id) => rows.get(id)?.mark === mark && rows.get(id)?.comment === comment);
    };
    await this.#until(async () => (await field.count()) > 0 || (choice === 'certify' && (await isDecided())));
    if ((await field.count()) > 0) {
      await field.fill(reason);
      await field.press('Control+Enter');
      await this.#until(() => isDecided(reason));
      if ((await field.count()) > 0) {
        await page.keyboard.press('Escape');
      }
    }
  }

  /** Waits for what should come now, unless it is refused, or is a long time coming: then nothing was said. */
  async #until(isThere: () => Promise<boolean>): Promise<void> {
    const giveUpAt = Date.now() + longestActMs;
    while (!(await isThere()) && (await this.#refusal()) === '' && Date.now() < giveUpAt) {
      await this.#shown.waitForTimeout(10);
    }
  }

  /** Submits what counts, where something does: it waits then. */
  async submit(id: string): Promise<void> {
    const page = this.#shown;
    await this.#focus(id);
    if ((await page.getByRole('button', { name: /^Submit \d/ }).count()) === 0) {
      return;
    }
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor({ timeout: longestMs });
    await page.keyboard.press('Control+Enter');
    await page
      .getByRole('region', { name: 'Submission on its way' })
      .waitFor({ timeout: 2000 })
      .catch(async () => page.keyboard.press('Escape'));
  }

  /** Presses a button of the submission that waits, unless it goes out, or is taken back elsewhere, before it can be pressed. Whether one waited. */
  async answerSubmission(name: 'Send now' | 'Undo'): Promise<boolean> {
    let isWaiting = false;
    const region = this.#shown.getByRole('region', { name: 'Submission on its way' });
    const giveUpAt = Date.now() + longestMs;
    while ((await region.count()) > 0) {
      isWaiting = true;
      if (Date.now() > giveUpAt) {
        throw new Error(`${name} does not end what waits on ${this.#name}`);
      }
      await region
        .getByRole('button', { name })
        .click({ timeout: 2000 })
        .catch(() => undefined);
      await region.waitFor({ state: 'detached', timeout: 2000 }).catch(() => undefined);
    }
    return isWaiting;
  }

  /** Sends again what is not known to have arrived. */
  async sendAgain(): Promise<void> {
    const again = this.#shown.getByRole('button', { name: 'Send again' });
    if ((await again.count()) > 0) {
      await again
        .first()
        .click({ timeout: 2000 })
        .catch(() => undefined);
    }
  }

  /** Freezes the page, as a browser does with a tab that is out of sight. */
  async sleep(): Promise<void> {
    this.slept = 0;
    await this.#setLife('frozen');
    this.isAsleep = true;
  }

  async wake(): Promise<void> {
    await this.#setLife('active');
    this.isAsleep = false;
  }

  async #setLife(state: 'frozen' | 'active'): Promise<void> {
    const devTools = await this.#context.newCDPSession(this.#shown);
    await devTools.send('Page.setWebLifecycleState', { state });
    await devTools.detach();
  }

  pass(seconds: number): Promise<void> {
    return passTime(this.#shown, seconds * 1000);
  }

  async reload(): Promise<void> {
    await this.#shown.evaluate(untilKept);
    await this.#shown.reload();
    await this.#untilRead();
  }

  async close(): Promise<void> {
    if (this.isAsleep) {
      await this.wake();
    }
    await this.page?.evaluate(untilKept).catch(() => undefined);
    await this.page?.close();
    this.page = undefined;
  }

  async reopen(review: StoryReview): Promise<void> {
    await this.close();
    await this.open(review, this.#hours);
  }
}

/** Screens of a person, by name. */
export type Screens = Readonly<Record<ScreenName, Screen>>;

/** The screen that an act is on; the first where it names none. */
export const screenOf = (all: Screens, act: Act): Screen => all['on' in act ? act.on : screens[0]];
