/** A reviewer at a keyboard: no pointer is used. Each act waits until the screen shows it. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { printLink } from '../../src/foundation/sessions/index.ts';
import { currentRow } from './queue-page.ts';
import type { ReviewerAct } from './reviewer-acts.ts';
import type { ServedTenant } from './server.ts';

/** Longest that a screen may take. */
const patience = { timeout: 60_000, interval: 20 };

/** Signs somebody in on the screens, from the link that their mail has. */
export async function signInOnScreen(page: Page, server: ServedTenant, userId: string): Promise<void> {
  const { token } = await printLink(server.system(), userId);
  await page.goto(`/sign-in#link=${token}`);
  await untilFocus(page, 'main button');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
}

/** Waits until what matches has the focus. */
export async function untilFocus(page: Page, selector: string): Promise<void> {
  await expect
    .poll(() => page.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)}) === true`), patience)
    .toBe(true);
}

/** Presses Tab until what matches has the focus. */
export async function tabTo(page: Page, selector: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 100; presses++) {
    if (await page.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)}) === true`)) {
      return;
    }
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

/** Opens the queue of a review from the list of one's own reviews, and shows all of it. Returns the tasks in their order. */
export async function openReview(page: Page, reviewId: string, look: () => unknown = () => undefined): Promise<string[]> {
  const link = `a[href^="/r/${reviewId}"]`;
  await page.locator(link).first().waitFor();
  await tabTo(page, link);
  await look();
  await page.keyboard.press('Enter');
  await currentRow(page).waitFor();
  await untilFocus(page, '[role=row]');
  await page.keyboard.press('o');
  await page.waitForURL(/show=all/);
  return page.locator('[role=row][data-id]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id') ?? ''));
}

export interface HandOptions {
  readonly page: Page;
  readonly ids: readonly string[];
  /** Writes words into the field that has the focus. */
  readonly write?: ((words: string) => Promise<void>) | undefined;
}

/** Makes the acts. */
export class Hand {
  readonly #page: Page;
  readonly #ids: readonly string[];
  readonly #write: (words: string) => Promise<void>;

  constructor({ page, ids, write = (words) => page.keyboard.type(words) }: HandOptions) {
    this.#page = page;
    this.#ids = ids;
    this.#write = write;
  }

  /** Goes to an item with the arrows. */
  async go(item: number): Promise<void> {
    const id = this.#ids[item] ?? '';
    const current = () => currentRow(this.#page).getAttribute('data-id');
    await untilFocus(this.#page, '[role=row]');
    for (let at = await current(); at !== id; at = await current()) {
      const way = this.#ids.indexOf(at ?? '') < item ? 'ArrowDown' : 'ArrowUp';
      await this.#page.keyboard.press(way);
      await expect.poll(current, patience).not.toBe(at);
    }
  }

  async #untilDecided(item: number, isDecided = true): Promise<void> {
    const row = `[role=row][data-id="${this.#ids[item]}"]`;
    await this.#page.locator(isDecided ? `${row}[data-decided]` : `${row}:not([data-decided])`).waitFor();
  }

  async act(act: ReviewerAct): Promise<void> {
    const { keyboard } = this.#page;
    await this.go(act.item);
    switch (act.kind) {
      case 'certify':
        await keyboard.press('c');
        return this.#untilDecided(act.item);
      case 'takeBack':
        await keyboard.press('Backspace');
        return this.#untilDecided(act.item, false);
      case 'deny':
        await keyboard.press('d');
        await this.#send(act.words, 'textarea');
        return this.#untilDecided(act.item);
      case 'comment':
        await keyboard.press('m');
        return this.#send(act.words, 'textarea');
      case 'until':
        await keyboard.press('t');
        await untilFocus(this.#page, '[role=radio]');
        await keyboard.press('ArrowUp');
        await tabTo(this.#page, 'input[type=date]');
        await keyboard.type(act.typed);
        await keyboard.press('Control+Enter');
        await untilFocus(this.#page, '[role=row]');
        return this.#untilDecided(act.item);
      case 'pass':
        await keyboard.press('r');
        await untilFocus(this.#page, 'input[type=text]');
        await this.#write(act.name);
        await this.#page.getByRole('radio', { name: new RegExp(act.name.normalize()) }).waitFor();
        await tabTo(this.#page, '[role=radio]');
        await keyboard.press('Space');
        await tabTo(this.#page, 'textarea');
        await this.#send(act.words, 'textarea');
        return this.#untilDecided(act.item);
    }
  }

  /** Writes into the field that opens, and sends it. */
  async #send(words: string, field: string): Promise<void> {
    await untilFocus(this.#page, field);
    await this.#write(words);
    await this.#page.keyboard.press('Control+Enter');
    await untilFocus(this.#page, '[role=row]');
  }

  /** Submits what is decided, and does not wait for the ten seconds. `look` is called wherever the focus comes. */
  async submit(look: () => unknown = () => undefined): Promise<void> {
    const { keyboard } = this.#page;
    const dialog = this.#page.getByRole('dialog');
    await keyboard.press('Control+Enter');
    await dialog.waitFor();
    await tabTo(this.#page, '[role=dialog] button[aria-keyshortcuts="Control+Enter"]');
    await look();
    await keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await untilFocus(this.#page, 'section button');
    await look();
    await keyboard.press('Tab');
    await look();
    await keyboard.press('Enter');
    await dialog.waitFor();
    await untilFocus(this.#page, '[role=dialog] *, [role=dialog]');
    await look();
    await keyboard.press('Escape');
    await this.#page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  /** Signs what is decided, and submits it by that. */
  async sign(): Promise<void> {
    const { keyboard } = this.#page;
    await keyboard.press('Control+Enter');
    await this.#page.getByRole('dialog').getByText('I looked at each of these.').waitFor();
    await keyboard.press('Control+Enter');
    await this.#page.waitForURL(/\/signatures\//);
    await this.#page.getByRole('heading', { name: /signed and recorded/ }).waitFor();
  }
}
