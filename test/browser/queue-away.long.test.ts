/** A queue while the server is away: decisions stay on this device and go out when it is back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { itemsLeft as left, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { requestWith, signIn } from '../support/sign-in.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;

const pending = '**/pending_decisions';

const openQueue = (userId: string, options?: Parameters<typeof openQueuePage>[2]) =>
  openQueuePage({ browser, server, story }, userId, options);

describe.skipIf(!hasBrowser)('a queue whose server is away', () => {
  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 12 });
    browser = await openBrowser();
    browser.expectComplaint(/status of 503/);
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('keeps decisions on this device while the server is away, over a reload, and sends them when it is back', async () => {
    const page = await openQueue(story.elif);
    await page.route(pending, (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
    );
    await page.keyboard.press('c');
    await page.keyboard.press('c');
    await left(page, 10).waitFor();
    await page.getByText('The server does not answer.').first().waitFor();
    await page
      .getByText(/2 on this device since/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Submit when you are online' }).waitFor();
    await page.reload();
    await left(page, 10).waitFor();
    await page.unroute(pending);
    await page.getByText('All saved').first().waitFor();
    await page.close();
  });

  it('goes on by itself once somebody whose session has ended is signed in again', async () => {
    const page = await openQueue(story.elif);
    await page.getByText('All saved').first().waitFor();
    const cookies = await page.context().cookies();
    const { value = '' } = cookies.find(({ name }) => name === 'session') ?? {};
    await requestWith(server, `session=${value}`, 'POST', '/auth/sign-out', {});
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'You were signed out' }).waitFor();
    const [name = '', ...rest] = (await signIn(server, story.elif)).split('=');
    await page.context().addCookies([{ name, value: rest.join('='), url: server.url, httpOnly: true, sameSite: 'Lax' }]);
    const small = await page.context().newPage();
    await small.goto('/home');
    await page.getByRole('dialog', { name: 'You were signed out' }).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByText(/^You were signed out/).count()).toBe(0);
    await page.getByText('All saved').first().waitFor();
    await small.close();
    await page.close();
  });

  it('shows on another device what was saved', async () => {
    const page = await openQueue(story.elif);
    await left(page, 9).waitFor();
    await page.close();
  });
});
