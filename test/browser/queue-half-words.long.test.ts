/** Half a comment, and half a reason, in a real browser: kept for the item that it is about, until it is sent or emptied. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { passTime, shiftableClock } from '../support/shifted-clock.ts';
import { currentRow, itemsLeft, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { type TestServer, useTestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;
let page: Page;

beforeAll(async () => {
  server = await useTestServer();
  story = await tellQueueStory(server, { items: 12, rules: { requireDenialReason: true } });
  if (hasBrowser) {
    browser = await openBrowser();
    page = await openQueuePage({ browser, server, story }, story.elif);
    await itemsLeft(page, 12).waitFor();
  }
});
afterAll(async () => {
  await browser?.close();
  await server.stop();
});

const field = () => page.getByRole('textbox', { name: 'Comment' });

/** Presses a key in the list until another row is current. */
async function move(key: string): Promise<void> {
  const id = () => currentRow(page).getAttribute('data-id');
  const before = await id();
  await currentRow(page).focus();
  await page.keyboard.press(key);
  await expect.poll(id).not.toBe(before);
}
async function openComment(): Promise<void> {
  await currentRow(page).focus();
  await page.keyboard.press('m');
  await field().waitFor();
}
async function leave(): Promise<void> {
  await page.keyboard.press('Escape');
  await field().waitFor({ state: 'hidden' });
}

describe.skipIf(!hasBrowser)('half a comment', () => {
  it('outlives Escape and a look at another item, which has its own', async () => {
    await openComment();
    await field().fill('Half of what I');
    await leave();
    await openComment();
    expect(await field().inputValue()).toBe('Half of what I');
    await leave();
    await move('j');
    await openComment();
    expect(await field().inputValue()).toBe('');
    await field().fill('Of the second');
    await leave();
    await move('k');
    await openComment();
    expect(await field().inputValue()).toBe('Half of what I');
    await leave();
  });

  it('is asked about by the browser where the page goes', async () => {
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.evaluate('void setTimeout(() => location.reload(), 0)');
    await expect.poll(() => asked).toEqual(['beforeunload']);
    page.removeAllListeners('dialog');
  });

  it('is gone once it is sent, and once it is emptied', async () => {
    await openComment();
    await field().fill('Half of what I meant.');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await field().waitFor({ state: 'hidden' });
    await openComment();
    expect(await field().inputValue()).toBe('');
    await leave();
    await move('j');
    await openComment();
    await field().fill('');
    await leave();
    await openComment();
    expect(await field().inputValue()).toBe('');
    await leave();
  });

  it('of a reason is kept as well', async () => {
    await currentRow(page).focus();
    await page.keyboard.press('d');
    const reason = page.getByRole('textbox', { name: 'Why is it not needed any more?' });
    await reason.fill('Because he');
    await page.keyboard.press('Escape');
    await reason.waitFor({ state: 'hidden' });
    await currentRow(page).focus();
    await page.keyboard.press('d');
    expect(await reason.inputValue()).toBe('Because he');
    await reason.fill('');
    await page.keyboard.press('Escape');
  });

  it('of why an item is passed on is kept as well', async () => {
    await currentRow(page).focus();
    await page.keyboard.press('r');
    const why = page.getByRole('textbox', { name: 'Note for the other person' });
    await why.fill('They left the');
    await page.keyboard.press('Escape');
    await why.waitFor({ state: 'hidden' });
    await move('ArrowDown');
    await page.keyboard.press('r');
    expect(await why.inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await why.waitFor({ state: 'hidden' });
    await move('ArrowUp');
    await page.keyboard.press('r');
    expect(await why.inputValue()).toBe('They left the');
    await why.fill('');
    await page.keyboard.press('Escape');
  });

  it('has nothing come over it: what became of a submission waits until it is written', async () => {
    const other = await browser.signedInPage(server, story.elif);
    await other.addInitScript(shiftableClock);
    await other.goto(`/r/${story.reviewId}`);
    await currentRow(other).focus();
    await other.keyboard.press('c');
    await other.getByRole('button', { name: /^Submit 1/ }).click();
    await other
      .getByRole('dialog')
      .getByRole('button', { name: /^Submit/ })
      .click();
    await other.getByRole('button', { name: 'Send now' }).waitFor();
    await currentRow(other).focus();
    await other.keyboard.press('m');
    const comment = other.getByRole('textbox', { name: 'Comment' });
    await comment.fill('Asked her');
    await passTime(other, 11_000);
    await other.getByRole('main').locator('xpath=..').getByText('1 decision is recorded.').waitFor();
    await other.keyboard.type(' today');
    expect(await comment.inputValue()).toBe('Asked her today');
    await comment.press('Escape');
    await other.getByRole('dialog', { name: '1 decision is recorded' }).waitFor();
    await other.context().close();
  });
});
