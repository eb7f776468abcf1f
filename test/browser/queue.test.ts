/** A reviewer's queue in a real browser: sixty items decided by keys alone, reasons, undo, and a submission that can be taken back. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { longTenSeconds, type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;
let page: Page;

const current = () => page.locator('[role=row][data-current]');
const left = (count: number) => page.getByText(`${count} left`, { exact: true });

describe.skipIf(!hasBrowser)('the queue', () => {
  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 60, rules: { requireDenialReason: true } });
    browser = await openBrowser();
    page = await browser.signedInPage(server, story.elif);
    await page.addInitScript(longTenSeconds);
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('is reached from my reviews, and begins at the first item', async () => {
    await page.goto('/home');
    await page.getByText('60 decisions are waiting for you').first().waitFor();
    await page.getByRole('link', { name: 'Begin: Quarterly access review' }).click();
    await current().waitFor();
    expect(await page.getByRole('grid').getAttribute('aria-multiselectable')).toBe('true');
    await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("role")')).toBe('row');
    await left(60).waitFor();
  });

  it('is decided by keys alone, with at most half a request for each decision', async () => {
    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') {
        writes.push(request.url());
      }
    });
    for (let decided = 1; decided <= 58; decided++) {
      await page.keyboard.press('c');
    }
    await left(2).waitFor();
    await page.keyboard.press('d');
    const reason = page.getByLabel('Why is it not needed any more?');
    await reason.waitFor();
    expect(await reason.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Write a reason.').first().waitFor();
    await page.keyboard.type('Audit ended in September.');
    await page.keyboard.press('Control+Enter');
    await left(1).waitFor();
    await page.keyboard.press('t');
    // The side bar has such fields, too: the one that is opened gets the focus.
    await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("role")')).toBe('radio');
    await page.keyboard.press('Control+Enter');
    await left(0).waitFor();
    await page.getByText('All saved').first().waitFor();
    expect(writes.length).toBeLessThanOrEqual(30);
  });

  it('takes decisions back, the last one and this one', async () => {
    await page.keyboard.press('z');
    await left(1).waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('Backspace');
    await left(2).waitFor();
    await page.keyboard.press('c');
    await left(1).waitFor();
    await page.keyboard.press('n');
    await page.keyboard.press('c');
    await left(0).waitFor();
  });

  it('submits after ten seconds that can be taken back', async () => {
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Submit 60 decisions' });
    await dialog.waitFor();
    await dialog.getByText('1 removal is asked for').first().waitFor();
    await dialog
      .getByText(/(?:minutes?|Less than a minute) of looking/)
      .first()
      .waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Undo' }).last().waitFor();
    await page.keyboard.press('z');
    await expect.poll(() => page.getByRole('button', { name: 'Send now' }).count()).toBe(0);
    expect(await story.counts()).toMatchObject({ undecided: '60' });
    await expect.poll(() => dialog.count()).toBe(0);
    await page.getByRole('navigation', { name: 'Review' }).getByRole('button', { name: 'Submit 60 decisions' }).click();
    await dialog.getByRole('button', { name: 'Submit 60 decisions' }).click();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByRole('dialog', { name: '60 decisions are recorded' }).waitFor();
    expect(await story.counts()).toMatchObject({ certified: '59', revoked: '1' });
    await page.getByRole('button', { name: 'Done' }).click();
  });

  it('says what was submitted', async () => {
    await page.goto('/my/submissions');
    await page.getByText('59', { exact: true }).first().waitFor();
  });
});
