/** A queue of more rows than come at once: it is read to its end, and its end can be gone to before it is here. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { currentRow, itemsLeft } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

const items = 60;
/** Pages of the test have a hundredth of the usual rows, so that a small queue has several. */
const smaller = 100;

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;

/** Opens the queue. Pages behind the first wait for `gate`. */
async function openInPages(gate: Promise<void>): Promise<{ page: Page; statuses: number[] }> {
  const page = await browser.signedInPage(server, story.elif);
  const statuses: number[] = [];
  await page.route(`**/access_review/${story.reviewId}/queue`, async (route) => {
    const sent = route.request().postDataJSON() as { limit: number; pageToken?: string };
    if (sent.pageToken) {
      await gate;
    }
    const response = await route.fetch({ postData: JSON.stringify({ ...sent, limit: Math.ceil(sent.limit / smaller) }) });
    statuses.push(response.status());
    await route.fulfill({ response });
  });
  await page.goto(`/r/${story.reviewId}`);
  await currentRow(page).waitFor();
  return { page, statuses };
}

/** The number of the current line, and of all. */
const place = async (page: Page) => ({
  at: Number(await currentRow(page).getAttribute('aria-rowindex')),
  all: Number(await page.getByRole('grid').getAttribute('aria-rowcount')),
});

const isAtEnd = async (page: Page): Promise<boolean> => {
  const { at, all } = await place(page);
  return at === all;
};

describe.skipIf(!hasBrowser)('a queue in pages', () => {
  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('is read to its end', async () => {
    const { page, statuses } = await openInPages(Promise.resolve());
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-busy')).toBe(null);
    expect(statuses).toEqual(Array.from({ length: items / 10 }, () => 200));
    await itemsLeft(page, items).waitFor();
    const seen = new Set<string>();
    await page.keyboard.press('Home');
    // Every line is a row or the head of a section.
    const { all } = await place(page);
    for (let line = 0; line < all && !(await isAtEnd(page)); line++) {
      seen.add((await currentRow(page).getAttribute('data-id')) ?? '');
      await page.keyboard.press('j');
      const last = [...seen].at(-1);
      await expect.poll(() => currentRow(page).getAttribute('data-id')).not.toBe(last);
    }
    seen.add((await currentRow(page).getAttribute('data-id')) ?? '');
    expect(seen.size).toBe(items);
    await page.close();
  });

  it('goes to the end that is not here yet when it is', async () => {
    const gate = Promise.withResolvers<void>();
    const { page } = await openInPages(gate.promise);
    const before = await place(page);
    await page.keyboard.press('End');
    await expect.poll(async () => (await place(page)).at).toBeGreaterThan(before.at);
    expect(await isAtEnd(page)).toBe(false);
    gate.resolve();
    await expect.poll(() => isAtEnd(page)).toBe(true);
    await expect.poll(() => page.evaluate('document.activeElement?.hasAttribute("data-current")')).toBe(true);
    await page.keyboard.press('c');
    await itemsLeft(page, items - 1).waitFor();
    // A letter that is pressed before the row that follows has the focus goes to nobody.
    await expect.poll(() => page.evaluate('document.activeElement?.hasAttribute("data-current")')).toBe(true);
    await page.keyboard.press('z');
    await itemsLeft(page, items).waitFor();
    await page.close();
  });

  it('stays where somebody scrolled to while rows come', async () => {
    const gate = Promise.withResolvers<void>();
    const { page } = await openInPages(gate.promise);
    const grid = page.getByRole('grid');
    await grid.evaluate((list) => Object.assign(list, { scrollTop: 1_000_000 }));
    await grid.getByText('Loading').last().waitFor();
    const top = await grid.evaluate((list) => (list as unknown as { scrollTop: number }).scrollTop);
    gate.resolve();
    await expect.poll(() => grid.getAttribute('aria-busy')).toBe(null);
    await expect.poll(() => grid.getByText('Loading').count()).toBe(0);
    const { all } = await place(page);
    await page.locator(`[role=row][data-id][aria-rowindex="${all}"]`).waitFor();
    expect(await grid.evaluate((list) => (list as unknown as { scrollTop: number }).scrollTop)).toBe(top);
    await page.close();
  });

  it('says that somebody passed on more, and shows it when it is wanted', async () => {
    const hers = await browser.signedInPage(server, story.elif);
    await hers.goto(`/r/${story.reviewId}`);
    const pass = async (): Promise<string> => {
      await currentRow(hers).waitFor();
      const id = (await currentRow(hers).getAttribute('data-id')) ?? '';
      await hers.keyboard.press('r');
      await hers.getByRole('textbox', { name: 'Reassign to' }).fill('farid');
      await hers.getByRole('radio', { name: /Farid Sample/ }).click();
      await hers.getByRole('button', { name: 'Reassign', exact: true }).click();
      await hers.locator(`[role=row][data-id="${id}"]`).getByText('Reassigned to Farid Sample').waitFor();
      return id;
    };
    const first = await pass();
    const his = await browser.signedInPage(server, story.farid);
    // His first look is what later ones are compared with.
    const looked = his.waitForResponse((response) => /\/changes/.test(response.url()));
    await his.goto(`/r/${story.reviewId}`);
    await his.locator(`[role=row][data-id="${first}"][data-current]`).waitFor();
    await looked;
    const second = await pass();
    await his.getByText('1 more is asked of you.').first().waitFor();
    expect(await his.locator('[role=row][data-id]').count()).toBe(1);
    await his.getByRole('button', { name: 'Show it' }).click();
    await his.locator(`[role=row][data-id="${second}"][data-current]`).waitFor();
    await his.locator(`[role=row][data-id="${first}"]`).waitFor();
    await expect.poll(() => his.getByText('1 more is asked of you.').count()).toBe(0);
    await itemsLeft(his, 2).waitFor();
    await his.close();
    await hers.close();
  });
});
