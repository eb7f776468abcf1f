/** Two people who edit one thing in a browser, and edits that are left: nothing that somebody wrote goes away without a word. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { type Company, startCompany } from '../support/small-company.ts';

let company: Company;
let browser: TestBrowser;
let ann: Page;
let bob: Page;
let bobId: string;

beforeAll(async () => {
  company = await startCompany();
  bobId = (await company.server.makePerson('second@example.com', ['SUPER_ADMINISTRATOR'])).id;
  if (hasBrowser) {
    browser = await openBrowser();
    ann = await browser.signedInPage(company.server, company.server.admin.id);
    bob = await browser.signedInPage(company.server, bobId);
    // A change that is refused is written down by the browser.
    browser.expectComplaint(/status of 409/);
  }
});
afterAll(async () => {
  await browser?.close();
  await company.server.stop();
});

const makePolicy = async (): Promise<string> =>
  (
    await company.call('POST', '/api/v1/policies', {
      displayName: 'Managers',
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: { certify: { steps: [{ approval: { manager: {} } }] } },
    })
  ).policy.id;
const policyOf = async (id: string) => (await company.call('GET', `/api/v1/policies/${id}`)).policy;
const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
};
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click();

describe.skipIf(!hasBrowser)('one policy, two administrators', () => {
  let id: string;
  const openBoth = async (): Promise<void> => {
    id = await makePolicy();
    await open(ann, `/policies/${id}`);
    await open(bob, `/policies/${id}`);
  };

  it('other members: both hold', async () => {
    await openBoth();
    await ann.getByLabel('Description').fill('From Ann.');
    await bob.getByLabel('Name').fill('From Bob');
    await save(ann);
    await ann.getByText('The policy is saved').first().waitFor();
    await save(bob);
    await bob.getByText('The policy is saved').first().waitFor();
    expect(await policyOf(id)).toMatchObject({ displayName: 'From Bob', description: 'From Ann.' });
  });

  it('the same member: the later one hears who was first, and loads it', async () => {
    await openBoth();
    await ann.getByLabel('Description').fill('From Ann.');
    await bob.getByLabel('Description').fill('From Bob.');
    await save(ann);
    await ann.getByText('The policy is saved').first().waitFor();
    await save(bob);
    const { displayName } = (await company.call('GET', `/api/v1/users/${company.server.admin.id}`)).userView.user;
    await bob
      .getByRole('alert')
      .filter({ hasText: `${displayName} changed this` })
      .waitFor();
    expect(await bob.getByLabel('Description').inputValue()).toBe('From Bob.');
    expect((await policyOf(id)).description).toBe('From Ann.');
    await checkAxe(bob);
    await bob.getByRole('button', { name: 'Load the newer one' }).click();
    await expect.poll(() => bob.getByLabel('Description').inputValue()).toBe('From Ann.');
    expect(await bob.getByRole('alert').count()).toBe(0);
  });

  it('the same member: the later one puts theirs on top, and all else of the first stays', async () => {
    await openBoth();
    await ann.getByLabel('Description').fill('From Ann.');
    await ann.getByLabel('Name').fill('Named by Ann');
    await bob.getByLabel('Description').fill('From Bob.');
    await save(ann);
    await ann.getByText('The policy is saved').first().waitFor();
    await save(bob);
    await bob.getByRole('button', { name: 'Put mine on top' }).click();
    await bob.getByText('The policy is saved').first().waitFor();
    expect(await policyOf(id)).toMatchObject({ displayName: 'Named by Ann', description: 'From Bob.' });
    expect(await bob.getByLabel('Name').inputValue()).toBe('Named by Ann');
  });

  it('who stays when asked keeps what they wrote, and saves it beside a change from elsewhere', async () => {
    await openBoth();
    await bob.getByLabel('Description').fill('From Bob.');
    await company.call('POST', `/api/v1/policies/${id}`, { policy: { displayName: 'Renamed' }, updateMask: 'displayName' });
    await bob.getByRole('link', { name: 'Policies' }).first().click();
    await bob.getByRole('button', { name: 'Stay here' }).click();
    expect(await bob.getByLabel('Description').inputValue()).toBe('From Bob.');
    await save(bob);
    await bob.getByText('The policy is saved').first().waitFor();
    expect(await policyOf(id)).toMatchObject({ displayName: 'Renamed', description: 'From Bob.' });
  });
});

describe.skipIf(!hasBrowser)('an edited policy that is left', () => {
  it('is asked about once: by a link, by Back, and by the browser where the page goes', async () => {
    const id = await makePolicy();
    await open(ann, '/policies');
    await ann.locator(`a[href="/policies/${id}"]`).first().click();
    await ann.getByLabel('Description').fill('Half a sentence');
    await ann.getByRole('link', { name: 'Policies' }).first().click();
    const question = ann.getByRole('dialog', { name: 'Leave without saving?' });
    await question.waitFor();
    await checkAxe(ann);
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(new URL(ann.url()).pathname).toBe(`/policies/${id}`);
    expect(await ann.getByLabel('Description').inputValue()).toBe('Half a sentence');

    const asked: string[] = [];
    ann.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    // Whoever stays in the page has reloaded nothing, so there is nothing to wait for but the question.
    await ann.evaluate('void setTimeout(() => location.reload(), 0)');
    await expect.poll(() => asked).toEqual(['beforeunload']);
    expect(await ann.getByLabel('Description').inputValue()).toBe('Half a sentence');

    await ann.evaluate('history.back()');
    await question.getByRole('button', { name: 'Leave', exact: true }).click();
    await ann.waitForURL('**/policies');
    ann.removeAllListeners('dialog');
    expect((await policyOf(id)).description).toBe('');
    expect(asked).toHaveLength(1);
  });

  it('is not asked about where nothing is changed, or all is saved', async () => {
    const id = await makePolicy();
    await open(ann, `/policies/${id}`);
    const description = ann.getByLabel('Description');
    await description.fill('Whole.');
    await description.fill('');
    await ann.getByRole('link', { name: 'Policies' }).first().click();
    await ann.waitForURL('**/policies');
    await open(ann, `/policies/${id}`);
    await description.fill('Whole.');
    await save(ann);
    await ann.getByText('The policy is saved').first().waitFor();
    await ann.getByRole('link', { name: 'Policies' }).first().click();
    await ann.waitForURL('**/policies');
  });
});

