/**
 * Scope of a review, in the form: every kind of review and member of a scope is set in the form, stored as the contract has it, counted beside it,
 * and kept as a template of which the next review is made.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseOption } from '../support/choose-option.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { type Company, startCompany } from '../support/small-company.ts';

let company: Company;
let browser: TestBrowser;

beforeAll(async () => {
  company = await startCompany();
  if (hasBrowser) {
    browser = await openBrowser();
    // A draft that asks nothing yet cannot be counted, and the browser writes that down.
    browser.expectComplaint(/status of 400/);
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
  return page;
};
const pathOf = (page: Page): string => new URL(page.url()).pathname;
const idOf = (page: Page): string => pathOf(page).split('/')[2] ?? '';
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const preview = (page: Page) => page.getByRole('complementary', { name: 'Preview' });
/** Chooses what a field finds by its name. */
const choose = async (page: Page, field: string, name: string): Promise<void> => {
  await page.getByRole('combobox', { name: field, exact: true }).fill(name);
  await page.getByRole('listbox').getByRole('option', { name }).first().click();
};
const review = async (id: string) => (await company.call('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview;
const lists = async (id: string) => (await company.call('GET', `/api/v1/access_review/${id}/scope_lists`)).scopeLists;
/** Makes a draft of a kind through the form, and stays on what is asked. */
const create = async (name: string, kind: string): Promise<Page> => {
  const page = await open('/reviews/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('radio', { name: kind }).check();
  await page.getByRole('button', { name: 'Create draft' }).click();
  await page.getByRole('heading', { name: 'What is asked' }).waitFor();
  return page;
};
const noFindings = async (page: Page): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await checkAxe(page)).toEqual([]);
  }
};

