/**
 * What a reviewer decided last is what stands: while another tab submits, on two devices, with a clock that goes wrong, and in a browser that keeps
 * nothing.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { currentRow, openQueuePage } from '../support/queue-page.ts';
import { longTenSeconds, type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;

const anHourSlow = `{
  const now = Date.now.bind(Date);
  const Real = Date;
  globalThis.Date = new Proxy(Real, {
    construct: (target, args) => (args.length === 0 ? new target(now() - 3600000) : new target(...args)),
  });
  Date.now = () => now() - 3600000;
}`;

const decisions = { APPROVE: 'certify', DENY: 'deny' } as const;

/** What the server has of her decisions: by task, and whether it is recorded. */
async function record(): Promise<Readonly<Record<string, string>>> {
  const db = server.app.database.tenant(server.id);
  const staged = await db.rows<{ id: string; decision: keyof typeof decisions }>(
    'SELECT task_id AS id, decision FROM pending_decisions p WHERE p.tenant_id = $1 AND p.review_id = $2',
    [server.id, story.reviewId],
  );
  const recorded = await db.rows<{ id: string; outcome: string }>(
    `SELECT id, outcome FROM tasks t WHERE t.tenant_id = $1 AND t.review_id = $2 AND t.state = 'CLOSED'`,
    [server.id, story.reviewId],
  );
  return Object.fromEntries([
    ...recorded.map(({ id, outcome }) => [id, outcome]),
    ...staged.map(({ id, decision }) => [id, decisions[decision]]),
  ]);
}

async function go(page: Page, id: string): Promise<void> {
  await page.locator(`[role=row][data-id="${id}"]`).click();
  await page.locator(`[role=row][data-id="${id}"][data-current]`).waitFor();
}

/** Decides about a task by keys; a denial has a reason. */
async function decide(page: Page, id: string, choice: 'c' | 'd'): Promise<void> {
  await go(page, id);
  await currentRow(page).focus();
  await page.keyboard.press(choice);
  await page.locator(`[role=row][data-id="${id}"][data-decided]`).waitFor();
}

async function submit(page: Page, count: number): Promise<void> {
  const name = count === 1 ? 'Submit 1 decision' : `Submit ${count} decisions`;
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog').getByRole('button', { name }).click();
  await page.getByRole('button', { name: 'Send now' }).waitFor();
}

const saved = (page: Page) => page.getByText('All saved').first().waitFor();

/** A page that shows everything, so that rows stay where they are. */
async function openAll(options: Parameters<typeof openQueuePage>[2] = {}): Promise<Page> {
  const page = await openQueuePage({ browser, server, story }, story.elif, options);
  await page.goto(`/r/${story.reviewId}?show=all`);
  await currentRow(page).waitFor();
  return page;
}

const idsOf = (page: Page): Promise<string[]> =>
  page.locator('[role=row][data-id]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id') ?? ''));

