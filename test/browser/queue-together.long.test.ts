/** A queue while others decide, or a page is closed before a submission went out: nothing wrong is shown, and nothing is lost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { itemsLeft as left, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;

const openQueue = (userId: string, options?: Parameters<typeof openQueuePage>[2]) =>
  openQueuePage({ browser, server, story }, userId, options);

describe.skipIf(!hasBrowser)('a queue that is not alone', () => {
  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 12, besides: ['farid'] });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('says who was first, and does not count the other decision', async () => {
    const hers = await openQueue(story.elif);
    const his = await openQueue(story.farid);
    await hers.keyboard.press('c');
    await hers.keyboard.press('c');
    await left(hers, 10).waitFor();
    await hers.getByText('All saved').first().waitFor();
    const first = await his.locator('[role=row][data-current]').getAttribute('data-id');
    await his.keyboard.press('c');
    await left(his, 11).waitFor();
    await his.getByRole('button', { name: 'Submit 1 decision' }).click();
    await his.getByRole('dialog').getByRole('button', { name: 'Submit 1 decision' }).click();
    await his.getByRole('button', { name: 'Send now' }).click();
    await his.getByRole('dialog', { name: '1 decision is recorded' }).waitFor();
    await hers.getByRole('button', { name: /^Everything/ }).click();
    const row = hers.locator(`[role=row][data-id="${first}"]`);
    await row.getByText('Farid Sample was first').first().waitFor();
    await hers.getByRole('button', { name: 'Submit 1 decision' }).waitFor();
    await row.click();
    await hers.getByText('Yours was not recorded.').first().waitFor();
    await hers.getByRole('button', { name: 'Tell Farid Sample why not' }).click();
    await hers.getByRole('textbox', { name: 'Comment' }).fill('It is needed until the audit is over.');
    await hers.getByRole('button', { name: 'Add comment' }).click();
    await hers.getByRole('region', { name: 'Question' }).getByText('It is needed until the audit is over.').waitFor();
    await hers.getByRole('button', { name: 'Agree and go on' }).click();
    await expect.poll(() => hers.getByRole('button', { name: 'Agree and go on' }).count()).toBe(0);
    expect(await story.counts()).toMatchObject({ certified: '1', undecided: '11' });
    await his.close();
    await hers.close();
  });

  it('says at the next visit that a submission did not go out because the page was closed', async () => {
    const page = await openQueue(story.elif);
    await page.getByRole('button', { name: 'Submit 1 decision' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Submit 1 decision' }).click();
    await page.getByRole('button', { name: 'Send now' }).waitFor();
    await page.reload();
    await page.getByText('Your decision was not submitted: the page was closed before.').first().waitFor();
    expect(await story.counts()).toMatchObject({ undecided: '11' });
    await page.close();
  });
});
