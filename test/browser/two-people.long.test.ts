/** Two people who edit one thing in a browser, and edits that are left: nothing that somebody wrote goes away without a word. */
import type { Locator, Page } from 'playwright-core';
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

describe.skipIf(!hasBrowser)('one draft of a review, which is stored as one writes', () => {
  let id: string;
  const review = async () => (await company.call('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview;
  const instructions = (page: Page) => page.getByRole('textbox', { name: 'Instructions' });
  const isStored = (page: Page) => page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  const notice = (page: Page) => page.getByRole('alert').filter({ hasText: 'changed this' });
  const openBoth = async (part = 'purpose'): Promise<void> => {
    id = await company.draft({ displayName: 'Who may pay?', singleApp: { appId: company.appId } });
    await open(ann, `/reviews/${id}/edit/${part}`);
    await open(bob, `/reviews/${id}/edit/${part}`);
  };

  it('other members: both hold', async () => {
    await openBoth();
    await instructions(ann).fill('From Ann.');
    await isStored(ann);
    await bob.getByRole('textbox', { name: 'Purpose' }).fill('From Bob.');
    await isStored(bob);
    expect(await review()).toMatchObject({ reviewInstructions: 'From Ann.', description: 'From Bob.' });
  });

  it('the same member: what is typed stays, who was first is said, and the newer one is taken', async () => {
    await openBoth();
    await instructions(ann).fill('From Ann.');
    await isStored(ann);
    await instructions(bob).fill('From Bob');
    await bob.getByRole('textbox', { name: 'Purpose' }).fill('Also from Bob.');
    await notice(bob).waitFor();
    // Whoever goes on writing loses nothing, and nothing of it goes out.
    await instructions(bob).pressSequentially(', on and on');
    await bob.getByRole('textbox', { name: 'Purpose' }).fill('Also from Bob, at length.');
    await expect.poll(async () => (await review()).description).toBe('Also from Bob, at length.');
    expect(await instructions(bob).inputValue()).toBe('From Bob, on and on');
    expect((await review()).reviewInstructions).toBe('From Ann.');
    await checkAxe(bob);
    await bob.getByRole('button', { name: 'Load the newer one' }).click();
    await expect.poll(() => instructions(bob).inputValue()).toBe('From Ann.');
    expect(await notice(bob).count()).toBe(0);
    expect((await review()).reviewInstructions).toBe('From Ann.');
  });

  it('the same member: the later one puts theirs on top, and goes on writing', async () => {
    await openBoth();
    await instructions(ann).fill('From Ann.');
    await isStored(ann);
    await instructions(bob).fill('From Bob');
    await bob.getByRole('button', { name: 'Put mine on top' }).click();
    await isStored(bob);
    expect((await review()).reviewInstructions).toBe('From Bob');
    await instructions(bob).pressSequentially(', once more');
    await expect.poll(async () => (await review()).reviewInstructions).toBe('From Bob, once more');
    expect(await notice(bob).count()).toBe(0);
  });

  it('what is left undecided waits where it was written', async () => {
    await openBoth();
    await instructions(ann).fill('From Ann.');
    await isStored(ann);
    await instructions(bob).fill('From Bob');
    await notice(bob).waitFor();
    await bob.getByRole('link', { name: 'Policies' }).first().click();
    await bob.getByRole('button', { name: 'Back to the review' }).click();
    await notice(bob).waitFor();
    expect(await instructions(bob).inputValue()).toBe('From Bob');
    await bob.getByRole('button', { name: 'Load the newer one' }).click();
    await expect.poll(() => instructions(bob).inputValue()).toBe('From Ann.');
  });

  it('an answer that was lost is not taken for a change of somebody else', async () => {
    await openBoth();
    await bob.route('**/api/v1/access_review/*', async (route) => {
      await route.fetch();
      await route.abort();
    });
    browser.expectComplaint(/net::ERR_FAILED/);
    await instructions(bob).fill('From Bob');
    await expect.poll(async () => (await review()).reviewInstructions).toBe('From Bob');
    await bob.unroute('**/api/v1/access_review/*');
    await instructions(bob).pressSequentially(', on and on');
    await expect.poll(async () => (await review()).reviewInstructions).toBe('From Bob, on and on');
    await isStored(bob);
    expect(await notice(bob).count()).toBe(0);
  });

  it('is one person in two windows: that is said', async () => {
    await openBoth();
    const other = await browser.signedInPage(company.server, bobId);
    await open(other, `/reviews/${id}/edit/purpose`);
    await instructions(other).fill('In the other window.');
    await isStored(other);
    await instructions(bob).fill('In this window.');
    await bob.getByRole('alert').filter({ hasText: 'in another window' }).waitFor();
    await bob.getByRole('button', { name: 'Put mine on top' }).click();
    await isStored(bob);
    expect((await review()).reviewInstructions).toBe('In this window.');
    await other.context().close();
  });
});

describe.skipIf(!hasBrowser)('what is changed where it stands', () => {
  const notice = (page: Page) => page.getByRole('alert').filter({ hasText: 'changed this' });

  it('the start of a review: what was set meanwhile is said, and nothing is started before', async () => {
    const id = await company.draft({ displayName: 'Who may pay?', singleApp: { appId: company.appId } });
    const path = `/api/v1/access_review/${id}`;
    await company.call('POST', path, { accessReview: { completionDate: '2099-01-01T00:00:00Z' } });
    await company.act(id, 'prepare', 'REVIEW');
    await open(bob, `/reviews/${id}/check`);
    await bob.getByRole('button', { name: 'Start', exact: true }).click();
    const dialog = bob.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Start with/ }).waitFor();
    await company.call('POST', path, { accessReview: { completionDate: '2099-02-01T00:00:00Z' } });
    await dialog.getByRole('button', { name: /^Start with/ }).click();
    await notice(bob).waitFor();
    expect((await company.call('GET', path)).accessReview.accessReview).toMatchObject({
      completionDate: '2099-02-01T00:00:00Z',
      state: 'ACCESS_REVIEW_STATE_REVIEW',
    });
    await checkAxe(bob);
    await dialog.getByRole('button', { name: 'Load the newer one' }).click();
    await expect.poll(() => dialog.getByLabel('Due', { exact: false }).first().inputValue()).toMatch(/^2099-0(1-31|2-01)T/);
    await dialog.getByRole('button', { name: /^Start with/ }).click();
    await expect.poll(async () => (await company.call('GET', path)).accessReview.accessReview.state).toBe('ACCESS_REVIEW_STATE_OPEN');
  });

  it('a source: the share a file may take away, and by what accounts are matched', async () => {
    const { connector } = (await company.call('POST', `/api/v1/apps/${company.appId}/connectors`, { displayName: 'Second' })).connectorView;
    const source = async () => (await company.call('GET', `/api/v1/sources/${connector.id}`)).source;
    const order = async () => (await company.call('GET', `/api/v1/connectors/${connector.id}/match_order`)).order;
    await open(bob, `/sources/${connector.id}`);
    const share = bob.getByRole('textbox', { name: 'Percent' });
    const part = (inside: Locator) => bob.locator('section').filter({ has: inside }).last();
    await share.fill('70');
    await company.call('PUT', `/api/v1/sources/${connector.id}/removal_share`, { removalShare: 60 });
    await part(share).getByRole('button', { name: 'Save' }).click();
    await notice(bob).waitFor();
    expect((await source()).removalShare).toBe(60);
    expect(await share.inputValue()).toBe('70');
    await bob.getByRole('button', { name: 'Put mine on top' }).click();
    await expect.poll(async () => (await source()).removalShare).toBe(70);

    const leaveOut = bob.getByRole('button', { name: 'Leave Employee id out' });
    await leaveOut.click();
    await company.call('PUT', `/api/v1/connectors/${connector.id}/match_order`, { order: ['MATCH_RULE_USERNAME'] });
    await part(bob.getByRole('list').filter({ hasText: 'Mail address' }))
      .getByRole('button', { name: 'Save' })
      .click();
    await notice(bob).waitFor();
    expect(await order()).toEqual(['MATCH_RULE_USERNAME']);
    await bob.getByRole('button', { name: 'Load the newer one' }).click();
    await bob.getByRole('button', { name: 'Leave User name out' }).waitFor();
    expect(await bob.getByRole('button', { name: 'Leave Mail address out' }).count()).toBe(0);
    expect(await notice(bob).count()).toBe(0);
  });

  it('what an entitlement allows', async () => {
    const path = `/api/v1/apps/${company.appId}/entitlements/${company.ids['pay']}`;
    const description = async () => (await company.call('GET', path)).appEntitlementView.appEntitlement.description;
    const say = (words: string) => company.call('POST', path, { entitlement: { description: words }, updateMask: 'description' });
    await say('');
    await open(bob, `/apps/${company.appId}/entitlements`);
    await bob
      .getByRole('button', { name: /^Describe .*pay/i })
      .first()
      .click();
    await say('From Ann.');
    const field = bob.locator('[data-words] input');
    await field.fill('From Bob.');
    await field.press('Enter');
    await notice(bob).waitFor();
    expect([await description(), await field.inputValue()]).toEqual(['From Ann.', 'From Bob.']);
    await checkAxe(bob);
    await bob.getByRole('button', { name: 'Put mine on top' }).click();
    await expect.poll(description).toBe('From Bob.');
  });

  it('the owner of an account', async () => {
    const path = `/api/v1/apps/${company.appId}/app_users/${company.ids['x1']}/owner`;
    const owner = async () => {
      const { list } = await company.call('POST', '/api/v1/search/app_users', { refs: [{ appId: company.appId, id: company.ids['x1'] }] });
      return list[0].appUser.identityUserId ?? '';
    };
    await open(bob, `/apps/${company.appId}/accounts?q=x1`);
    await bob.getByRole('row').filter({ hasText: 'x1' }).getByRole('button').click();
    const dialog = bob.getByRole('dialog');
    await dialog.getByRole('combobox').fill('Max');
    await bob.getByRole('listbox').getByRole('option', { name: 'Max' }).first().click();
    await company.call('PUT', path, { userId: company.users['ann'] });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await notice(bob).waitFor();
    expect(await owner()).toBe(company.users['ann']);
    await checkAxe(bob);
    await dialog.getByRole('button', { name: 'Put mine on top' }).click();
    await expect.poll(owner).toBe(company.users['max']);
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
