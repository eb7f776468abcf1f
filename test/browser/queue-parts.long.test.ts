/** A queue of which only its first screen arrived before the server went away: all keys act, and what is missing comes when the server is back. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { currentRow, itemsLeft } from '../support/queue-page.ts';
import { longTenSeconds, type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;

/** Notes in the page whether its first row had the focus when it was drawn: what is pressed then must not be lost. */
const watchFocus = `new MutationObserver(() => {
  const row = document.querySelector('[role=row][data-current]');
  globalThis.focusedAtOnce ??= row === null ? undefined : document.activeElement === row;
}).observe(document, { subtree: true, childList: true, attributes: true })`;

/** Opens the queue. From the moment at which its rows are asked for, no further part of the console comes; once they are there, nothing does. */
async function openBare(): Promise<{ page: Page; comeBack: () => Promise<void> }> {
  const page = await browser.signedInPage(server, story.elif);
  await page.addInitScript(longTenSeconds);
  await page.addInitScript(watchFocus);
  let isAsked = false;
  let isAway = false;
  page.on('request', (request) => {
    isAsked ||= request.url().endsWith('/queue');
  });
  await page.route('**/assets/**', (route) => (isAsked ? route.abort() : route.continue()));
  await page.route(/\/(?:api|readyz)/, (route) => (isAway ? route.abort() : route.continue()));
  await page.goto(`/r/${story.reviewId}`);
  await currentRow(page).waitFor();
  isAway = true;
  return {
    page,
    comeBack: async () => {
      isAway = false;
      await page.unroute('**/assets/**');
    },
  };
}

describe.skipIf(!hasBrowser)('a queue of which only its first screen arrived', () => {
  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 12 });
    browser = await openBrowser();
    browser.expectComplaint(/net::ERR_|status of 503|dynamically imported module|Unable to preload/);
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('takes decisions, says that the server is away, and fetches what is missing when it is back', async () => {
    const { page, comeBack } = await openBare();
    expect(await page.evaluate('globalThis.focusedAtOnce')).toBe(true);
    await page.keyboard.press('c');
    await page.keyboard.press('c');
    await itemsLeft(page, 10).waitFor();
    await page.getByText('The server does not answer.').first().waitFor();
    await page.keyboard.press('z');
    await itemsLeft(page, 11).waitFor();
    await page.keyboard.press('t');
    expect(await page.getByRole('grid').count()).toBe(1);
    await comeBack();
    await page.getByRole('radio', { name: 'Another day' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('All saved').first().waitFor();
    await page.getByRole('button', { name: 'Submit 1 decision' }).click();
    await page.getByRole('dialog', { name: 'Submit 1 decision' }).waitFor();
    await page.close();
  });
});