describe.skipIf(!hasBrowser)('the lists beside one scope', () => {
  it('what each of two adds stays', async () => {
    const id = await company.draft({ displayName: 'Who may pay?', singleApp: { appId: company.appId } });
    await open(ann, `/reviews/${id}/edit/purpose`);
    await open(bob, `/reviews/${id}/edit/purpose`);
    for (const [page, name] of [[ann, 'Ida'] as const, [bob, 'Max'] as const]) {
      await page.getByRole('combobox', { name: 'Add an owner' }).fill(name);
      await page.getByRole('listbox').getByRole('option', { name }).first().click();
      await page.getByRole('button', { name }).waitFor();
    }
    const owners = async () =>
      (await company.call('GET', `/api/v1/access_review/${id}/owners`)).list.map(
        ({ owner }: { owner: { displayName: string } }) => owner.displayName,
      );
    await expect.poll(async () => (await owners()).sort()).toEqual(expect.arrayContaining(['Ida', 'Max']));
    // Bob sees Ann's, too.
    await bob.getByRole('button', { name: 'Ida' }).waitFor();
  });
});

describe.skipIf(!hasBrowser)('one form of the settings', () => {
  it('the same field: who was first is said; the other fields of both hold', async () => {
    await open(ann, '/settings/tenant/company');
    await open(bob, '/settings/tenant/company');
    await ann.getByLabel('Name of the company').fill('Ann & Co');
    await bob.getByLabel('Name of the company').fill('Bob & Co');
    await save(ann);
    await ann.getByText('The company is saved').first().waitFor();
    await save(bob);
    await bob.getByRole('alert').filter({ hasText: 'changed this' }).waitFor();
    expect(await bob.getByLabel('Name of the company').inputValue()).toBe('Bob & Co');
    await bob.getByRole('link', { name: 'Policies' }).first().click();
    await bob.getByRole('button', { name: 'Stay here' }).click();
    await bob.getByRole('button', { name: 'Put mine on top' }).click();
    await expect.poll(async () => (await company.call('GET', '/api/v1/settings/tenant')).settings.displayName).toBe('Bob & Co');
    await bob.getByRole('link', { name: 'Policies' }).first().click();
    await bob.waitForURL('**/policies');
  });
});
