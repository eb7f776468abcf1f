/**
 * A review from its first draft to its evidence, by an administrator in a real browser; what the server refuses stands at its field; what is
 * not there, or is another tenant's, says so.
 */
import type { Download, Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseOption } from '../support/choose-option.ts';
import { request } from '../support/api.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { closeBy } from '../support/dialogs.ts';
import { type Company, startCompany } from '../support/small-company.ts';

let company: Company;
let browser: TestBrowser;

beforeAll(async () => {
  company = await startCompany();
  if (hasBrowser) {
    browser = await openBrowser();
    // The browser writes down each answer that is not 200: a draft that asks nothing yet cannot be counted, and what is not there is 404.
    browser.expectComplaint(/status of 40[04]|There is no such access review/);
  }
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
const pathOf = (page: Page): string => new URL(page.url()).pathname;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
/** Chooses what a field finds by its name. */
const choose = async (page: Page, field: string, name: string): Promise<void> => {
  await page.getByRole('combobox', { name: field, exact: true }).fill(name);
  await page.getByRole('listbox').getByRole('option', { name }).first().click();
};

describe.skipIf(!hasBrowser)('a review in the console', () => {
  let reviewId: string;

  it('begins with one small app, and says beside the scope what it would ask', async () => {
    const page = await open('/reviews');
    await page.getByRole('heading', { name: 'Begin with one small app' }).waitFor();
    await page.getByRole('link', { name: 'New review' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Who may pay?');
    await button(page, 'Create draft').click();
    await page.getByRole('heading', { name: 'What is asked' }).waitFor();
    expect(pathOf(page)).toMatch(/^\/reviews\/[^/]+\/edit\/scope$/);
    reviewId = pathOf(page).split('/')[2] ?? '';
    await page.getByText('Nothing is asked yet').first().waitFor();

    await choose(page, 'Add an app', 'P');
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await expect.poll(() => preview.textContent()).toContain('7 items in all');
    await page
      .getByText(/^Saved/)
      .first()
      .waitFor();

    // Fewer, by what is said of the accounts; the address of the part is its own.
    await page.getByRole('region', { name: 'Through' }).getByText('Conditions', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Accounts of people' }).check();
    await expect.poll(() => preview.textContent()).toContain('6 items in all');
    await page.reload();
    await expect.poll(() => page.getByRole('checkbox', { name: 'Accounts of people' }).isChecked()).toBe(true);
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });

  it('shows what an expression lacks while it is written, and stores it once it holds', async () => {
    const page = await open(`/reviews/${reviewId}/edit/scope`);
    const heldBy = page.getByRole('region', { name: 'Held by' });
    await heldBy.getByText('Expression', { exact: true }).click();
    const expression = page.getByRole('textbox', { name: 'Expression that chooses people' });
    await expression.fill('subject.department ==');
    await heldBy
      .getByText(/line 1, column/)
      .first()
      .waitFor();
    await expression.fill('subject.department == "Fin"');
    await heldBy.getByText('Valid', { exact: true }).first().waitFor();
    const stored = async () => (await company.call('GET', `/api/v1/access_review/${reviewId}`)).accessReview.accessReview.scopeV2;
    await expect.poll(stored).toMatchObject({ celExpression: { expression: 'subject.department == "Fin"' } });
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await expect.poll(() => preview.textContent()).toContain('5 items in all');
    await heldBy.getByText('Everybody', { exact: true }).click();
    await expect.poll(() => preview.textContent()).toContain('6 items in all');
    await page.close();
  });

  it('leaves out what has a reason, and keeps owners, instructions and dates', async () => {
    const page = await open(`/reviews/${reviewId}/edit/scope`);
    await button(page, 'Leave something out').click();
    await choose(page, 'An entitlement', 'grp');
    await page.getByLabel('Reason').fill('Everybody has it by contract.');
    await button(page, 'Leave out').click();
    const lists = () => company.call('GET', `/api/v1/access_review/${reviewId}/scope_lists`);
    await expect.poll(async () => (await lists()).scopeLists.exclusions).toMatchObject([{ reason: 'Everybody has it by contract.' }]);
    await expect.poll(() => page.getByRole('complementary', { name: 'Preview' }).textContent()).toContain('5 items in all');

    await page.getByRole('link', { name: 'Purpose' }).click();
    await page.getByLabel('Instructions').fill('Ask yourself who pays.');
    await choose(page, 'Add an owner', 'Max');
    await page.getByRole('link', { name: 'What reviewers see' }).click();
    await chooseOption(page.getByLabel('The list opens'), 'Person');
    await page.getByLabel('Risk', { exact: true }).check();
    await page.getByLabel('Department', { exact: true }).check();
    await page.getByLabel('Attribute', { exact: true }).fill('cost_center');
    await button(page, 'Add the attribute').click();
    await page.getByText('cost_center, P').waitFor();
    await page.getByRole('link', { name: 'Safeguards' }).click();
    await page.getByLabel('Whoever granted the access').check();
    await page.getByLabel('Wait for a fresh one').check();
    await choose(page, 'People who may acknowledge', 'Ida');
    const duty = () => company.call('GET', `/api/v1/access_review/${reviewId}/acknowledgement`);
    await expect.poll(async () => (await duty()).acknowledgement).toMatchObject({ userIds: [company.users['ida']] });
    expect(await checkAxe(page)).toEqual([]);
    const independence = () => company.call('GET', `/api/v1/access_review/${reviewId}/independence`);
    await expect.poll(async () => (await independence()).independence.blocked).toEqual(['REVIEWER_RELATION_GRANTER']);

    await page.getByRole('link', { name: 'Dates' }).click();
    await page.getByLabel('Due', { exact: true }).fill('2099-12-01T10:00');
    const stored = async () => (await company.call('GET', `/api/v1/access_review/${reviewId}`)).accessReview.accessReview;
    await expect.poll(stored).toMatchObject({
      reviewInstructions: 'Ask yourself who pays.',
      completionDate: '2099-12-01T09:00:00Z',
      defaultView: 'ACCESS_REVIEW_VIEW_TYPE_BY_USER',
      columnConfig: {
        orderedColumns: [{ builtin: 'ACCESS_REVIEW_TASK_COLUMN_RISK_LEVEL' }, { builtin: 'ACCESS_REVIEW_TASK_COLUMN_DEPARTMENT' }],
      },
      reviewerAttributeConfig: { bindings: [{ appId: company.appId, attributeKey: 'cost_center' }] },
      accuracyIssueAction: 'ACCURACY_ISSUE_ACTION_WAIT',
    });
    const owners = () => company.call('GET', `/api/v1/access_review/${reviewId}/owners`);
    await expect.poll(async () => (await owners()).list.length).toBe(2);
    await page.close();
  });

  it('is checked, prepared and started', async () => {
    const page = await open(`/reviews/${reviewId}/check`);
    await page.getByText('Every item has somebody to ask.').first().waitFor();
    // The page says what a start would lack: words for rights, mails, a way to sign in.
    await page
      .getByText(/entitlements? ha(s|ve) no description/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Copy message to the owners' }).waitFor();
    await page.getByText('Nobody is told by mail:').waitFor();
    await page.getByText(/cannot sign in by themselves:/).waitFor();
    await page.getByRole('link', { name: 'Set up sign-in' }).waitFor();
    await page.getByRole('complementary').getByText('P, files').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await button(page, 'Prepare').click();
    await expect.poll(() => button(page, 'Start').getAttribute('aria-disabled')).toBeNull();
    await button(page, 'Start').click();
    // Nothing begins before the summary is confirmed, which says how much is asked of whom, and that nobody would hear of it.
    const summary = page.getByRole('dialog', { name: 'Start Who may pay?' });
    await expect
      .poll(() => summary.getByRole('definition').allTextContents())
      .toEqual(['5', expect.stringMatching(/^2: \S.* \(\d\), \S.* \(\d\)$/)]);
    await summary.getByText('Nobody will be told: no mail leaves this server.').waitFor();
    await summary.getByText(/^\d (person|people) cannot sign in/).waitFor();
    await summary.getByLabel('Due', { exact: true }).fill('2020-01-01T10:00');
    await summary.getByText('Choose a date that lies ahead.').first().waitFor();
    await summary.getByLabel('Due', { exact: true }).fill('2099-11-30T10:00');
    expect(await checkAxe(page)).toEqual([]);
    const stored = async () => (await company.call('GET', `/api/v1/access_review/${reviewId}`)).accessReview.accessReview;
    expect((await stored()).state).toBe('ACCESS_REVIEW_STATE_REVIEW');
    await button(page, 'Start with 5 items').click();
    await expect.poll(() => pathOf(page)).toBe(`/reviews/${reviewId}/progress`);
    expect(await stored()).toMatchObject({
      completionDate: '2099-11-30T09:00:00Z',
      notificationConfig: { sendKickoff: true, sendReminders: true },
    });
    await page.getByText('0 of 5').first().waitFor();
    await page.getByText('No mail leaves this server: nobody was told of it').waitFor();
    await page.getByText('Reviewers cannot sign in by themselves:').waitFor();
    await page
      .getByRole('button', { name: /^Sign-in link for / })
      .first()
      .click();
    const link = page.getByRole('dialog', { name: /^A sign-in link for / });
    await link.getByRole('button', { name: 'Make a sign-in link' }).click();
    await link.getByText(/\/sign-in#link=/).waitFor();
    await link.getByRole('button', { name: 'Done' }).click();
    await page.close();
  });

  it('shows who has what left, passes items on, and reminds', async () => {
    const page = await open(`/reviews/${reviewId}/progress`);
    const reviewers = page.getByRole('table', { name: 'Reviewers' });
    await reviewers.getByText('Max').first().waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await button(page, 'Remind').click();
    await page
      .getByText(/(person is|people are) reminded\./)
      .first()
      .waitFor();

    await page.getByRole('link', { name: /^Items/ }).click();
    await page
      .getByRole('checkbox', { name: /^Select Ann/ })
      .first()
      .check();
    await button(page, 'Pass 1 item on').click();
    const dialog = page.getByRole('dialog');
    await choose(page, 'To', 'Ida');
    await dialog.getByLabel(/^Why/).fill('She knows.');
    await dialog.getByRole('button', { name: 'Pass 1 item on' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => page.getByRole('table', { name: 'Items' }).textContent()).toContain('Ida');

    // One item is started over from its row.
    await page
      .getByRole('button', { name: /^More with Ann/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Start over', exact: true }).click();
    await page.getByRole('dialog', { name: 'Start 1 item over' }).getByLabel('Reason').fill('Asked the wrong person.');
    expect(await checkAxe(page)).toEqual([]);
    await button(page, 'Start 1 item over').click();
    await page.getByText('1 item is done.').first().waitFor();
    await page.close();
  });

  it('shows its reviewers the columns and attributes that were chosen, grouped as was chosen', async () => {
    const { db, tenantId } = company.server.system();
    await db.run(`UPDATE review_accounts SET profile = '{"cost_center": "4711"}' WHERE tenant_id = $1 AND review_id = $2`, [
      tenantId,
      reviewId,
    ]);
    const page = await browser.signedInPage(company.server, company.users['max'] ?? '');
    await page.goto(`/r/${reviewId}`);
    await page.waitForURL((url) => url.searchParams.get('by') === 'person');
    const chosen = page.getByRole('region', { name: 'Chosen for this review' });
    await expect.poll(() => chosen.textContent()).toMatch(/Risk.*Department.*Fin.*cost_center.*4711/);
    await expect.poll(() => page.getByRole('grid').textContent()).toContain('Fin');
    await page.close();
  });

  it('asks on one page whether it was decided well', async () => {
    const page = await open(`/reviews/${reviewId}/checks`);
    await page.getByText('Refused: Whoever granted the access.').waitFor();
    await page.getByRole('heading', { name: 'Second review' }).waitFor();
    await page.getByRole('combobox', { name: 'Earlier review' }).waitFor();
    await page.getByText('Ida').first().waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });

  it('leads whoever opens its plain address to where it stands', async () => {
    const page = await open(`/reviews/${reviewId}`);
    await expect.poll(() => pathOf(page)).toBe(`/reviews/${reviewId}/progress`);
    await page.close();
  });

  it('closes with what becomes of undecided items, and gives its report', async () => {
    const page = await open(`/reviews/${reviewId}/progress`);
    await button(page, 'Close review').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('5 items are undecided.').first().waitFor();
    await dialog.getByText('Revoke undecided items.').click();
    await closeBy(dialog, 'Close with 5 undecided');
    await expect.poll(() => page.getByText('Closed', { exact: true }).count()).toBeGreaterThan(0);
    // What the close revoked, nobody decided.
    const figures = page.getByRole('region', { name: 'Figures' });
    await expect.poll(() => figures.textContent()).toContain('0 of 55 revoked by the close');
    await page.reload();
    await expect.poll(() => page.getByRole('table', { name: 'Reviewers' }).textContent()).toMatch(/0 of \d \d ended otherwise/);

    await button(page, 'Report').click();
    // Each format that the server writes is offered; what is asked for comes by itself once it is made.
    await expect.poll(() => page.getByRole('menuitem', { name: /^Make a report as (CSV|Excel|PDF|JSON)$/ }).count()).toBe(4);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Make a report as CSV' }).click(),
    ]);
    expect(await readFile(await (download as Download).path(), 'utf8')).toContain('Ann');
    await button(page, 'Report').click();
    const [toRead] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Make a report as PDF' }).click(),
    ]);
    expect(await readFile(await (toRead as Download).path(), 'latin1')).toMatch(/^%PDF-/);
    await page.close();
  });

  it('tells of one item who was asked, what ended it, and what became of it', async () => {
    const page = await open(`/reviews/${reviewId}/items`);
    const table = page.getByRole('table', { name: 'Items' });
    await expect.poll(() => table.textContent()).toContain('Nobody: revoked by the close');
    await expect.poll(() => table.textContent()).toMatch(/Max|Ida/);
    await table.getByRole('link', { name: 'Ann' }).first().click();
    const story = page.getByRole('dialog', { name: 'One item' });
    await story.getByText('The item was made from the snapshot.').waitFor();
    await expect.poll(() => story.textContent()).toMatch(/It now asks Ida\.She knows\.|Outcome: denied\./);
    await story.getByRole('link', { name: 'To the removal' }).waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });

  it('leaves removals with a story, and evidence that is worked out again', async () => {
    const page = await open(`/revocations?review=${reviewId}`);
    const table = page.getByRole('table', { name: 'Revocations' });
    await expect.poll(() => table.getByText('Asked for').count()).toBeGreaterThan(0);
    await table.getByRole('link', { name: 'Bob' }).click();
    const story = page.getByRole('dialog', { name: 'One removal' });
    await story.getByLabel('Comment').fill('Ticket 1804');
    await story.getByRole('button', { name: 'It is removed' }).click();
    await expect.poll(() => story.textContent()).toContain('Said to be done');
    expect(await checkAxe(page)).toEqual([]);
    await page.close();

    const evidence = await open('/evidence');
    await evidence.getByRole('link', { name: 'Who may pay?' }).click();
    await evidence.getByText('Not by a person: 5 revoked by the close.').waitFor();
    // The population can be tied out: apps with their items, what was left out and why, sources, hashes.
    const population = evidence.getByRole('table', { name: 'Population' });
    await expect.poll(() => population.textContent()).toMatch(/P, files|P/);
    await evidence.getByText('Everybody has it by contract.').waitFor();
    await button(evidence, 'Check now').click();
    await evidence.getByText('The scope gives the same items again').first().waitFor();
    expect(await checkAxe(evidence)).toEqual([]);
    await evidence.goto(`/reviews/${reviewId}/check`);
    await evidence.getByText('This review was closed on').waitFor();
    expect(await evidence.getByText('Nobody has been asked yet').count()).toBe(0);
    await evidence.close();
  });

  it('stands in the system log, event by event', async () => {
    const page = await open('/log');
    await page.getByText('Countersign closed the review “Who may pay?”').first().click();
    await expect.poll(() => page.locator('details[open]').first().textContent()).toContain(reviewId);
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export CSV').click()]);
    expect(await readFile(await (file as Download).path(), 'utf8')).toContain('Countersign closed the review');
    await page.goto(`/log?of=review&object=${reviewId}`);
    await page.getByText('Countersign started the review “Who may pay?”').first().waitFor();
    expect(await page.getByText('grants.imported', { exact: true }).count()).toBe(0);
    await page.close();
    const history = await open(`/reviews/${reviewId}/history`);
    await history.getByText('review.started', { exact: true }).first().waitFor();
    await history.close();
  });
});

describe.skipIf(!hasBrowser)('what is refused or not there', () => {
  it('stands at the field', async () => {
    const page = await open('/reviews/new');
    await button(page, 'Create draft').click();
    const name = page.getByLabel('Name', { exact: true });
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('must not be empty').first().waitFor();
    await page.close();
  });

  it('is about the app or the person from whose page it was begun', async () => {
    const page = await open(`/apps/${company.appId}/entitlements`);
    await page.getByRole('link', { name: 'Review this app' }).first().click();
    await page.getByText('It is about P.').waitFor();
    await button(page, 'Create draft').click();
    await page.getByRole('heading', { name: 'What is asked' }).waitFor();
    const stored = async () => (await company.call('GET', `/api/v1/access_review/${pathOf(page).split('/')[2]}`)).accessReview.accessReview;
    expect(await stored()).toMatchObject({ displayName: 'Review of P', singleApp: { appId: company.appId } });
    await page.goto(`/people/${company.users['ann']}/now`);
    await page.getByRole('link', { name: 'Review this person' }).first().click();
    await page.getByText('It is about Ann.').waitFor();
    await button(page, 'Create draft').click();
    await page.getByRole('heading', { name: 'What is asked' }).waitFor();
    expect(await stored()).toMatchObject({ displayName: 'Review of Ann', scopeV2: { selectedUsers: { userIds: [company.users['ann']] } } });
    await expect.poll(() => page.getByRole('complementary', { name: 'Preview' }).textContent()).toMatch(/\d items in all/);
    await page.close();
  });

  it('leaves its record when it is deleted', async () => {
    const id = await company.draft({ displayName: 'Never mind', singleApp: { appId: company.appId } });
    await company.call('DELETE', `/api/v1/access_review/${id}`, { reason: 'Made by mistake' });
    const page = await open('/reviews');
    await page.getByRole('link', { name: 'Deleted reviews' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Made by mistake' });
    await row.waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });

  it('is said of a review of another tenant as of one that never was', async () => {
    const other = await company.server.makeTenant('other.localhost');
    const made = await request(other, other.admin, 'POST', '/api/v1/access_review', { displayName: 'Theirs' });
    const theirs: string = made.body.accessReview.accessReview.id;
    for (const path of [`/reviews/${theirs}`, `/reviews/${theirs}/progress`, `/reviews/${theirs}/check`, `/evidence/${theirs}`]) {
      const page = await browser.signedInPage(company.server, company.server.admin.id);
      await page.goto(path);
      await page.getByText('This is not there, or not for you').first().waitFor();
      expect(await page.locator('body').textContent()).not.toContain('Theirs');
      await page.close();
    }
  });
});

describe.skipIf(!hasBrowser)('on a narrow screen', () => {
  it('nothing scrolls sideways', async () => {
    const id = await company.draft({ singleApp: { appId: company.appId } });
    for (const path of [
      '/reviews',
      '/reviews/new',
      `/reviews/${id}/edit/scope`,
      `/reviews/${id}/check`,
      '/revocations',
      '/evidence',
      '/log',
    ]) {
      const page = await browser.signedInPage(company.server, company.server.admin.id, { size: 'narrow', theme: 'dark' });
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([path, await sidewaysPixels(page)]).toEqual([path, 0]);
      await page.close();
    }
  });
});