describe.skipIf(!hasBrowser)('what was decided last', () => {
  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    browser.expectComplaint(/net::ERR_|status of (409|503)/);
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('is what goes out, and another tab changes nothing of it meanwhile but can take it back', async () => {
    story = await tellQueueStory(server, { items: 6, name: 'Two tabs' });
    const left = await openAll();
    const right = await left.context().newPage();
    await right.addInitScript(longTenSeconds);
    await right.goto(`/r/${story.reviewId}?show=all`);
    await currentRow(right).waitFor();
    const [a = '', b = '', c = ''] = await idsOf(left);
    for (const id of [a, b, c]) {
      await decide(left, id, 'c');
    }
    await submit(left, 3);
    await right.getByText('3 decisions go out from another tab').waitFor();
    await go(right, a);
    await currentRow(right).focus();
    await right.keyboard.press('d');
    await right.getByText('Decisions are on their way').first().waitFor();
    await right.keyboard.press('Backspace');
    await right.getByRole('button', { name: 'Undo' }).last().click();
    await left.getByRole('button', { name: 'Submit 3 decisions' }).waitFor();
    await right.getByText('go out from another tab').waitFor({ state: 'detached' });
    await decide(right, a, 'd');
    await submit(left, 3);
    await right.getByRole('button', { name: 'Send now' }).click();
    await left.getByRole('dialog', { name: '3 decisions are recorded' }).waitFor();
    await right.getByText('go out from another tab').waitFor({ state: 'detached' });
    await expect.poll(record).toEqual({ [a]: 'DECERTIFIED', [b]: 'CERTIFIED', [c]: 'CERTIFIED' });
    await left.context().close();
  });

  it('on another device keeps a submission from going out as it was', async () => {
    story = await tellQueueStory(server, { items: 6, name: 'Two devices' });
    const [here, there] = [await openAll(), await openAll()];
    const [a = '', b = '', c = ''] = await idsOf(here);
    await decide(here, a, 'c');
    await decide(here, b, 'c');
    await saved(here);
    // The other device hears of both, and adds to them.
    await there.locator(`[role=row][data-id="${b}"][data-decided]`).waitFor();
    await decide(there, c, 'd');
    await saved(there);
    await here.locator(`[role=row][data-id="${c}"][data-decided]`).waitFor();
    expect(await record()).toEqual({ [a]: 'certify', [b]: 'certify', [c]: 'deny' });
    await submit(here, 3);
    await decide(there, a, 'd');
    await saved(there);
    await expect.poll(record).toEqual({ [a]: 'deny', [b]: 'certify', [c]: 'deny' });
    await here.getByText('Nothing was submitted').first().waitFor();
    await here.getByRole('button', { name: 'Understood' }).click();
    await submit(here, 3);
    await here.getByRole('button', { name: 'Send now' }).click();
    await here.getByRole('dialog', { name: '3 decisions are recorded' }).waitFor();
    expect(await record()).toEqual({ [a]: 'DECERTIFIED', [b]: 'CERTIFIED', [c]: 'DECERTIFIED' });
    // The other device shows what was recorded, and nothing is left to submit there.
    await there.getByRole('button', { name: 'Submit decisions' }).waitFor();
    await Promise.all([here, there].map((page) => page.context().close()));
  });

  it('on two devices without each other’s news is that which the server had first, and the other says so', async () => {
    story = await tellQueueStory(server, { items: 6, name: 'Two answers' });
    const [here, there] = [await openAll(), await openAll()];
    const [a = '', b = ''] = await idsOf(here);
    await there.context().setOffline(true);
    await decide(there, a, 'd');
    await decide(there, b, 'd');
    await decide(here, a, 'c');
    await saved(here);
    await there.context().setOffline(false);
    await there.getByText('You decided 1 item otherwise on another device').waitFor();
    await there.getByText('decided on another device, here: Denied').waitFor();
    await saved(there);
    await expect.poll(record).toEqual({ [a]: 'certify', [b]: 'deny' });
    await there.getByRole('button', { name: 'Understood' }).click();
    await there.getByText('otherwise on another device').waitFor({ state: 'detached' });
    await Promise.all([here, there].map((page) => page.context().close()));
  });

  it('survives a reload before it was saved, where the clock is an hour slow', async () => {
    story = await tellQueueStory(server, { items: 6, name: 'Slow clock' });
    const page = await openQueuePage({ browser, server, story }, story.elif);
    await page.addInitScript(anHourSlow);
    await page.goto(`/r/${story.reviewId}?show=all`);
    await currentRow(page).waitFor();
    const [a = ''] = await idsOf(page);
    await decide(page, a, 'c');
    await saved(page);
    await page.route('**/pending_decisions', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await decide(page, a, 'd');
    await page.getByText('on this device since').waitFor();
    await page.unroute('**/pending_decisions');
    await page.reload();
    await currentRow(page).waitFor();
    await expect.poll(record).toEqual({ [a]: 'deny' });
    await saved(page);
    await page.context().close();
  });

  it.each([
    ['refuses to', `Object.defineProperty(globalThis, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError'); } });`],
    ['never does', 'IDBFactory.prototype.open = () => ({});'],
  ])('goes to the server at once in a browser that %s keep anything', async (kind, script) => {
    story = await tellQueueStory(server, { items: 6, name: `A browser that ${kind}` });
    const page = await openQueuePage({ browser, server, story }, story.elif);
    await page.addInitScript(script);
    await page.goto(`/r/${story.reviewId}?show=all`);
    await currentRow(page).waitFor();
    await page.getByText('This browser keeps nothing for this page').waitFor();
    const [a = '', b = ''] = await idsOf(page);
    await decide(page, a, 'c');
    await saved(page);
    await expect.poll(record).toEqual({ [a]: 'certify' });
    await page.route('**/pending_decisions', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await decide(page, b, 'd');
    await page.getByText('1 decision is not saved').waitFor();
    await page.getByText('keep it open until your decisions are saved').waitFor();
    await page.unroute('**/pending_decisions');
    await saved(page);
    await submit(page, 2);
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByRole('dialog', { name: '2 decisions are recorded' }).waitFor();
    expect(await record()).toEqual({ [a]: 'CERTIFIED', [b]: 'DECERTIFIED' });
    await page.context().close();
  });
});
