/** Words about a decision that can no longer be changed, and about access that nobody stands in for, in a real browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

const policyName = 'Alone \\u0041 {names} <b>#</b>';

describe.skipIf(!hasBrowser)('the console', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let story: QueueStory;
  let page: Page;

  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 2, accounts: ['CORP\\u0041lone'] });
    const steps = [{ approval: { manager: {} } }];
    await story.call('POST', '/api/v1/policies', {
      displayName: policyName,
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: { certify: { steps } },
    });
    browser = await openBrowser();
    page = await openQueuePage({ browser, server, story }, story.elif);
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  const submit = async (): Promise<void> => {
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Send now' }).click();
  };

  it('says why a denial stands whose removal was claimed, and names nobody else as first', async () => {
    await page.getByRole('row').filter({ hasText: 'CORP\\u0041lone' }).click();
    await page.locator('h2[data-question]').getByText('CORP\\u0041lone').first().waitFor();
    await page.keyboard.press('d');
    await submit();
    await expect
      .poll(() => server.test.admin("UPDATE revocations SET state = 'CLAIMED' WHERE tenant_id = $1 RETURNING id", [server.id]))
      .toHaveLength(1);
    await page.goto(`/r/${story.reviewId}?show=all`);
    await page.getByRole('row').filter({ hasText: 'CORP\\u0041lone' }).click();
    await page.getByRole('button', { name: 'Certify instead' }).click();
    await page.getByRole('textbox', { name: /why|reason/i }).fill('They still need it.');
    await page.keyboard.press('Control+Enter');
    await submit();
    const question = page.locator('h2[data-question]');
    await page.getByText('is claimed: a denial can be amended until its removal is claimed.').first().waitFor();
    await page.goto(`/r/${story.reviewId}?show=all`);
    await page.getByRole('row').filter({ hasText: 'CORP\\u0041lone' }).click();
    await expect.poll(() => question.textContent()).toBe('You denied it');
    await page.getByText('have it granted again in the application').first().waitFor();
    expect(await page.getByText(/was first/).count()).toBe(0);
  });

  it('says to whoever names a delegate which policies let nobody stand in, by their names as they are stored', async () => {
    await page.goto('/settings/profile');
    await page
      .getByRole('button', { name: /delegate/i })
      .first()
      .click();
    const note = page.getByText(/^Under th.* nobody may stand in: /);
    await note.waitFor();
    expect(await note.textContent()).toContain(policyName);
    await page.getByRole('combobox', { name: /Delegate|stand/i }).fill('Farid');
    await page.getByRole('option').first().click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('may decide in your place.').first().waitFor();
    // Whoever stands in reads it, too.
    const other = await browser.signedInPage(server, story.farid);
    await other.goto('/settings/profile');
    await other.getByText('You may decide in the place of').waitFor();
    await other.getByText(policyName).waitFor();
    // A Basic User, to whom the manager is known by the own record alone.
    expect(await other.locator('dt', { hasText: 'Manager' }).locator('xpath=following-sibling::dd[1]').textContent()).toBe('Elif Sample');
  });
});
