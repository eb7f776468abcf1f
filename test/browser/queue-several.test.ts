/** Several items of a queue at once, passing one on, and how the queue is for those who see it otherwise. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { itemsLeft as left, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;

const openQueue = (userId: string, options?: Parameters<typeof openQueuePage>[2]) =>
  openQueuePage({ browser, server, story }, userId, options);

describe.skipIf(!hasBrowser)('several items of a queue', () => {
  beforeAll(async () => {
    server = await startTestServer();
    story = await tellQueueStory(server, { items: 12 });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('decides several at once, and reassigns what the policy lets go', async () => {
    const page = await openQueue(story.elif);
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+J');
    await page.keyboard.press('Shift+J');
    await page.getByRole('toolbar', { name: 'Selected items' }).getByText('3 selected').waitFor();
    await page.keyboard.press('c');
    await left(page, 9).waitFor();
    await page.keyboard.press('z');
    await left(page, 12).waitFor();
    // What is written for all of them goes with the decision, also where a key or the bar makes it.
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+J');
    await page.getByLabel('One comment for all 2').fill('Seen with their manager.');
    await page.getByRole('toolbar', { name: 'Selected items' }).getByRole('button', { name: 'Certify 2' }).click();
    await left(page, 10).waitFor();
    await expect.poll(() => page.getByRole('grid').getByText('“Seen with their manager.”').count()).toBe(2);
    await page.locator('[role=row][data-current]').focus();
    await page.keyboard.press('z');
    await left(page, 12).waitFor();
    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: 'Reassign to' }).fill('farid');
    await page.getByRole('radio', { name: /Farid Sample/ }).click();
    // It is confirmed where one is, and opens no summary.
    await page.keyboard.press('Control+Enter');
    await page.getByText('Reassigned to Farid Sample').first().waitFor();
    await left(page, 11).waitFor();
    await page.close();
  });

  it.each(['light', 'dark'] as const)('has no serious fault of accessibility, %s', async (theme) => {
    const page = await openQueue(story.elif, { theme });
    await page.getByRole('region', { name: 'Question' }).getByText('Last used').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });

  it('fits the narrowest screen', async () => {
    const page = await openQueue(story.elif, { size: 'narrow' });
    expect(await sidewaysPixels(page)).toBe(0);
    await page.locator('[role=row][data-current]').click();
    await page.getByRole('button', { name: 'Certify', exact: true }).click();
    expect(await sidewaysPixels(page)).toBe(0);
    await page.close();
  });
});
