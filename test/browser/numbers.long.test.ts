/** Fields of numbers under the keys and the wheel of a real browser: what is none is neither stored nor sent, and the field says so. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { type Company, startCompany } from '../support/small-company.ts';

let company: Company;
let browser: TestBrowser;

beforeAll(async () => {
  company = await startCompany();
  if (hasBrowser) {
    browser = await openBrowser();
    // Scopes that cannot be previewed.
    browser.expectComplaint(/status of 400/);
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
/** Writes into a field as keys do. */
const write = async (field: Locator, keys: string): Promise<void> => {
  await field.selectText();
  await field.press('Backspace');
  await field.pressSequentially(keys);
};
const wrongs = ['0', '-5', '1e2', '2.5', '1001', '12ten'];

describe.skipIf(!hasBrowser)('a field of a number', () => {
  it('of a schedule keeps the interval until another one is whole', async () => {
    const made = await company.call('POST', '/api/v1/access_review_template', { displayName: 'Every quarter' });
    const { id } = made.accessReviewTemplate;
    const rule = { frequency: 'FREQUENCY_MONTHLY', interval: 3, startDate: '2099-01-31T09:00:00Z' };
    await company.call('POST', `/api/v1/access_review_template/${id}`, {
      accessReviewTemplate: { isCampaignScheduleEnabled: true, recurrenceRule: rule },
      updateMask: 'isCampaignScheduleEnabled,recurrenceRule',
    });
    const stored = async () =>
      (await company.call('GET', `/api/v1/access_review_template/${id}`)).accessReviewTemplate.recurrenceRule.interval;
    const page = await open(`/templates/${id}`);
    const every = page.getByLabel('Every', { exact: true });
    const save = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Schedule' }) })
      .getByRole('button', { name: 'Save' });
    await expect.poll(() => every.inputValue()).toBe('3');
    await write(every, '');
    expect(await every.inputValue()).toBe('');
    await every.blur();
    await expect.poll(() => every.inputValue()).toBe('3');
    for (const wrong of wrongs) {
      await write(every, wrong);
      await every.blur();
      await page.getByText('Write a whole number from 1 to 1,000. 3 still applies.').waitFor();
      expect(await every.inputValue()).toBe(wrong);
    }
    await save.click();
    await page.getByText('The schedule is saved').first().waitFor();
    expect(await stored()).toBe(3);
    await write(every, '12');
    await save.click();
    await expect.poll(stored).toBe(12);
    await expect.poll(() => page.getByText(/still applies/).count()).toBe(0);
    // The wheel over a field that has the focus scrolls the page.
    await every.focus();
    await every.hover();
    await page.mouse.wheel(0, 200);
    await page.mouse.wheel(0, -200);
    expect(await every.inputValue()).toBe('12');
    await every.press('ArrowUp');
    expect(await every.inputValue()).toBe('12');
    await page.close();
  });

  it('of a form holds the form up while it is none, also under Enter', async () => {
    const page = await open('/settings/tenant/sessions');
    const sent: unknown[] = [];
    page.on('request', (one) => void (one.method() !== 'GET' && /settings\/tenant$/.test(one.url()) ? sent.push(one.postDataJSON()) : 0));
    const idle = page.getByLabel('Minutes without use');
    for (const wrong of ['-45', '4e1', 'ten']) {
      await write(idle, wrong);
      await idle.press('Enter');
      await page.getByText(/^Write a number from 0 to/).waitFor();
      await page.getByRole('button', { name: 'Save lengths' }).click();
    }
    await write(idle, '45');
    await idle.press('Enter');
    await expect.poll(() => sent.length).toBe(1);
    expect(sent).toMatchObject([{ settings: { sessionIdle: '2700s' } }]);
    await expect.poll(async () => (await company.call('GET', '/api/v1/settings/tenant')).settings.sessionIdle).toBe('2700s');
    // Empty is the usual.
    await write(idle, '');
    await idle.press('Enter');
    await expect.poll(async () => (await company.call('GET', '/api/v1/settings/tenant')).settings.sessionIdle).not.toBe('2700s');
    await page.close();
  });

  it('of a span in a policy is not 0 on the way', async () => {
    const policy = await company.call('POST', '/api/v1/policies', {
      displayName: 'Waits',
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: { certify: { steps: [{ wait: { duration: { duration: '259200s' } } }, { approval: { self: {} } }] } },
    });
    const page = await open(`/policies/${policy.policy.id}`);
    await page.getByRole('button', { name: /^Change.*1$/ }).click();
    const span = page.getByLabel('How long', { exact: true });
    await expect.poll(() => span.inputValue()).toBe('3');
    await write(span, '-4');
    await span.blur();
    await page.getByText(/3 still applies\./).waitFor();
    await write(span, '5');
    await page.getByRole('button', { name: 'Save' }).click();
    const stored = async () =>
      (await company.call('GET', `/api/v1/policies/${policy.policy.id}`)).policy.policySteps.certify.steps[0].wait.duration.duration;
    await expect.poll(stored).toBe('432000s');
    await page.close();
  });
});

describe.skipIf(!hasBrowser)('access granted between two days', () => {
  it('includes the last of them', async () => {
    const scopeV2 = {
      grantsByCriteria: { grantsAddedBetween: { startDate: '2026-01-01T00:00:00+01:00', endDate: '2026-02-01T00:00:00+01:00' } },
    };
    const id = await company.draft({ singleApp: { appId: company.appId }, scopeV2 });
    const between = async () =>
      (await company.call('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview.scopeV2.grantsByCriteria.grantsAddedBetween;
    const page = await open(`/reviews/${id}/edit/scope`);
    const last = page.getByLabel('Up to and including', { exact: true });
    await expect.poll(() => last.inputValue()).toBe('2026-01-31');
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2026-01-01');
    // Over the day on which clocks go forward.
    await last.fill('2026-03-29');
    await expect.poll(between).toEqual({ startDate: '2025-12-31T23:00:00Z', endDate: '2026-03-29T22:00:00Z' });
    expect(await last.inputValue()).toBe('2026-03-29');
    await page.reload();
    await expect.poll(() => last.inputValue()).toBe('2026-03-29');
    await page.close();
  });
});
