/** Names are found by one fold everywhere: in a reviewer's queue, in the lists that the server searches, and in the palette. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { type TestServer, useTestServer } from '../support/server.ts';

/** Accounts, each with other ways of writing its name. */
const accounts: readonly (readonly [string, string, ...string[]])[] = [
  ['Österle', 'osterle', 'OSTERLE', 'O\u0308sterle'],
  ['Zoe\u0308 Groß', 'zoe gross', 'Zoë GROSS', 'groß zoe'],
  ['Łukasz', 'lukasz', 'ŁUKASZ'],
  ['Ｊａｎｅ', 'jane', 'JANE'],
  ['IŞIK', 'isik', 'ışık', 'İsik'],
  ['Ёлка', 'елка', 'ЁЛКА'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
  ['Søren', 'soren', 'SØREN'],
];

describe.skipIf(!hasBrowser)('a name that is searched', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let story: QueueStory;
  let appId: string;
  let admin: Page;
  let queue: Page;

  const rows = (page: Page, scope: string) => page.locator(scope);
  const search = (page: Page) => page.getByRole('searchbox');

  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 6, accounts: accounts.map(([name]) => name) });
    ({ id: appId } = await server
      .system()
      .db.one<{ id: string }>('SELECT a.id FROM apps a WHERE a.tenant_id = $1', [server.system().tenantId]));
    browser = await openBrowser();
    admin = await browser.signedInPage(server, server.admin.id);
    queue = await openQueuePage({ browser, server, story }, story.elif);
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it.each(accounts)('%s is found in the queue, in the items of the review, and among the accounts', async (name, ...written) => {
    const pages: readonly (readonly [Page, string, string])[] = [
      [queue, `/r/${story.reviewId}`, '[role=grid] [role=row][data-id]'],
      [admin, `/reviews/${story.reviewId}/items`, 'tbody tr'],
      [admin, `/apps/${appId}/accounts`, 'tbody tr'],
    ];
    for (const [page, path, row] of pages) {
      if (page === admin) {
        await page.goto(path);
      }
      for (const text of [name, ...written]) {
        await search(page).fill(text);
        await expect
          .poll(() => rows(page, row).allTextContents(), { message: `${path}: ${text}` })
          .toEqual([expect.stringContaining(name)]);
      }
      await search(page).fill('');
    }
  });

  it('is found by the palette', async () => {
    await admin.goto('/home');
    await admin.getByRole('heading', { level: 1 }).first().waitFor();
    for (const [name, text] of accounts) {
      await admin.keyboard.press('Control+k');
      await admin.getByRole('combobox', { name: 'Search, go, do' }).fill(text);
      await admin.getByRole('option', { name }).first().waitFor();
      await admin.keyboard.press('Escape');
      await admin.getByRole('combobox', { name: 'Search, go, do' }).waitFor({ state: 'hidden' });
    }
  });
});
