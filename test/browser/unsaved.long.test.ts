/** A draft of a review while the server takes some of what is written and not the rest: "Saved" is said of all of it or not at all. */
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { type Company, startCompany } from '../support/small-company.ts';

let company: Company;
let browser: TestBrowser;
let reviewId: string;

beforeAll(async () => {
  company = await startCompany();
  if (hasBrowser) {
    browser = await openBrowser();
    browser.expectComplaint(/status of (?:400|404|500)|ERR_FAILED|ERR_ABORTED/);
  }
});
beforeEach(async () => {
  reviewId = (await company.call('POST', '/api/v1/access_review', { displayName: 'Pay' })).accessReview.accessReview.id;
});
afterAll(async () => {
  await browser?.close();
  await company.server.stop();
});

const open = async (path: string): Promise<Page> => {
  const page = await browser.signedInPage(company.server, company.server.admin.id);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
};
const stored = async () => (await company.call('GET', `/api/v1/access_review/${reviewId}`)).accessReview.accessReview;
/** Makes saves fail while a switch is on. */
const failing = async (page: Page): Promise<{ on: boolean }> => {
  const state = { on: true };
  await page.route(`**/api/v1/access_review/${reviewId}`, (route) =>
    state.on && route.request().method() === 'POST'
      ? route.fulfill({ status: 500, contentType: 'application/json', body: '{"code":13,"message":"broken"}' })
      : route.continue(),
  );
  return state;
};
const status = (page: Page) => page.getByRole('status').filter({ hasText: /save|Saving/i });

describe.skipIf(!hasBrowser)('a draft that is edited', () => {
  it('is not saved while one part of it is not, and that goes with the next save', async () => {
    const page = await open(`/reviews/${reviewId}/edit/purpose`);
    const state = await failing(page);
    await page.getByLabel('Purpose', { exact: true }).fill('Who may pay whom.');
    await status(page).getByText('Not saved').waitFor();
    state.on = false;
    await page.getByLabel('Instructions').fill('Ask yourself.');
    await status(page)
      .getByText(/^Saved/)
      .waitFor();
    expect(await stored()).toMatchObject({ description: 'Who may pay whom.', reviewInstructions: 'Ask yourself.' });
    await page.close();
  });

  it('keeps what the server refused, stores the rest, and says both', async () => {
    const page = await open(`/reviews/${reviewId}/edit/purpose`);
    await page.getByLabel('Name', { exact: true }).fill('');
    await status(page).getByText('Not saved').waitFor();
    await page.getByLabel('Instructions').fill('Ask yourself.');
    await expect.poll(async () => (await stored()).reviewInstructions).toBe('Ask yourself.');
    expect(await status(page).textContent()).toContain('Not saved');
    expect((await stored()).displayName).toBe('Pay');
    await page.getByLabel('Name', { exact: true }).fill('Who may pay?');
    await status(page)
      .getByText(/^Saved/)
      .waitFor();
    expect(await stored()).toMatchObject({ displayName: 'Who may pay?', reviewInstructions: 'Ask yourself.' });
    await page.close();
  });

  it('that is left unsaved says so, holds up its start, and is as it was when one comes back', async () => {
    const page = await open(`/reviews/${reviewId}/edit/purpose`);
    const state = await failing(page);
    await page.getByLabel('Purpose', { exact: true }).fill('Who may pay whom.');
    await status(page).getByText('Not saved').waitFor();
    await page.getByRole('link', { name: 'Preview who is asked' }).click();
    await page.getByText('Changes to Pay are not saved.').first().waitFor();
    const prepare = page.getByRole('button', { name: 'Prepare' });
    expect(await prepare.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Back to the review' }).click();
    await expect.poll(() => page.getByLabel('Purpose', { exact: true }).inputValue()).toBe('Who may pay whom.');
    await status(page).getByText('Not saved').waitFor();
    // Loading the page anew asks first: it would be gone.
    const asked = new Promise<string>((resolve) => {
      page.on('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.dismiss();
      });
    });
    await page.evaluate('setTimeout(() => location.reload())');
    expect(await asked).toBe('beforeunload');
    state.on = false;
    await status(page)
      .getByText(/^Saved/)
      .waitFor();
    expect((await stored()).description).toBe('Who may pay whom.');
    await page.close();
  });

  it('and words in a list: the last ones are stored, also where the ones before are under way', async () => {
    const page = await open('/quality/no-description');
    const held: Route[] = [];
    await page.route(/\/api\/v1\/apps\/[^/]+\/entitlements\/[^/]+$/, async (route) => {
      if (route.request().method() === 'POST' && held.length === 0) {
        held.push(route);
      } else {
        await route.fallback();
      }
    });
    const words = page.locator('[data-words] input').first();
    const id = await page.locator('[data-words]').first().getAttribute('data-words');
    await words.fill('Pay');
    await words.press('Enter');
    await expect.poll(() => held.length).toBe(1);
    await words.fill('Pay people');
    await words.press('Enter');
    await held[0]?.continue();
    const kept = async () =>
      (await company.call('GET', `/api/v1/apps/${company.appId}/entitlements/${id}`)).appEntitlementView.appEntitlement.description;
    await expect.poll(kept).toBe('Pay people');
    await page.close();
  });

  it('and is not whole on the server yet, is no "Saved"', async () => {
    const page = await open(`/reviews/${reviewId}/edit/purpose`);
    await page.getByLabel('Purpose', { exact: true }).fill('First.');
    await status(page)
      .getByText(/^Saved/)
      .waitFor();
    await page.getByLabel('Purpose', { exact: true }).pressSequentially(' Second.');
    // At once, before anything was sent.
    expect(await status(page).textContent()).toContain('Saving');
    await status(page)
      .getByText(/^Saved/)
      .waitFor();
    expect((await stored()).description).toBe('First. Second.');
    await page.close();
  });
});
