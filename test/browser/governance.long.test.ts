/**
 * Policies and conflicts in a browser: a policy is made, changed, tried and deleted; a rule about access that should not be held together is made and
 * turned on, finds who breaks it, and the conflict is accepted with a reason and opened again.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseOption } from '../support/choose-option.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, sizes, type TestBrowser } from '../support/browser.ts';
import { closeBy } from '../support/dialogs.ts';
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
    await expect.poll(() => page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Name').fill('Two pairs of eyes');
    await closeBy(dialog('New policy'), 'Create');
    await page.getByRole('heading', { level: 1, name: 'Two pairs of eyes' }).waitFor();
    await page.getByText('The person’s manager').first().waitFor();
  });

  const addStep = async (kind: string, number: number): Promise<ReturnType<Page['getByRole']>> => {
    await press('Add a step');
    await page.getByRole('menuitem', { name: kind }).click();
    return page.getByRole('listitem').filter({ has: page.getByRole('button', { name: `Close, step ${number}` }) });
  };
  /** The field of a list of people or entitlements, by its label. */
  const pick = (field: string, name: string) => choose(page.getByRole('combobox', { name: field, exact: true }), name);

  it('change it as a whole, and say who would review by it', async () => {
    const step = await addStep('Ask somebody', 2);
    await chooseOption(step.getByLabel('Who reviews'), 'Named people');
    await pick('People', 'Ida');
    await page.getByLabel('Denying needs a reason').check();
    await expectSound();
    await press('Save');
    await page.getByText('The policy is saved').first().waitFor();
    const { policy } = await company.call('GET', `/api/v1/policies/${idIn()}`);
    // Whoever stands in decides by a policy of the console too.
    expect(policy.policySteps.certify.steps).toMatchObject([
      { approval: { manager: {}, allowDelegation: true } },
      { approval: { users: { userIds: [company.users['ida']] }, requireDenialReason: true, allowDelegation: true } },
    ]);
    await choose(page.getByRole('combobox', { name: 'Person', exact: true }), 'Ann');
    await choose(page.getByRole('combobox', { name: 'Right', exact: true }), 'pay');
    await page.getByText('Max').first().waitFor();
    await page.getByText('Ida').first().waitFor();
  });

  it('give its steps every option there is', async () => {
    const { users, appId, ids } = company;
    await page.getByRole('button', { name: 'Change, step 1' }).click();
    await page.getByLabel('Name others to ask instead').check();
    await pick('People to ask instead', 'Ida');
    await pick('Entitlements whose holders are asked first', 'grp');
    await page.getByLabel('People may review their own access').check();
    await page.getByLabel('Another person than in the steps before').check();
    await page.getByLabel('Certifying needs a reason').check();
    await page.getByLabel('Reassigning needs a reason').check();
    await pick('Only to these people', 'Max');
    await page.getByLabel('Go on when nobody answers').check();
    await page.getByLabel('Time to answer').fill('12');
    await chooseOption(page.getByLabel('Unit'), 'Hours');
    await page.getByLabel('Time to answer').fill('12');
    await page.getByLabel('Ask others').check();
    await pick('People to ask then', 'Ida');
    await page.getByLabel('Comment', { exact: true }).fill('Nobody answered');
    await page.getByRole('button', { name: 'Close, step 1' }).click();
    await page.getByText('After 12 hours without an answer these are asked: Ida.').waitFor();

    const group = await addStep('Ask somebody', 3);
    await chooseOption(group.getByLabel('Who reviews'), 'The holders of an entitlement');
    await pick('Entitlement whose holders are asked', 'grp');
    await group.getByLabel('Whoever stands in may decide').uncheck();
    const wait = await addStep('Wait', 4);
    await wait.getByLabel('Until a time of the day').check();
    await wait.getByLabel('Time', { exact: true }).fill('09:30');
    await wait.getByLabel('Time zone').fill('Europe/Berlin');
    await press('Add a rule');
    await page.getByLabel('Condition of rule 1').fill('account.appUserType == AppUserType.SERVICE_ACCOUNT');
    await page.getByLabel('Name of further steps').fill('machines');
    await press('Add steps');
    await page.getByRole('heading', { name: 'Steps “machines”' }).waitFor();
    await chooseOption(page.getByLabel('Leads to'), 'Steps “machines”');
    const machines = page.locator('section', { has: page.getByRole('heading', { name: 'Steps “machines”' }) });
    await machines.getByRole('button', { name: 'Add a step' }).click();
    await page.getByRole('menuitem', { name: 'Certify by itself' }).click();
    await machines.getByLabel('Message').fill('Machines are reviewed elsewhere.');
    await machines.getByRole('button', { name: 'Remove, step 1' }).click();
    await page.getByLabel('Ask the owners of the app before those of the review').check();
    await page.getByLabel('Ask for the removal at once').check();
    await expectSound();
    // The words on the save before may still stand there.
    const saved = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith(idIn()));
    await press('Save');
    expect((await saved).ok()).toBe(true);
    await page.getByText('The policy is saved').first().waitFor();
    const { policy } = await company.call('GET', `/api/v1/policies/${idIn()}`);
    expect(policy).toMatchObject({
      annotations: { 'countersign/fallback': 'app_owners' },
      postActions: [{ certifyRemediateImmediately: true }],
      rules: [{ condition: 'account.appUserType == AppUserType.SERVICE_ACCOUNT', stepKey: 'machines' }],
    });
    expect(policy.policySteps.machines.steps).toMatchObject([{ accept: { acceptMessage: 'Machines are reviewed elsewhere.' } }]);
    const [first, , third, fourth] = policy.policySteps.certify.steps;
    expect(first.approval).toMatchObject({
      manager: {
        fallback: true,
        fallbackUserIds: [users['ida']],
        isGroupFallbackEnabled: true,
        fallbackGroupIds: [{ appId, appEntitlementId: ids['grp'] }],
        allowSelfApproval: true,
        requireDistinctApprovers: true,
      },
      requireApprovalReason: true,
      requireReassignmentReason: true,
      allowedReassignees: [users['max']],
      escalationEnabled: true,
      escalation: { expiration: '43200', reassignToApprovers: { approverIds: [users['ida']] }, escalationComment: 'Nobody answered' },
    });
    expect(third.approval.group).toMatchObject({ appId, appGroupId: ids['grp'] });
    expect(third.approval.allowDelegation ?? false).toBe(false);
    expect(fourth.wait.untilTime).toMatchObject({ hours: 9, minutes: 30, timezone: 'Europe/Berlin' });
  });

  it('make one for removals; one that came with the tenant cannot be deleted', async () => {
    const back = page.url();
    await page.goto('/policies');
    await press('New policy');
    await page.getByLabel('Name').fill('Removed by the desk');
    await dialog('New policy').getByLabel('Removals').check();
    await closeBy(dialog('New policy'), 'Create');
    await page.getByRole('heading', { level: 1, name: 'Removed by the desk' }).waitFor();
    await page.getByRole('button', { name: 'Change, step 1' }).click();
    await chooseOption(page.getByLabel('Who removes it'), 'Named people');
    await pick('People', 'Ida');
    await page.getByLabel('How it is removed').fill('Ticket to the desk');
    await press('Save');
    await page.getByText('The policy is saved').first().waitFor();
    const { policy } = await company.call('GET', `/api/v1/policies/${idIn()}`);
    expect(policy.policySteps.revoke.steps).toMatchObject([
      {
        provision: {
          provisionPolicy: { manual: { assignee: { users: { userIds: [company.users['ida']] } }, instructions: 'Ticket to the desk' } },
        },
      },
    ]);
    await page.goto('/policies');
    await page.getByRole('link', { name: 'Manager, then app owners' }).click();
    await page.getByText('Built in').first().waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await page.goto(back);
    await page.getByRole('heading', { level: 1, name: 'Two pairs of eyes' }).waitFor();
  });

  it('delete it, after asking', async () => {
    await press('Delete');
    await closeBy(dialog('Delete Two pairs of eyes?'), 'Cancel');
    await press('Delete');
    await closeBy(dialog('Delete Two pairs of eyes?'), 'Delete');
    await page.waitForURL((url) => url.pathname === '/policies');
    await page.getByRole('table', { name: 'Policies' }).waitFor();
    await page.getByRole('table').getByText('Two pairs of eyes').waitFor({ state: 'detached' });
  });

  it('make a rule about access, which finds who breaks it once it is on', async () => {
    await page.goto('/conflicts');
    await page.getByText('No rule yet').first().waitFor();
    await page.getByRole('button', { name: 'New rule' }).first().click();
    await dialog('New rule').getByLabel('Name').fill('Pay and book');
    await closeBy(dialog('New rule'), 'Create');
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
    // The navigation counts what is open.
    await page.reload();
    await page.getByRole('navigation').getByRole('link', { name: 'Conflicts 1' }).waitFor();
  });

  it('accept a conflict with a reason, and open it again', async () => {
    await press('Accept');
    const asked = dialog(/^Accept the conflict of Ann/);
    await asked.getByRole('button', { name: 'Accept' }).click();
    await asked.getByText('Say why this may stay.').first().waitFor();
    await asked.getByLabel('Reason').fill('Nobody else can, until March');
    expect(await checkAxe(page)).toEqual([]);
    await closeBy(asked, 'Accept');
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
