/** Names that hold what looks like an escape, a tag or a parameter, in a browser: wherever a reviewer meets them, they stand as they are stored. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { currentRow, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

const names = {
  review: 'Review \\u0041 of <b>\\x3Cb\\x3E</b> {name} 100%',
  account: 'CORP\\xabier',
  another: 'CORP\\u0041dmin2',
  long: 'Service account of the gateway for payments in Europe number 1',
  alike: 'Service account of the gateway for payments in Europe number 2',
  person: 'Farid \\x53ample <i>\\u0042</i>',
};

const isCut = (element: unknown): boolean => {
  const { scrollWidth, clientWidth } = element as { scrollWidth: number; clientWidth: number };
  return scrollWidth > clientWidth;
};

describe.skipIf(!hasBrowser)('a name with what looks like an escape', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let story: QueueStory;
  let page: Page;

  const questionOf = () => page.locator('h2[data-question]');
  const choose = async (account: string) => {
    await page.getByRole('row').filter({ hasText: account }).click();
    await expect.poll(() => questionOf().textContent()).toContain(account);
  };

  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, {
      items: 6,
      name: names.review,
      accounts: [names.account, names.another, names.long, names.alike],
      nameOfFarid: names.person,
    });
    browser = await openBrowser();
    page = await openQueuePage({ browser, server, story }, story.elif);
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('stands in the title of the page and beside the list', async () => {
    await expect.poll(() => page.title()).toBe(`${names.review} · Countersign`);
    await page.getByRole('navigation', { name: 'Review' }).getByText(names.review, { exact: true }).first().waitFor();
  });

  it.each([names.account, names.another])('stands in the question, the row and its label: %s', async (account) => {
    await choose(account);
    expect(await questionOf().textContent()).toBe(
      `Should the account ${account} keep the right payments · Release payments in Ledger of ${names.review}?`,
    );
    expect(await currentRow(page).textContent()).toContain(account);
    expect(await currentRow(page).getAttribute('aria-label')).toMatch(
      new RegExp(`^${account.replaceAll('\\', '\\\\')}, payments · Release payments`),
    );
    expect(await page.getByRole('button', { name: `Select ${account}`, exact: true }).count()).toBe(1);
  });

  it('is told apart from one that begins alike, where both are cut', async () => {
    for (const name of [names.long, names.alike]) {
      const shown = page.locator(`[role=gridcell] > [title="${name}"]`);
      expect(await shown.textContent()).toBe(name);
      const [whole, end] = [await shown.boundingBox(), await shown.locator('> :last-child').boundingBox()];
      // Its end is in sight.
      expect((end?.x ?? 0) + (end?.width ?? 0)).toBeLessThanOrEqual((whole?.x ?? 0) + (whole?.width ?? 0) + 1);
      expect(await shown.locator('> :first-child').evaluate(isCut)).toBe(true);
      // Those who listen hear the row, with the whole name.
      expect(await page.getByRole('row', { name: new RegExp(`^${name},`) }).count()).toBe(1);
    }
  });

  it('is said to those who listen', async () => {
    await choose(names.account);
    await page.keyboard.press('k');
    await page.keyboard.press('c');
    await expect.poll(() => page.locator('[aria-live=polite]').allTextContents()).toContainEqual(expect.stringContaining(names.account));
  });

  it('stands in what is submitted, and where it is recorded', async () => {
    await choose(names.account);
    await page.keyboard.press('d');
    await choose(names.another);
    await page.keyboard.press('c');
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(names.account).first().waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByRole('dialog', { name: /recorded/ }).waitFor();
    await page.goto('/my/submissions');
    await page.getByRole('row').filter({ hasText: names.review }).first().waitFor();
  });

  it('stands in a toast and in the list of people', async () => {
    await page.goto('/settings/profile');
    await page
      .getByRole('button', { name: /delegate/i })
      .first()
      .click();
    await page.getByRole('combobox', { name: /Delegate|stand/i }).fill('Farid');
    await page.getByRole('option').filter({ hasText: names.person }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`${names.person} may decide in your place.`).first().waitFor();
  });
});
