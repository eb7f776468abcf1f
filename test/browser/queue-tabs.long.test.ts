/** One reviewer with a queue in two tabs: what is decided and taken back in one shows in the other, and nothing is lost between them. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { currentRow, itemsLeft, openQueuePage } from '../support/queue-page.ts';
import { longTenSeconds, type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;
let left: Page;
let right: Page;

/** Ids of the tasks that she decided and did not submit, as the server has them. */
async function listStaged(): Promise<string[]> {
  const rows = await server.app.database
    .tenant(server.id)
    .rows<{ id: string }>('SELECT task_id AS id FROM pending_decisions p WHERE p.tenant_id = $1', [server.id]);
  return rows.map(({ id }) => id).sort();
}

async function decide(page: Page): Promise<string> {
  await currentRow(page).focus();
  const id = (await currentRow(page).getAttribute('data-id')) ?? '';
  await page.keyboard.press('c');
  await expect.poll(() => currentRow(page).getAttribute('data-id')).not.toBe(id);
  return id;
}

describe.skipIf(!hasBrowser)('a queue in two tabs', () => {
  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 12 });
    browser = await openBrowser();
    browser.expectComplaint(/net::ERR_|status of 503/);
    left = await openQueuePage({ browser, server, story }, story.elif);
    right = await left.context().newPage();
    await right.addInitScript(longTenSeconds);
    await right.goto(`/r/${story.reviewId}`);
    await currentRow(right).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('shows in each what is decided and taken back in the other', async () => {
    const first = await decide(left);
    await Promise.all([itemsLeft(left, 11).waitFor(), itemsLeft(right, 11).waitFor()]);
    await right.locator(`[role=row][data-id="${first}"][data-decided]`).waitFor();
    await right.keyboard.press('n');
    const second = await decide(right);
    await Promise.all([itemsLeft(left, 10).waitFor(), itemsLeft(right, 10).waitFor()]);
    expect(second).not.toBe(first);
    await left.keyboard.press('z');
    await Promise.all([itemsLeft(left, 11).waitFor(), itemsLeft(right, 11).waitFor()]);
    await right.getByText('All saved').first().waitFor();
    await expect.poll(listStaged).toEqual([second]);
    await left.keyboard.press('z');
    await Promise.all([itemsLeft(left, 12).waitFor(), itemsLeft(right, 12).waitFor()]);
    await expect.poll(listStaged).toEqual([]);
  });

  it('keeps what is decided in both while the server is away, over a reload of one', async () => {
    await left.context().route('**/pending_decisions', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    const first = await decide(left);
    await itemsLeft(right, 11).waitFor();
    await right.keyboard.press('n');
    const second = await decide(right);
    await itemsLeft(left, 10).waitFor();
    await left.reload();
    await currentRow(left).waitFor();
    await itemsLeft(left, 10).waitFor();
    await left.keyboard.press('n');
    const third = await decide(left);
    await Promise.all([itemsLeft(left, 9).waitFor(), itemsLeft(right, 9).waitFor()]);
    await left.context().unroute('**/pending_decisions');
    await Promise.all([left, right].map((page) => page.getByText('All saved').first().waitFor()));
    await expect.poll(listStaged).toEqual([first, second, third].sort());
  });

  it('submits from one what was decided in both, which is over in the other, too', async () => {
    await left.getByRole('button', { name: 'Submit 3 decisions' }).click();
    await left.getByRole('dialog').getByRole('button', { name: 'Submit 3 decisions' }).click();
    await left.getByRole('button', { name: 'Send now' }).click();
    await left.getByRole('dialog', { name: '3 decisions are recorded' }).waitFor();
    await right.getByRole('button', { name: 'Submit decisions' }).waitFor();
    await itemsLeft(right, 9).waitFor();
    expect(await story.counts()).toMatchObject({ certified: '3', undecided: '9' });
    await expect.poll(listStaged).toEqual([]);
    await right.getByRole('button', { name: /^Everything/ }).click();
    expect(await right.getByText(/was first/).count()).toBe(0);
  });
});
