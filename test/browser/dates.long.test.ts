/** Fields of dates under the keys of a real browser: what is not whole is neither stored nor sent, and a stored date goes by a button alone. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { type Company, startCompany } from '../support/small-company.ts';

let company: Company;
let browser: TestBrowser;
let reviewId: string;

const due = '2099-12-01T09:00:00Z';

beforeAll(async () => {
  company = await startCompany();
  if (hasBrowser) {
    browser = await openBrowser();
    browser.expectComplaint(/status of 40[04]/);
  }
  const made = await company.call('POST', '/api/v1/access_review', { displayName: 'Pay' });
  reviewId = made.accessReview.accessReview.id;
  await company.call('POST', `/api/v1/access_review/${reviewId}`, { accessReview: { completionDate: due }, updateMask: 'completionDate' });
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
/** Goes to a part of a field of a date: its year is the third, its time the last. */
const goTo = async (page: Page, field: Locator, part: number): Promise<void> => {
  await field.focus();
  for (let step = 0; step < part; step += 1) {
    await page.keyboard.press('ArrowRight');
  }
};
/** Masks of the changes that the page sends from now on. */
const masksOf = (page: Page): string[] => {
  const masks: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(`/access_review/${reviewId}`)) {
      masks.push((request.postDataJSON() as { updateMask: string }).updateMask);
    }
  });
  return masks;
};
const mails = (page: Page): Locator => page.getByRole('switch', { name: 'Reminders before the due date' });

describe.skipIf(!hasBrowser)('a field of a date', () => {
  it.each([
    [
      'without its month',
      async (page: Page, field: Locator) => {
        await goTo(page, field, 1);
        await page.keyboard.press('Backspace');
      },
    ],
    [
      'in the middle of its year',
      async (page: Page, field: Locator) => {
        await goTo(page, field, 2);
        await page.keyboard.type('20');
      },
    ],
    [
      'that was emptied part by part',
      async (page: Page, field: Locator) => {
        await field.focus();
        for (let part = 0; part < 5; part += 1) {
          await page.keyboard.press('Backspace');
          await page.keyboard.press('ArrowRight');
        }
      },
    ],
  ])('%s leaves the stored one as it is, and says so', async (_, write) => {
    const page = await open(`/reviews/${reviewId}/edit/dates`);
    const masks = masksOf(page);
    const field = page.getByLabel('Due', { exact: true });
    await write(page, field);
    await field.blur();
    await page.getByText('This date is not complete. 1 Dec 2099, 10:00 still applies.').waitFor();
    // What is changed next is stored, and with it nothing of the date.
    const before = (await stored()).notificationConfig?.sendReminders === true;
    await mails(page).click();
    await expect.poll(async () => (await stored()).notificationConfig?.sendReminders === true).toBe(!before);
    await expect.poll(() => masks).toEqual(['notificationConfig']);
    expect((await stored()).completionDate).toBe(due);
    await page.close();
  });

  it('takes no fifth digit of a year, and is stored once it is whole', async () => {
    const page = await open(`/reviews/${reviewId}/edit/dates`);
    const masks = masksOf(page);
    const field = page.getByLabel('Due', { exact: true });
    await goTo(page, field, 2);
    await page.keyboard.type('2098');
    await expect.poll(async () => (await stored()).completionDate).toBe('2098-12-01T09:00:00Z');
    await goTo(page, field, 2);
    await page.keyboard.type('20995');
    await expect.poll(() => field.inputValue()).toMatch(/^\d{4}-/);
    await page.keyboard.press('Tab');
    await field.fill('2099-12-01T10:00');
    await expect.poll(async () => (await stored()).completionDate).toBe(due);
    await expect.poll(() => new Set(masks)).toEqual(new Set(['completionDate']));
    await page.close();
  });

  it('is removed by its button', async () => {
    const page = await open(`/reviews/${reviewId}/edit/dates`);
    await page.getByRole('button', { name: 'Remove the date: Due' }).click();
    await expect.poll(async () => (await stored()).completionDate).toBeUndefined();
    await page.getByText(/^Saved/).waitFor();
    expect(await page.getByLabel('Due', { exact: true }).inputValue()).toBe('');
    await page.close();
  });

  it('and one of a number keep what is stored until another is written', async () => {
    const id = await company.draft({ singleApp: { appId: company.appId }, scopeV2: { grantsByCriteria: { daysSinceAdded: '90' } } });
    const page = await open(`/reviews/${id}/edit/scope`);
    const days = page.getByLabel('Days', { exact: true });
    await days.fill('');
    await days.blur();
    await expect.poll(() => days.inputValue()).toBe('90');
    await days.selectText();
    await page.keyboard.press('Backspace');
    await page.keyboard.type('30');
    const kept = async () => (await company.call('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview.scopeV2.grantsByCriteria;
    await expect.poll(kept).toMatchObject({ daysSinceAdded: '30' });
    expect(await days.inputValue()).toBe('30');
    await page.close();
  });

  it('of an address is typed to its end, and no part of it shows a fault', async () => {
    const page = await open('/log');
    const search = (): string => new URL(page.url()).search;
    const seen: string[] = [];
    page.on('framenavigated', () => seen.push(search()));
    await page.getByLabel('Since').focus();
    await page.keyboard.type('02022026', { delay: 20 });
    await expect.poll(search).toContain('since=2026-02-02');
    expect(seen.filter((one) => one.includes('since') && !one.includes('2026-02-02'))).toEqual([]);
    // A fifth digit, as some browsers take it in an address that somebody wrote.
    await page.goto('/log?since=20266-02-01&until=0002-02-01');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('list').first().waitFor();
    expect(await page.getByText(/This page did not come|Invalid time value/).count()).toBe(0);
    await page.close();
  });

  it('of a form that sends it later is not left out while it is not whole', async () => {
    const page = await open('/settings/profile');
    const sent: unknown[] = [];
    page.on(
      'request',
      (request) => void (request.method() !== 'GET' && /my\/delegation$/.test(request.url()) ? sent.push(request.postDataJSON()) : 0),
    );
    await page.getByRole('button', { name: 'Choose a delegate' }).click();
    const delegate = page.getByRole('combobox', { name: 'Delegate' });
    await delegate.fill('Max');
    await page.getByRole('option', { name: 'Max' }).first().click();
    const until = page.getByLabel('Until');
    await until.focus();
    await page.keyboard.type('0101');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('This date is not complete.').waitFor();
    // Enter sends no more than the button.
    await until.press('Enter');
    await goTo(page, until, 2);
    await page.keyboard.type('2099');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(() => sent.filter((one) => JSON.stringify(one).includes('delegatedUserId')))
      .toMatchObject([{ delegationExpireAt: '2099-01-01T22:59:59.000Z' }]);
    await page.close();
  });
});
