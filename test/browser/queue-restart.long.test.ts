/** A queue whose server is stopped and started again under it: nothing is lost, and nothing wrong is shown. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { silentLogger } from '../../src/context.ts';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { itemsLeft, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let again: App | undefined;
let browser: TestBrowser;
let story: QueueStory;

/** Counts her decisions on the server. */
async function countStaged(): Promise<number> {
  const database = (again ?? server.app).database.tenant(server.id);
  const { count } = await database.one<{ count: string }>('SELECT count(*) AS count FROM pending_decisions p WHERE p.tenant_id = $1', [
    server.id,
  ]);
  return Number(count);
}

describe.skipIf(!hasBrowser)('a queue whose server is started again', () => {
  beforeAll(async () => {
    server = await startTestServer({ config: { port: await freePort() } });
    story = await tellQueueStory(server, { items: 12 });
    browser = await openBrowser();
    browser.expectComplaint(/net::ERR_|status of 503/);
  });
  afterAll(async () => {
    await browser?.close();
    await again?.stop();
    await server.stop();
  });

  it('goes on over a server that is stopped and started again', async () => {
    const page = await openQueuePage({ browser, server, story }, story.elif);
    await server.app.stop();
    await page.keyboard.press('c');
    await page.keyboard.press('c');
    await itemsLeft(page, 10).waitFor();
    await page.getByText('The server does not answer.').first().waitFor();
    await page
      .getByText(/2 on this device since/)
      .first()
      .waitFor();
    const config = { ...readConfig({}, {}), databaseUrl: server.test.url, host: '127.0.0.1', port: server.app.port, poolSize: 8 };
    again = await until(() => startApp(config, { log: silentLogger, checkReplies: true }));
    await page.getByText('All saved').first().waitFor();
    await expect.poll(() => page.getByText('The server does not answer.').count()).toBe(0);
    await itemsLeft(page, 10).waitFor();
    await expect.poll(countStaged).toBe(2);
    await page.keyboard.press('c');
    await itemsLeft(page, 9).waitFor();
    await expect.poll(countStaged).toBe(3);
    expect(await page.getByText(/Request|not saved/).count()).toBe(0);
    await page.close();
  });
});
