/**
 * Policies and conflicts in a browser: a policy is made, changed, tried and deleted; a rule about access that should not be held together is made and
 * turned on, finds who breaks it, and the conflict is accepted with a reason and opened again.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, sizes, type TestBrowser } from '../support/browser.ts';
import { type Company, startCompany } from '../support/small-company.ts';

describe.skipIf(!hasBrowser)('policies and conflicts', () => {
  let company: Company;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    company = await startCompany();
    browser = await openBrowser();
    // What the server refuses is written to the console of the page by the browser.
    browser.expectComplaint(/status of 400/);
    page = await browser.signedInPage(company.server, company.server.admin.id, { context: { reducedMotion: 'reduce' } });
  });
  afterAll(async () => {
    await browser?.close();
    await company?.server.stop();
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const idIn = (): string => new URL(page.url()).pathname.split('/')[2] ?? '';
  /** Chooses what a field finds by its name. */
  const choose = async (field: ReturnType<Page['getByRole']>, name: string): Promise<void> => {
    await field.fill(name);
    await page.getByRole('listbox').getByRole('option', { name }).first().click();
  };
  /** Nothing serious of axe, and nothing that scrolls sideways on a phone. */
  const expectSound = async (): Promise<void> => {
    expect(await checkAxe(page)).toEqual([]);
    await page.setViewportSize(sizes.narrow);
    expect(await sidewaysPixels(page)).toBe(0);
    await page.setViewportSize(sizes.desk);
  };

  it('make a policy; one without a name is refused with the sentence of the server', async () => {
    await page.goto('/policies');
    await page.getByRole('table', { name: 'Policies' }).waitFor();
    await press('New policy');
    await dialog('New policy').getByRole('button', { name: 'Create' }).click();
    await dialog('New policy').getByText('displayName').first().waitFor();
    await page.getByLabel('Name').fill('Two pairs of eyes');
    await dialog('New policy').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Two pairs of eyes' }).waitFor();
    await page.getByText('The person’s manager').first().waitFor();
  });

  it('change it as a whole, and say who would review by it', async () => {
    await press('Add a step');
    await page.getByLabel('Who reviews').selectOption({ label: 'Named people' });
    await choose(page.getByRole('combobox', { name: 'People', exact: true }), 'Ida');
    await page.getByLabel('Denying needs a reason').check();
    await expectSound();
    await press('Save');
    await page.getByText('The policy is saved').first().waitFor();
    const { policy } = await company.call('GET', `/api/v1/policies/${idIn()}`);
    expect(policy.policySteps.certify.steps).toMatchObject([
      { approval: { manager: {} } },
      { approval: { users: { userIds: [company.users['ida']] }, requireDenialReason: true } },
    ]);
    await choose(page.getByRole('combobox', { name: 'Person', exact: true }), 'Ann');
    await choose(page.getByRole('combobox', { name: 'Right', exact: true }), 'pay');
    await page.getByText('Max').first().waitFor();
    await page.getByText('Ida').first().waitFor();
  });

  it('delete it, after asking', async () => {
    await press('Delete');
    await dialog('Delete Two pairs of eyes?').getByRole('button', { name: 'Cancel' }).click();
    await press('Delete');
    await dialog('Delete Two pairs of eyes?').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL((url) => url.pathname === '/policies');
    await page.getByRole('table', { name: 'Policies' }).waitFor();
    await page.getByRole('table').getByText('Two pairs of eyes').waitFor({ state: 'detached' });
  });

  it('make a rule about access, which finds who breaks it once it is on', async () => {
    await page.goto('/conflicts');
    await page.getByText('No rule yet').first().waitFor();
    await page.getByRole('button', { name: 'New rule' }).first().click();
    await dialog('New rule').getByLabel('Name').fill('Pay and book');
    await dialog('New rule').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pay and book' }).waitFor();
    const fields = page.getByRole('combobox', { name: 'Add an entitlement' });
    await choose(fields.first(), 'pay');
    await page.getByRole('button', { name: /^Remove .*pay/ }).waitFor();
    await choose(fields.last(), 'sub');
    await page.getByRole('button', { name: /^Remove .*sub/ }).waitFor();
    await expectSound();
    await press('Turn on');
    // It is looked for in the background; the page hears of it by itself.
    await page.getByRole('table', { name: 'Who breaks a rule' }).getByText('Ann').waitFor();
  });

  it('accept a conflict with a reason, and open it again', async () => {
    await press('Accept');
    const asked = dialog(/^Accept the conflict of Ann/);
    await asked.getByRole('button', { name: 'Accept' }).click();
    await asked.getByText('Say why this may stay.').first().waitFor();
    await asked.getByLabel('Reason').fill('Nobody else can, until March');
    expect(await checkAxe(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('Nobody breaks a rule.').waitFor();
    await page.getByText('Accepted', { exact: true }).first().click();
    await page.getByText('Nobody else can, until March').waitFor();
    const { list } = await company.call('GET', `/api/v1/conflict_alerts?monitor_id=${idIn()}`);
    expect(list).toMatchObject([{ state: 'CONFLICT_ALERT_STATE_EXEMPTED', exemption: { reason: 'Nobody else can, until March' } }]);
    await expectSound();
    await press('Withdraw');
    await page.getByText('No conflict is accepted.').waitFor();
    await page.getByText('Open', { exact: true }).first().click();
    await page.getByRole('table', { name: 'Who breaks a rule' }).getByText('Ann').waitFor();
  });

  it('name the rule to whoever decides about such access, and lead to it who may read it', async () => {
    const monitor = idIn();
    const { appId, users, server } = company;
    const { policy } = await company.call('POST', '/api/v1/policies', {
      displayName: 'Max and the administrator',
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: { certify: { steps: [{ approval: { users: { userIds: [users['max'], server.admin.id] } } }] } },
    });
    const review = await company.draft({ singleApp: { appId }, policyId: policy.id });
    await company.act(review, 'prepare', 'REVIEW');
    await company.act(review, 'start', 'OPEN');
    const reviewer = await browser.signedInPage(server, users['max'] ?? '');
    await reviewer.goto(`/r/${review}?show=closer`);
    await reviewer
      .getByRole('row', { name: /^Ann, .*Conflict/i })
      .first()
      .click();
    const reason = reviewer.getByText('Breaks the rule Pay and book: this access conflicts with other access.').first();
    await reason.waitFor();
    expect(await reason.getByRole('link').count()).toBe(0);
    await reviewer.close();
    await page.goto(`/r/${review}?show=closer`);
    await page
      .getByRole('row', { name: /^Ann, .*Conflict/i })
      .first()
      .click();
    const link = page.getByRole('link', { name: 'Pay and book' });
    await link.first().waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Pay and book' }).waitFor();
    expect(idIn()).toBe(monitor);
  });

  it('turn a rule off', async () => {
    await press('Turn off');
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    expect(await company.call('GET', `/api/v1/accessconflict/${idIn()}`)).toMatchObject({ enabled: false });
  });
});
