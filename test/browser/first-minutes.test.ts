/**
 * The first minutes of a newcomer with files of their own, in a browser: words that the server does not know are asked for where they are said, in the
 * page's own words; access without descriptions reads by its name, without the app in it; and the import leads on to a review that keeps its app.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { chooseOption } from '../support/choose-option.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

const people = `firstName,lastName,email,login,status,managerEmail
Ada,Sample,ada@example.com,ada@example.com,ACTIVE,
Jonas,Sample,jonas@example.com,jonas@example.com,PROVISIONED,ada@example.com
Tara,Sample,tara@example.com,tara@example.com,SUSPENDED,ada@example.com
Farid,Sample,farid@example.com,farid@example.com,DEPROVISIONED,ada@example.com
Kim,Sample,kim@example.com,kim@example.com,ON_MARS,ada@example.com
`;
const access = `Username,Email,Active,Permission Set
jonas@example.com,jonas@example.com,TRUE,API Enabled
kim@example.com,kim@example.com,TRUE,member
`;

describe.skipIf(!hasBrowser)('the first minutes', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    page = await browser.signedInPage(server, server.admin.id);
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  const choose = (name: string, content: string) =>
    page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  const outcome = () => page.getByRole('region', { name: 'What this file would change' });
  const press = async (name: string): Promise<void> => {
    const button = page.getByRole('button', { name, exact: true });
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe(null);
    await button.click();
  };

  it('ask what a word means that nobody knows, and show what the others were read as', async () => {
    await page.goto('/import');
    await page.getByText('Drop a file here').first().waitFor();
    await choose('okta.csv', people);
    await outcome().getByText('1 word of the file has no known meaning: ON_MARS.').waitFor();
    expect(await outcome().textContent()).not.toMatch(/employment_status|found:|wanted:|\{/);
    await chooseOption(page.getByLabel('Meaning of ON_MARS'), 'Employed');
    await page.getByRole('row', { name: /Tara Sample.*Has left/ }).waitFor();
    for (const [word, meaning] of [
      ['PROVISIONED', 'Employed'],
      ['SUSPENDED', 'Has left'],
      ['DEPROVISIONED', 'Has left'],
    ] as const) {
      await expect.poll(() => page.getByLabel(`Meaning of ${word}`, { exact: true }).textContent()).toBe(meaning);
    }
    expect(await page.getByRole('cell', { name: /^(ACTIVE|TERMINATED)$/ }).count()).toBe(0);
    expect(await outcome().getByText('ON_MARS').count()).toBe(0);
    await press('Import');
    await page.getByText('The people are imported').waitFor();
  });

  it('say that the app is still to be named, and lead from its access to its review', async () => {
    await press('Import the access of an app');
    await choose('salesforce.csv', access);
    await outcome().getByText('Choose the app that this access is to').waitFor();
    await page.getByLabel('Into the app').fill('Salesforce');
    await page.getByRole('listbox').getByRole('option', { name: 'Salesforce' }).first().click();
    await outcome().getByText('API Enabled', { exact: true }).waitFor();
    expect(
      await outcome()
        .getByText(/Salesforce/)
        .count(),
    ).toBe(0);
    await press('Import');
    await page.getByText('Salesforce is imported').waitFor();
    await page.getByRole('link', { name: 'Review this app' }).click();
    await page.waitForURL('**/reviews/new?app=*');
    await page.reload();
    await expect.poll(() => page.getByLabel('Name').first().inputValue()).toBe('Review of Salesforce');
    await press('Create draft');
    await page.getByText('Salesforce, API Enabled').waitFor();
    await page.getByText('Salesforce, member').waitFor();
  });

  it('name a right that nobody described, and not its app with it', async () => {
    await page.goto('/apps');
    await page
      .getByRole('link', { name: /^Salesforce/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'API Enabled', exact: true }).waitFor();
    await page.getByText('got API Enabled').waitFor();
    expect(await page.getByText(/Salesforce (·|API|member)/).count()).toBe(0);
  });
});