describe.skipIf(!hasBrowser)('the form of a scope', () => {
  it('asks about people, resources, what is inherited and conflicts, each kind by what it needs', async () => {
    const ofPeople = await create('People', 'What some people hold');
    await preview(ofPeople).getByText('Name the people whose access is asked about.').waitFor();
    await choose(ofPeople, 'Add a person', 'Ann');
    await expect.poll(() => preview(ofPeople).textContent()).toContain('items in all');
    expect(await review(idOf(ofPeople))).toMatchObject({
      scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS',
      scopeV2: { selectedUsers: { userIds: [company.users.ann] } },
    });
    await ofPeople.close();

    const ofResources = await create('Resources', 'Who can reach some resources');
    await preview(ofResources).getByText('Add a resource.').waitFor();
    await choose(ofResources, 'Add a resource', 'Repo');
    await expect.poll(() => preview(ofResources).textContent()).toContain('items in all');
    expect(await lists(idOf(ofResources))).toMatchObject({ resources: [{ appId: company.appId, id: company.resources.Repo }] });
    await ofResources.close();

    const ofInherited = await create('Inherited', 'What is inherited');
    await choose(ofInherited, 'Role', 'Pay');
    await choose(ofInherited, 'Within', 'Ledger');
    await ofInherited.getByRole('button', { name: 'Add the role' }).click();
    await expect.poll(async () => (await review(idOf(ofInherited))).scopeV2).toMatchObject({ scopeRoleSelection: {} });
    expect(await lists(idOf(ofInherited))).toMatchObject({
      scopeRoles: [{ scopeResourceId: company.resources.Ledger, roleResourceId: company.resources.Pay }],
    });
    await noFindings(ofInherited);
    await ofInherited.close();

    const ofConflicts = await create('Conflicts', 'Access that breaks a rule');
    await ofConflicts.getByText('Some rules', { exact: true }).click();
    await preview(ofConflicts).getByText('Add a rule, or ask about all.').waitFor();
    await ofConflicts.getByRole('switch', { name: 'Exempt what is certified' }).check();
    await expect
      .poll(() => review(idOf(ofConflicts)))
      .toMatchObject({ scopeV2: { specificAccessConflicts: {} }, exemptCertifiedAccessConflicts: true });
    await ofConflicts.close();
  });

  it('asks about what is risky, and about kinds of resources', async () => {
    const page = await create('Risky', 'What people can do in apps');
    const id = idOf(page);
    await chooseOption(page.getByRole('combobox', { name: 'Ask about' }), 'what is marked as risky or regulated');
    await preview(page).getByText('Tick a risk level, a law or a standard.').waitFor();
    await page.getByRole('checkbox', { name: 'Very high' }).check();
    await expect.poll(() => preview(page).textContent()).toContain('2 items in all');
    expect((await review(id)).scopeV2).toMatchObject({ appSelectionCriteria: { riskLevelAttributeValueIds: [company.high] } });

    await chooseOption(page.getByRole('combobox', { name: 'Ask about' }), 'what belongs to kinds of resources');
    await choose(page, 'Add a kind of resource', 'role');
    await expect.poll(async () => (await lists(id)).resourceTypes.length).toBe(1);
    await expect.poll(() => preview(page).textContent()).toContain('7 items in all');
    await noFindings(page);
    await page.close();
  });

  it('says of each clause how many it leaves out, shows items, and keeps every condition', async () => {
    const page = await create('Clauses', 'What people can do in apps');
    const id = idOf(page);
    await choose(page, 'Add an app', 'P');
    const ask = region(page, 'Ask about').getByRole('status');
    await expect.poll(() => ask.textContent()).toBe('7');
    await region(page, 'Held by').getByText('Conditions', { exact: true }).click();
    await page.getByLabel('Department', { exact: true }).fill('Fin, Eng,');
    await region(page, 'Held by').getByText('Other attributes').click();
    await page.getByLabel('Another column of the import').fill('cc');
    await region(page, 'Held by').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('cc', { exact: true }).fill('7');
    await chooseOption(region(page, 'Given').getByRole('combobox', { name: 'When' }), 'Between two days');
    await page.getByLabel('From', { exact: true }).fill('2001-01-01');
    await expect
      .poll(async () => (await review(id)).scopeV2)
      .toMatchObject({
        userCriteria: {
          userStatus: ['ENABLED'],
          multiUserProfileAttributes: {
            department: { values: [{ value: 'Fin' }, { value: 'Eng' }] },
            cc: { values: [{ value: '7' }] },
          },
        },
        grantsByCriteria: { grantsAddedBetween: { startDate: '2000-12-31T23:00:00Z' } },
      });
    // Ann alone is enabled, of these departments and this cost centre.
    await expect.poll(() => region(page, 'Held by').getByRole('status').last().textContent()).toBe('−3');
    await expect.poll(() => preview(page).textContent()).toContain('4 items in all');
    expect(await preview(page).getByRole('list').last().getByText('Ann').count()).toBe(4);

    await region(page, 'Leave out').getByRole('button', { name: 'Leave something out' }).click();
    await chooseOption(page.getByRole('combobox', { name: 'What', exact: true }), 'A resource');
    await choose(page, 'A resource', 'Staff');
    await page.getByLabel('Reason').fill('By contract.');
    await page.getByRole('button', { name: 'Leave out', exact: true }).click();
    await region(page, 'Leave out').getByText('Accounts by type or state').click();
    await region(page, 'Leave out').getByRole('checkbox', { name: 'Service accounts' }).check();
    await expect.poll(async () => (await review(id)).exclusionScope).toMatchObject({ appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] });
    await expect.poll(() => preview(page).textContent()).toContain('3 items in all');
    expect(await lists(id)).toMatchObject({
      exclusions: [{ kind: 'SCOPE_EXCLUSION_KIND_RESOURCE', appId: company.appId, id: company.resources.Staff, reason: 'By contract.' }],
    });
    await noFindings(page);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await sidewaysPixels(page)).toBe(0);
    await page.close();
  });

  it('keeps what programs wrote in members of their own', async () => {
    const id = await company.draft({
      multiApp: {
        appEntitlements: {},
        appEntitlementDetails: {
          [company.appId]: {
            entitlementDetails: { [company.ids.pay ?? '']: { appId: company.appId, entitlementId: company.ids.pay, policyId: '' } },
          },
        },
      },
      inclusionScope: { userStatuses: ['USER_ENABLED'] },
    });
    const page = await open(`/reviews/${id}/edit/scope`);
    await region(page, 'Only').getByRole('checkbox', { name: 'Enabled people' }).waitFor();
    await choose(page, 'Add an entitlement', 'sub');
    await expect.poll(() => preview(page).textContent()).toContain('items in all');
    await expect.poll(async () => Object.keys((await review(id)).multiApp.appEntitlements)).toEqual([company.appId]);
    await page.getByRole('button', { name: 'Remove these filters' }).click();
    await expect.poll(async () => (await review(id)).inclusionScope?.userStatuses ?? []).toEqual([]);
    await page.close();
  });

  it('becomes a template with all that it asks, of which the next review is made', async () => {
    const id = await company.draft(
      { multiApp: { appEntitlements: { [company.appId]: { appId: company.appId, entitlementIds: [] } } }, description: 'Once a quarter' },
      { exclusions: [{ kind: 'SCOPE_EXCLUSION_KIND_USER', id: company.users.bob, reason: 'On leave' }] },
    );
    const page = await open(`/reviews/${id}/edit/scope`);
    await expect.poll(() => preview(page).textContent()).toContain('6 items in all');
    await page.getByRole('button', { name: 'Save as template' }).click();
    await page.getByRole('button', { name: 'Open it' }).click();
    await expect.poll(() => pathOf(page)).toMatch(/^\/templates\//);
    const templateId = idOf(page);
    expect((await company.call('GET', `/api/v1/access_review_template/${templateId}`)).accessReviewTemplate).toMatchObject({
      description: 'Once a quarter',
      multiApp: { appEntitlements: { [company.appId]: { appId: company.appId } } },
    });
    await page.getByLabel('Name', { exact: true }).fill('Every quarter');
    await page.getByLabel('Days to decide').fill('14');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await expect
      .poll(async () => (await company.call('GET', `/api/v1/access_review_template/${templateId}`)).accessReviewTemplate)
      .toMatchObject({ displayName: 'Every quarter', accessReviewDuration: '1209600s' });
    await page.getByRole('heading', { level: 1, name: 'Every quarter' }).waitFor();
    await page.getByRole('switch', { name: 'Make reviews by itself' }).check();
    await page.getByLabel('From', { exact: true }).fill('2099-01-31');
    await page.getByRole('button', { name: 'Save', exact: true }).nth(1).click();
    await expect
      .poll(async () => (await company.call('GET', `/api/v1/access_review_template/${templateId}`)).accessReviewTemplate)
      .toMatchObject({ isCampaignScheduleEnabled: true });
    await noFindings(page);
    await page.getByRole('button', { name: 'Make a review now' }).click();
    await expect.poll(() => pathOf(page)).toMatch(/^\/reviews\/.*\/check$/);
    await page.getByText('Every item has somebody to ask.').first().waitFor();
    expect(await page.locator('main').textContent()).toContain('6 items');
    await page.close();
  });
});
