/** A queue whose browser is offline: nothing is lost, and nothing wrong is shown. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { itemsLeft, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;

/** Counts her decisions on the server. */
async function countStaged(): Promise<number> {
  const database = server.app.database.tenant(server.id);
  const { count } = await database.one<{ count: string }>('SELECT count(*) AS count FROM pending_decisions p WHERE p.tenant_id = $1', [
    server.id,
  ]);
  return Number(count);
}

describe.skipIf(!hasBrowser)('a queue without a connection', () => {
  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 12 });
    browser = await openBrowser();
    browser.expectComplaint(/net::ERR_|status of 503/);
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('keeps what is decided offline, and saves it when it is back', async () => {
    const page = await openQueuePage({ browser, server, story }, story.elif);
    const context = page.context();
    await page.keyboard.press('c');
    await itemsLeft(page, 11).waitFor();
    await page.getByText('All saved').first().waitFor();
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.keyboard.press('c');
    await page.keyboard.press('c');
    await page.keyboard.press('z');
    await page.keyboard.press('c');
    await itemsLeft(page, 9).waitFor();
    await page.getByText('The server does not answer.').first().waitFor();
    // What was never opened before opens offline, too.
    await page.keyboard.press('x');
    await page.getByText('What they have in common').first().waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByText(/2 on this device since/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Submit when you are online' }).waitFor();
    expect(await countStaged()).toBe(1);
    expect(
      await page.reload().then(
        () => 'reloaded',
        () => 'refused',
      ),
    ).toBe('refused');
    await context.setOffline(false);
    await page.goto(`/r/${story.reviewId}`);
    await itemsLeft(page, 9).waitFor();
    await page.getByText('All saved').first().waitFor();
    await expect.poll(countStaged).toBe(3);
    await expect.poll(() => page.getByText('The server does not answer.').count()).toBe(0);
    await context.setOffline(true);
    await page.keyboard.press('c');
    await itemsLeft(page, 8).waitFor();
    await page.getByText('The server does not answer.').first().waitFor();
    await context.setOffline(false);
    await page.getByText('All saved').first().waitFor();
    await expect.poll(() => page.getByText('The server does not answer.').count()).toBe(0);
    await page.getByRole('button', { name: 'Submit 4 decisions' }).first().waitFor();
    await expect.poll(countStaged).toBe(4);
    await page.close();
  });
});
