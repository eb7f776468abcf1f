/**
 * The world of stories of one person on several screens: reviews of a few items, the screens, and what the server has. A story is told through the
 * screens; whatever a screen showed of an act was said, and in the end it is what the server has, or every screen that is open says that it is not.
 */
import type { BrowserContext } from 'playwright-core';
import type { TestBrowser } from './browser.ts';
import type { TestServer } from './server.ts';
import { openReviews, readServer, type StoryReview, type Word } from './story-reviews.ts';
import { type Act, type ScreenName, screens, type TabStory } from './tab-acts.ts';
import { Screen, screenOf, type Screens, type Shown } from './tab-screens.ts';

/** What was said of a task last, and from which devices it was decided. */
interface Said extends Word {
  readonly devices: ReadonlySet<string>;
}

/** A task that is not as it was said. */
export interface Wrong {
  readonly item: number;
  readonly said: string;
  readonly server: string;
  /** What each open screen shows. */
  readonly shown: readonly string[];
}

/** A place to tell stories, one after the other. */
export interface TabWorld {
  /** Tells a story in a review of its own, and returns what is wrong in the end. */
  tell(story: TabStory): Promise<readonly Wrong[]>;
  close(): Promise<void>;
}

const deviceOf = (name: ScreenName): string => (name === 'device' ? 'device' : 'browser');
const say = ({ mark, comment }: Word): string => (comment === '' ? mark : `${mark} “${comment}”`);
/** From a submission to when it goes out: ten seconds, and what a clock is read late. */
const submissionMs = 9_000;
const undecided: Word = { mark: 'undecided', comment: '' };

/** Place of a story: a review, and the screens of who decides it. */
interface Place {
  readonly server: TestServer;
  readonly review: StoryReview;
  readonly all: Screens;
  readonly contexts: Readonly<Record<'browser' | 'device', BrowserContext>>;
}

/** One story while it is told. */
class Telling {
  readonly #said = new Map<string, Said>();
  readonly #offline = new Set<string>();
  readonly #place: Place;
  /** When what was submitted on a device goes out by itself. */
  readonly #goesOutAt = new Map<string, number>();
  #number = 0;
  #maySend = false;

  constructor(place: Place) {
    this.#place = place;
  }

