/**
 * Several items of a review that its owner acts on, some of which are refused: which and why is said, the next press is about the rest, and a dialog
 * knows nothing of the one before.
 */
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { tellQueueStory } from '../support/queue-story.ts';
import { type TestServer, useTestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let page: Page;
let stories = 0;
let decide: (id: string) => Promise<void>;
let tasks: readonly { readonly id: string; readonly name: string }[];

const dialog = () => page.getByRole('dialog');
const rows = () => page.locator('tbody tr');

/** Selects these items by their places. */
async function select(...places: readonly number[]): Promise<void> {
  for (const place of places) {
    await rows()
      .nth(place)
      .getByRole('checkbox', { name: /^Select/ })
      .check();
  }
}

/** Requests of an action, by task. */
function listSent(action: string): string[] {
  const sent: string[] = [];
  page.on('request', (one) => {
    const [, id] = new RegExp(`/tasks/([^/]+)/action/${action}$`).exec(new URL(one.url()).pathname) ?? [];
    if (id !== undefined) {
      sent.push(id);
    }
  });
  return sent;
}

describe.skipIf(!hasBrowser)('several items of a review', () => {
  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    browser.expectComplaint(/status of (400|403|404|409|503)|net::ERR_FAILED/);
  });
  beforeEach(async () => {
    stories += 1;
    const story = await tellQueueStory(server, { items: 6, besides: ['farid'], name: `Items ${stories}` });
    const farid = await server.ownClient(story.farid);
    decide = async (id) => {
      const answer = await request(server, farid, 'POST', `/api/v1/tasks/${id}/action/approve`, { comment: 'Seen.' });
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    };
    page = await browser.signedInPage(server, server.admin.id);
    const [read] = await Promise.all([
      page.waitForResponse((one) => new URL(one.url()).pathname.endsWith('/search/tasks')),
      page.goto(`/reviews/${story.reviewId}/items`),
    ]);
    const { list } = (await read.json()) as { list: { task: { id: string; displayName: string } }[] };
    await rows().nth(5).waitFor();
    const names = await rows()
      .getByRole('checkbox', { name: /^Select/ })
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
    tasks = list.map(({ task }, place) => ({ id: task.id, name: names[place] ?? '' }));
    return () => page.context().close();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('are passed on but for those that are refused; a dialog that is opened later is empty', async () => {
    const [one, two, three] = tasks.map(({ id }) => id);
    await select(0, 1, 2);
    await decide(two ?? '');
    const sent = listSent('reassign');
    await page.getByRole('button', { name: 'Pass 3 items on' }).click();
    await dialog().getByRole('combobox', { name: 'To' }).fill('admin');
    await page.getByRole('option').first().click();
    const chosen = await dialog().getByRole('combobox', { name: 'To' }).inputValue();
    await dialog().getByLabel(/^Why/).fill('They know.');
    await dialog().getByRole('button', { name: 'Pass 3 items on' }).click();
    await dialog().getByText('2 items are done.').waitFor();
    await dialog().getByText('1 item was refused:').waitFor();
    expect(sent).toEqual([one, two, three]);
    await dialog().getByRole('button', { name: 'Pass 1 item on' }).click();
    await expect.poll(() => sent).toEqual([one, two, three, two]);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    // What went is not selected any more, and what is closed cannot be passed on.
    expect(await page.getByRole('checkbox', { checked: true, name: /^Select/ }).count()).toBe(1);
    await select(3);
    await page.getByRole('button', { name: 'Pass 1 item on' }).click();
    expect([
      chosen !== '',
      await dialog().getByRole('combobox', { name: 'To' }).inputValue(),
      await dialog().getByLabel(/^Why/).inputValue(),
    ]).toEqual([true, '', '']);
    expect(
      await dialog()
        .getByText(/refused/)
        .count(),
    ).toBe(0);
  });

  it('are passed on once, however fast it is pressed again, and in a dialog that stays meanwhile', async () => {
    const [one, two] = tasks.map(({ id }) => id);
    const sent = listSent('reassign');
    const held: Route[] = [];
    await page.route(`**/tasks/${one}/action/reassign`, (route) => void held.push(route));
    await select(0, 1);
    await page.getByRole('button', { name: 'Pass 2 items on' }).click();
    await dialog().getByRole('combobox', { name: 'To' }).fill('admin');
    await page.getByRole('option').first().click();
    // Both in one turn, before anything is drawn.
    await dialog()
      .getByRole('button', { name: 'Pass 2 items on' })
      .evaluate((button: { click: () => void }) => {
        button.click();
        button.click();
      });
    await expect.poll(() => held.length).toBe(1);
    await page.keyboard.press('Escape');
    await dialog().waitFor();
    await held[0]?.continue();
    await dialog().waitFor({ state: 'detached' });
    expect([sent, held.length]).toEqual([[one, two], 1]);
  });

  it('are reminded about once, also where the first press did not reach all', async () => {
    const [one, two, three] = tasks.map(({ id }) => id);
    const sent = listSent('remind');
    await page.route(`**/tasks/${two}/action/remind`, (route) => route.fulfill({ status: 503, body: '{}' }));
    await select(0, 1, 2);
    await page.getByRole('button', { name: 'More with 3 items' }).click();
    await page.getByRole('menuitem', { name: 'Remind' }).click();
    await dialog().getByRole('button', { name: 'Remind about 3 items' }).click();
    await dialog().getByText('1 item is done.').waitFor();
    await page.unroute(`**/tasks/${two}/action/remind`);
    await dialog().getByRole('button', { name: 'Remind about 2 items' }).click();
    await page.getByText('3 items are done.').first().waitFor();
    expect(sent).toEqual([one, two, two, three]);
    expect(await page.getByRole('checkbox', { checked: true, name: /^Select/ }).count()).toBe(0);
  });
});
