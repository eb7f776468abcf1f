/**
 * Requests to a person beside their queue, in a real browser: to remove what was denied, and for a second opinion on what others decided. Each of
 * them has no other right than to be asked.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { closeBy } from '../support/dialogs.ts';
import { isLong } from '../support/runs.ts';
import { type Company, startCompany } from '../support/small-company.ts';

let company: Company;
let browser: TestBrowser;
let reviewId: string;
let asked: { id: string; numericId: string; stepApproverIds: string[] };

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

const open = async (who: string, path = '/home'): Promise<Page> => {
  const page = await browser.signedInPage(company.server, company.users[who] ?? '');
  page.setDefaultTimeout(120_000);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
};

describe.skipIf(!hasBrowser)('what asks a person beside the queue', () => {
  it('begins with a review whose items are decided', async () => {
    await company.call('PUT', `/api/v1/apps/${company.appId}/owners`, { userIds: [company.users.ida] });
    reviewId = await company.draft({ displayName: 'Who may pay?', singleApp: { appId: company.appId } });
    await company.act(reviewId, 'prepare', 'REVIEW');
    await company.act(reviewId, 'start', 'OPEN');
    const { list } = await company.call('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], pageSize: 100 });
    asked = list[0].task;
    const decisions = list.map(({ task }: { task: { id: string; type: { certify: { appEntitlementId: string; appUserId: string } } } }) => {
      const { appEntitlementId, appUserId } = task.type.certify;
      const isDenied = appEntitlementId === company.ids.pay && appUserId === company.ids.a1;
      return { taskId: task.id, decision: isDenied ? 'REVIEW_DECISION_DENY' : 'REVIEW_DECISION_CERTIFY', comment: 'Looked at.' };
    });
    await company.call('POST', `/api/v1/access_review/${reviewId}/submissions`, { decisions });
  });

  it('an address of a task, as other programs print it, leads to its item', async () => {
    const { list } = await company.call('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], pageSize: 1 });
    const number = list[0].task.numericId;
    const admin = await browser.signedInPage(company.server, company.server.admin.id);
    await admin.goto(`/task/${number}`);
    await admin.waitForURL(`**/reviews/${reviewId}/items?q=%23${number}`);
    await admin.getByRole('heading', { level: 1 }).waitFor();
    // Whoever was asked and does not run the review comes to their own list, also after the decision.
    const reviewer = await browser.signedInPage(company.server, asked.stepApproverIds[0] ?? '');
    await reviewer.goto(`/task/${asked.numericId}`);
    await reviewer.waitForURL(`**/r/${reviewId}?show=all&task=${asked.id}`);
  });

  it.runIf(isLong)('a second opinion: answers are kept until they are sent, and then stand', async () => {
    const admin = await browser.signedInPage(company.server, company.server.admin.id);
    admin.setDefaultTimeout(120_000);
    // There is none before one is drawn, which the browser writes down.
    browser.expectComplaint(/status of 404/);
    await admin.goto(`/reviews/${reviewId}/checks`);
    await admin.getByRole('button', { name: 'Draw a second review' }).click();
    const drawing = admin.getByRole('dialog');
    await drawing.getByText('A number').click();
    await drawing.getByLabel('Items').fill('100');
    for (const name of ['Ann', 'Bob']) {
      await drawing.getByRole('combobox', { name: 'Who is asked' }).fill(name);
      await admin.getByRole('listbox').getByRole('option', { name }).first().click();
    }
    await checkAxe(admin);
    await drawing.getByRole('button', { name: 'Draw a second review' }).click();
    await admin.getByRole('button', { name: 'End it now' }).waitFor();
    const page = await open('bob');
    await page.getByText('for a second opinion').first().waitFor();
    await page.getByRole('link', { name: 'Look at them' }).click();
    await page.getByRole('heading', { level: 1, name: 'Second opinion' }).waitFor();
    const items = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Certify: / }) });
    await items.first().waitFor();
    const all = await items.count();
    // What the first reviewer said is not shown.
    expect(await page.getByText('Looked at.').count()).toBe(0);
    const answer = (right: string, decision: 'Certify' | 'Deny') =>
      items
        .filter({ hasText: right })
        .first()
        .getByRole('button', { name: new RegExp(`^${decision}: `) })
        .click();
    await answer('Repo rep', 'Certify');
    // Not what was denied before.
    await answer('Ledger sub', 'Deny');
    await items.filter({ hasText: 'Ledger sub' }).first().getByRole('textbox').fill('Never used.');
    await page.getByRole('button', { name: 'Send 2 answers' }).waitFor();
    await checkAxe(page);
    await page.reload();
    await page.getByRole('button', { name: 'Send 2 answers' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('An answer is final.').waitFor();
    await checkAxe(page);
    await dialog.getByRole('button', { name: 'Send 2 answers' }).click();
    await page.getByText('You answered: deny. Never used.').first().waitFor();
    await page.getByText(`2 of ${all} answered`).first().waitFor();
    await page.setViewportSize({ width: 360, height: 780 });
    expect(await sidewaysPixels(page)).toBe(0);
    await page.context().close();
    await admin.getByRole('button', { name: 'End it now' }).click();
    // Those who decided first certified all but one, so one of both answers differs.
    await admin.getByRole('table', { name: 'Items of the second review' }).getByText('Never used.').waitFor();
    await checkAxe(admin);
    await admin.context().close();
  });

  it('a removal: a failure needs its reason, what is said to be done waits for its proof', async () => {
    await company.act(reviewId, 'close', 'CLOSED');
    await expect
      .poll(async () => (await company.call('GET', '/api/v1/revocations?page_size=10')).list[0]?.state, { timeout: 60_000 })
      .toBe('REVOCATION_STATE_IN_PROGRESS');
    const page = await open('ida');
    await page.getByText('1 removal asks you').first().waitFor();
    await page.getByRole('link', { name: 'Look at them' }).click();
    await page.getByRole('heading', { level: 1, name: 'Removals that ask you' }).waitFor();
    // Whose decision it was, why, and in which review: on the page, and in the reply.
    await page.getByText(/^Looked at\. · .+ · Who may pay\?$/).waitFor();
    const [asked] = (await company.call('GET', '/api/v1/revocations?page_size=10')).list;
    expect(asked).toMatchObject({
      reason: 'Looked at.',
      reviewerUserId: company.server.admin.id,
      reviewerDisplayName: expect.stringMatching(/./),
      accessReviewDisplayName: 'Who may pay?',
    });
    await page.getByRole('button', { name: /^It cannot be removed: / }).click();
    const dialog = page.getByRole('dialog');
    const cannot = dialog.getByRole('button', { name: 'It cannot be removed' });
    await cannot.waitFor();
    expect(await cannot.getAttribute('aria-disabled')).toBe('true');
    await checkAxe(page);
    await closeBy(dialog, 'Cancel');
    await page.getByRole('button', { name: /^It is removed: / }).click();
    await dialog.getByRole('textbox').fill('Ticket 7');
    await closeBy(dialog, 'It is removed');
    await page.getByText('Said to be done').first().waitFor();
    const [removal] = (await company.call('GET', '/api/v1/revocations?page_size=10')).list;
    expect([removal.state, removal.note, removal.claimedByUserId]).toEqual(['REVOCATION_STATE_CLAIMED', 'Ticket 7', company.users.ida]);
    await checkAxe(page);
    await page.setViewportSize({ width: 360, height: 780 });
    expect(await sidewaysPixels(page)).toBe(0);
    await page.context().close();
  });

  it('several removals: chosen together, they take one answer', async () => {
    const { appId, ids, users } = company;
    for (const [account, entitlement, person] of [
      ['a1', 'sub', 'ann'],
      ['a2', 'pay', 'bob'],
    ] as const) {
      await company.call('POST', '/api/v1/task/revoke', {
        appId,
        appEntitlementId: ids[entitlement],
        appUserId: ids[account],
        identityUserId: users[person],
        description: 'Left the team.',
      });
    }
    const inProgress = async () =>
      (await company.call('GET', '/api/v1/revocations?page_size=10')).list.filter(
        ({ state }: { state: string }) => state === 'REVOCATION_STATE_IN_PROGRESS',
      ).length;
    await expect.poll(inProgress, { timeout: 60_000 }).toBe(2);
    const page = await open('ida', '/my/removals');
    const toolbar = page.getByRole('toolbar', { name: 'With those chosen' });
    await toolbar.getByLabel('Choose all that are shown').check();
    await toolbar.getByText('2 removals chosen').waitFor();
    await checkAxe(page);
    await toolbar.getByRole('button', { name: 'It is removed (2)' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('Ticket 8');
    await closeBy(dialog, 'It is removed');
    await expect.poll(() => page.getByText('Said to be done').count()).toBe(3);
    expect(await toolbar.count()).toBe(0);
    expect(await inProgress()).toBe(0);
    await page.context().close();
  });
});