  #open(): readonly (readonly [ScreenName, Screen])[] {
    return screens.map((name) => [name, this.#place.all[name]] as const).filter(([, screen]) => screen.isOpen);
  }

  /** Takes what the screen of an act shows another than before as said. */
  #hear(name: ScreenName, before: ReadonlyMap<string, Shown>, after: ReadonlyMap<string, Shown>, only?: readonly string[]): void {
    for (const [id, shown] of after) {
      const was = before.get(id);
      if ((only === undefined || only.includes(id)) && was !== undefined && say(was) !== say(shown)) {
        this.#said.set(id, {
          mark: shown.mark,
          comment: shown.comment,
          devices: new Set([...(this.#said.get(id)?.devices ?? []), deviceOf(name)]),
        });
      }
    }
  }

  async act(act: Act): Promise<void> {
    const screen = screenOf(this.#place.all, act);
    if (!screen.isOpen) {
      return;
    }
    await this.#wake(screen);
    this.#notePassed();
    const isOffline = 'on' in act && this.#offline.has(deviceOf(act.on));
    switch (act.kind) {
      case 'certify':
      case 'deny':
      case 'takeBack': {
        const id = this.#place.review.taskIds[act.item] ?? '';
        const before = await screen.read();
        if (act.kind === 'takeBack') {
          await screen.press(id, 'Backspace');
        } else {
          await screen.decide(id, act.kind, `reason ${++this.#number}`);
        }
        this.#hear(act.on, before, await screen.read(), [id]);
        return;
      }
      case 'certifyBoth':
      case 'denyBoth': {
        const ids = [act.item, act.item + 1].map((item) => this.#place.review.taskIds[item] ?? '');
        const before = await screen.read();
        await screen.decideBoth(ids, act.kind === 'denyBoth' ? 'deny' : 'certify', `reason ${++this.#number}`);
        this.#hear(act.on, before, await screen.read(), ids);
        return;
      }
      case 'sleep':
        return screen.sleep();
      case 'undo': {
        if (!(await screen.isWaiting())) {
          const before = await screen.read();
          await screen.press(this.#place.review.taskIds[0] ?? '', 'z');
          this.#hear(act.on, before, await screen.read());
        }
        return;
      }
      case 'submit':
        await screen.submit(this.#place.review.taskIds[0] ?? '');
        this.#goesOutAt.set(deviceOf(act.on), Date.now() + submissionMs);
        return;
      case 'sendNow':
        // A screen may hear only now that another one submits.
        this.#maySend = (await screen.answerSubmission('Send now')) || this.#maySend;
        return;
      case 'undoSubmission':
        if (await screen.answerSubmission('Undo')) {
          this.#goesOutAt.delete(deviceOf(act.on));
        }
        return;
      case 'pass':
        return this.#pass(act.seconds);
      case 'reload':
        return isOffline ? undefined : screen.reload();
      case 'reopen':
        return isOffline ? undefined : screen.reopen(this.#place.review);
      case 'offline':
      case 'online': {
        const device = deviceOf(act.on);
        await this.#place.contexts[device as 'browser' | 'device'].setOffline(act.kind === 'offline');
        act.kind === 'offline' ? this.#offline.add(device) : this.#offline.delete(device);
        return;
      }
      case 'fail':
        screen.failing = act.failing;
        return;
      case 'heal':
        screen.failing = undefined;
    }
  }

  /** An act can take its time: what was submitted before may have gone out meanwhile. */
  #notePassed(): void {
    this.#maySend ||= [...this.#goesOutAt.values()].some((at) => at <= Date.now());
  }

  /** The time that passed while a screen slept comes at once. */
  async #wake(screen: Screen): Promise<void> {
    if (screen.isAsleep) {
      await screen.wake();
      await this.#passOn(screen, screen.slept);
    }
  }

  async #passOn(screen: Screen, seconds: number): Promise<void> {
    this.#maySend ||= seconds >= 10 && (await screen.isWaiting());
    await screen.pass(seconds);
  }

  async #pass(seconds: number): Promise<void> {
    for (const [device, at] of this.#goesOutAt) {
      this.#goesOutAt.set(device, at - seconds * 1000);
    }
    for (const [, screen] of this.#open()) {
      if (screen.isAsleep) {
        screen.slept += seconds;
      } else {
        await this.#passOn(screen, seconds);
      }
    }
    for (const [name, screen] of this.#open()) {
      if (!(screen.isAsleep || this.#offline.has(deviceOf(name)))) {
        await screen.untilSaved();
      }
    }
  }

  /** Everything answers again, and what waits goes out: until each screen says that all is saved. */
  async settle(): Promise<readonly Wrong[]> {
    this.#notePassed();
    for (const context of Object.values(this.#place.contexts)) {
      await context.setOffline(false);
    }
    this.#offline.clear();
    for (const [, screen] of this.#open()) {
      screen.failing = undefined;
      await this.#wake(screen);
    }
    const giveUpAt = Date.now() + 60_000;
    let isSettled = false;
    while (!isSettled && Date.now() < giveUpAt) {
      isSettled = true;
      for (const [, screen] of this.#open()) {
        await screen.sendAgain();
        const isWaiting = await screen.isWaiting();
        const { isSaved } = await screen.saving();
        isSettled &&= isSaved && !isWaiting;
      }
      if (!isSettled) {
        await this.#pass(11);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    if (isSettled) {
      return [];
    }
    const words = await Promise.all(this.#open().map(async ([name, screen]) => `${name}: ${(await screen.saving()).words}`));
    return [{ item: -1, said: 'everything answers', server: 'nothing: a screen is never done', shown: words }];
  }

  /** Tasks that are not as they were said. */
  async listWrong(): Promise<readonly Wrong[]> {
    const server = await readServer(this.#place.server, this.#place.review.id);
    const shown = await Promise.all(
      this.#open().map(async ([name, screen]) => [name, await screen.read(), await screen.saving()] as const),
    );
    return this.#place.review.taskIds.flatMap((id, item) => {
      const said = this.#said.get(id) ?? { ...undecided, devices: new Set<string>() };
      const has = server.get(id) ?? { ...undecided, isRecorded: false };
      const isAsSaid = has.mark === said.mark && (said.comment === '' || has.comment === said.comment);
      const isSentUnasked = has.isRecorded && !this.#maySend;
      // Acts on two devices that did not know of each other: one of them stands, on every screen.
      const isShared = said.devices.size > 1;
      const isSaid = shown.every(([, rows]) => {
        const row = rows.get(id);
        return row?.isSaidOtherwise === true || (isShared && row?.mark === has.mark);
      });
      if (!isSentUnasked && (isAsSaid || (shown.length > 0 && isSaid))) {
        return [];
      }
      const words = shown.map(([name, rows, { isSaved }]) => `${name}: ${say(rows.get(id) ?? undecided)}${isSaved ? ', all saved' : ''}`);
      return [
        {
          item,
          said: say(said),
          server: `${say(has)}${has.isRecorded ? ', recorded' : ''}${isSentUnasked ? ' unasked' : ''}`,
          shown: words,
        },
      ];
    });
  }
}

/** Opens a world; many can be told in at once, each with screens of its own. */
export async function openTabWorld(browser: TestBrowser, server: TestServer, name: string): Promise<TabWorld> {
  const reviews = await openReviews(server, name);
  const [blank, other] = [await browser.signedInPage(server, reviews.userId), await browser.signedInPage(server, reviews.userId)];
  const contexts = { browser: blank.context(), device: other.context() };
  const all: Screens = {
    left: new Screen('left', contexts.browser),
    right: new Screen('right', contexts.browser),
    device: new Screen('device', contexts.device),
  };
  return {
    async tell({ hours, acts }) {
      const review = await reviews.next();
      const telling = new Telling({ server, review, all, contexts });
      const named = screens.filter((screen) => acts.some((act) => 'on' in act && act.on === screen));
      try {
        await Promise.all(
          screens.map((screen) => (named.includes(screen) ? all[screen].open(review, hours[screen]) : all[screen].close())),
        );
        for (const act of acts) {
          await telling.act(act);
        }
        const unsettled = await telling.settle();
        return [...unsettled, ...(await telling.listWrong())];
      } finally {
        await Promise.all(Object.values(contexts).map((context) => context.setOffline(false)));
      }
    },
    async close() {
      await Promise.all(Object.values(contexts).map((context) => context.close()));
    },
  };
}
