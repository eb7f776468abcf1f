/**
 * The dialogs of running and closed reviews, and the pages that fill up while people decide: without findings in both themes, by keys alone, and
 * without sideways scrolling on a narrow phone.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, sizes, type TestBrowser } from '../support/browser.ts';
import { type Company, startCompany } from '../support/small-company.ts';

let company: Company;
let browser: TestBrowser;
let openId: string;
let closedId: string;

/** Starts a review of the app, and denies one right of it with a reason as whoever is asked. */
async function run(): Promise<string> {
  const id = await company.draft({
    displayName: 'Who may pay?',
    singleApp: { appId: company.appId },
    completionDate: '2099-01-01T00:00:00Z',
  });
  await company.act(id, 'prepare', 'REVIEW');
  await company.act(id, 'start', 'OPEN');
  const { list } = await company.call('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100 });
  const { task } = list.find(({ task: one }: Loose) => one.type.certify.appUserId === company.ids.a1);
  const [userId = ''] = task.policy.current.approval.assignedUserIds ?? task.userIds ?? [company.users.max];
  const reviewer = await company.server.issueClient(userId);
  const decisions = [{ taskId: task.id, decision: 'REVIEW_DECISION_DENY', comment: 'She left the team.' }];
  const answer = await request(company.server, reviewer, 'POST', `/api/v1/access_review/${id}/submissions`, { decisions });
  expect(answer.body).toMatchObject({ results: [{ decided: true }] });
  return id;
}

beforeAll(async () => {
  company = await startCompany();
  if (hasBrowser) {
    browser = await openBrowser();
  }
});
afterAll(async () => {
  await browser?.close();
  await company.server.stop();
});

const open = async (path: string): Promise<Page> => {
  const page = await browser.signedInPage(company.server, company.server.admin.id, { context: { reducedMotion: 'reduce' } });
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
  return page;
};

/** Finds faults of a page as it stands: findings in either theme, and pixels beside a narrow screen. */
async function faultsOf(page: Page): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    found.push(...(await checkAxe(page)).map((finding) => ({ colorScheme, ...finding })));
  }
  await page.setViewportSize(sizes.narrow);
  const pixels = await sidewaysPixels(page);
  await page.setViewportSize(sizes.desk);
  return pixels === 0 ? found : [...found, { pixels }];
}

/** Opens a dialog by a key press on what has the focus, and says what is wrong with it; Escape gives the focus back. */
async function openByKeys(page: Page, opener: ReturnType<Page['getByRole']>): Promise<unknown[]> {
  await opener.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  const faults = await faultsOf(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => opener.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  return faults;
}

describe.skipIf(!hasBrowser)('dialogs of a review', () => {
  it('begins with a review that runs and one that is closed', async () => {
    openId = await run();
    closedId = await run();
    await company.act(closedId, 'close', 'CLOSED');
  });

  it('close: by keys, without findings, and with the focus back where it was', async () => {
    const page = await open(`/reviews/${openId}/progress`);
    expect(await openByKeys(page, page.getByRole('button', { name: 'Close review' }))).toEqual([]);
    await page.close();
  });

  it('delete: out of the menu, by keys', async () => {
    const page = await open(`/reviews/${openId}/progress`);
    await page.getByRole('button', { name: 'More actions' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete review' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Delete review' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.close();
  });

  it('pass on, and one removal', async () => {
    const items = await open(`/reviews/${openId}/items`);
    await items
      .locator('tbody')
      .getByRole('checkbox', { name: /^Select/ })
      .first()
      .check();
    expect(await openByKeys(items, items.getByRole('button', { name: 'Pass 1 item on' }))).toEqual([]);
    await items.close();
    const removals = await open(`/revocations?review=${closedId}`);
    const name = removals.getByRole('table', { name: 'Revocations' }).getByRole('link').first();
    expect(await openByKeys(removals, name)).toEqual([]);
    await removals.close();
  });
});

describe.skipIf(!hasBrowser)('reminding', () => {
  it('goes to those who are selected, and says how many', async () => {
    const page = await open(`/reviews/${openId}/progress`);
    await page.getByRole('checkbox', { name: 'Select Ida' }).check();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remind 1 person' }).click();
    await page.getByText('1 person is reminded.').first().waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select Ida' }).isChecked()).toBe(false);
    const { list } = await company.call('POST', '/api/v1/systemlog/events', {
      accessReviewId: openId,
      sortDirection: 'SORT_DIRECTION_DESC',
    });
    expect(list[0].unmapped).toMatchObject({ kind: 'review.reminded', data: { userIds: [company.users.ida], people: 1 } });
    await page.close();
  });
});

describe.skipIf(!hasBrowser)('what people wrote', () => {
  it('stands under comments, of everybody and of one', async () => {
    const page = await open(`/reviews/${openId}/comments`);
    await page.getByText('She left the team.').first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Written by' }).fill('Ida');
    await page.getByRole('listbox').getByRole('option', { name: 'Ida' }).first().click();
    await page.getByText('This person has written nothing').first().waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('reviewer')).toContain(company.users.ida);
    await page.close();
  });
});

describe.skipIf(!hasBrowser)('pages with rows', () => {
  it.each([
    ['items', () => `/reviews/${openId}/items`],
    ['submissions', () => `/reviews/${openId}/submissions`],
    ['settings', () => `/reviews/${openId}/settings`],
    ['history', () => `/reviews/${openId}/history`],
    ['removals', () => `/reviews/${closedId}/removals`],
    ['revocations', () => '/revocations'],
    ['evidence', () => `/evidence/${closedId}`],
    ['the list of evidence', () => '/evidence'],
    ['reviews', () => '/reviews'],
    ['the log', () => '/log'],
    ['the dates', () => `/reviews/${openId}/edit/dates`],
  ])('%s', async (_name, path) => {
    const page = await open(path());
    expect(await faultsOf(page)).toEqual([]);
    await page.close();
  });

  it('the log of one person between two days, by its address', async () => {
    const page = await open(`/log?since=2020-01-01&until=2099-01-01&actor=${company.users.ida}`);
    await page.getByText('No event').first().waitFor();
    const own = await open(`/log?actor=${company.server.admin.id}`);
    await own
      .getByText('review.closed', { exact: true })
      .or(own.getByText('review.close_requested', { exact: true }))
      .first()
      .waitFor();
    expect(await own.getByText('System', { exact: true }).count()).toBe(0);
    await page.close();
    await own.close();
  });
});
