/**
 * The company's settings in a real browser: a sign-in provider that the sign-in page then offers, roles with the refusal that keeps the last
 * Super Administrator, and that whoever has no role sees none of it. No page runs wider than a phone, and axe finds nothing.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseOption } from '../support/choose-option.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { closeBy } from '../support/dialogs.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

/** Every page with its heading. */
const pages: readonly (readonly [string, string])[] = [
  ['/settings/tenant/providers', 'Sign-in providers'],
  ['/settings/step-up', 'Step-up providers'],
  ['/settings/tenant/roles', 'Roles'],
  ['/settings/tenant/credentials', 'All credentials'],
  ['/settings/tenant/signed-in', 'Signed in now'],
  ['/settings/tenant/sessions', 'Sessions and networks'],
  ['/settings/tenant/retention', 'Retention'],
  ['/settings/tenant/principals', 'Service principals'],
  ['/settings/tenant/notifications', 'Notifications'],
];

describe.skipIf(!hasBrowser)("the company's settings", () => {
  let server: TestServer;
  let browser: TestBrowser;
  let basic: TestPerson;
  let auditor: TestPerson;

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    // Refusals are written to the console of the page.
    browser.expectComplaint(/status of 400/);
    basic = await server.makePerson('bela@corp.test');
    auditor = await server.makePerson('odile@corp.test', ['READ_ONLY_ADMINISTRATOR']);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const open = async (page: Page, path: string, heading: string): Promise<void> => {
    await page.goto(path);
    await page.getByRole('heading', { level: 2, name: heading, exact: true }).waitFor();
  };

  it('names the company and its time zone, and says what is set where the server is started', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/company', 'Name and time zone');
    await page.getByLabel('Name of the company').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must not be empty').first().waitFor();
    await page.getByLabel('Name of the company').fill('Sample Company');
    await chooseOption(page.getByLabel('Time zone of the company'), 'Europe/Berlin');
    await page.getByText('Not set. No mail leaves.').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('navigation').first().getByText('Sample Company').waitFor();
    const stored = (await (await page.request.get('/api/v1/settings/tenant')).json()) as { settings: object };
    expect(stored.settings).toMatchObject({ displayName: 'Sample Company', timeZone: 'Europe/Berlin' });
    await page.close();
  });

  it('adds a sign-in provider, which the sign-in page offers until it is deleted', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/providers', 'Sign-in providers');
    await page.getByRole('button', { name: 'New provider' }).first().click();
    const form = page.getByRole('dialog', { name: 'New sign-in provider' });
    await form.getByLabel('Name').fill('Corp ID');
    await form.getByLabel('Issuer').fill('http://login.corp.test');
    await form.getByRole('button', { name: 'Add provider' }).click();
    await form.getByText('must be an https URL without query and fragment').first().waitFor();
    await form.getByText('must be the client id that the provider gave you').first().waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await form.getByLabel('Issuer').fill('https://login.corp.test');
    await form.getByLabel('Client ID').fill('countersign');
    await form.getByLabel('Client secret').fill('a secret of theirs');
    await form.getByRole('button', { name: 'Add provider' }).click();

    const made = page.getByRole('dialog', { name: 'Corp ID is added' });
    await made.waitFor();
    const { list = [] } = (await (await page.request.get('/api/v1/auth-configs')).json()) as { list?: { id: string }[] };
    expect(list).toHaveLength(1);
    expect(await made.locator('code').textContent()).toBe(`${server.url}/auth/callback/${list[0]?.id}`);
    await closeBy(made, 'Done');
    await page.getByRole('row', { name: /Corp ID/ }).waitFor();
    expect(await page.content()).not.toContain('a secret of theirs');

    const visitor = await browser.signedOutPage(server);
    await visitor.goto('/sign-in');
    await visitor.getByText('Corp ID').first().waitFor();

    await page.getByRole('button', { name: 'What to do with Corp ID' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: 'Sign-in provider Corp ID' });
    await change.getByLabel('Name').fill('Corp login');
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Corp login/ }).waitFor();

    await page.getByRole('button', { name: 'What to do with Corp login' }).click();
    await page.getByRole('menuitem', { name: 'Delete provider' }).click();
    const asked = page.getByRole('dialog', { name: 'Delete Corp login?' });
    await closeBy(asked, 'Delete provider');
    await page.getByText('No sign-in provider yet').first().waitFor();
  });

  it('gives a role, and says why the last Super Administrator keeps theirs', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/roles', 'Roles');
    const row = (name: RegExp) => page.getByRole('row', { name });
    await row(/admin@/)
      .getByRole('button', { name: 'Change roles' })
      .click();
    const own = page.getByRole('dialog', { name: /^Roles of / });
    await own.getByLabel('Super Administrator').uncheck();
    await own.getByRole('button', { name: 'Save' }).click();
    await own.getByText('This is the last active Super Administrator. Make another person one first.').first().waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await closeBy(own, 'Cancel');

    await page.getByRole('searchbox', { name: 'Find anybody' }).fill('bela');
    await row(/bela@corp/)
      .getByText('Basic User')
      .waitFor();
    await row(/bela@corp/)
      .getByRole('button', { name: 'Change roles' })
      .click();
    const theirs = page.getByRole('dialog', { name: 'Roles of bela' });
    await theirs.getByLabel('Read-Only to System Logs').check();
    await closeBy(theirs, 'Save');
    await row(/bela@corp/)
      .getByText('Read-Only to System Logs')
      .waitFor();
    await row(/bela@corp/)
      .getByRole('button', { name: 'Change roles' })
      .click();
    await theirs.getByLabel('Read-Only to System Logs').uncheck();
    await closeBy(theirs, 'Save');
    await row(/bela@corp/)
      .getByText('Basic User')
      .waitFor();
  });

  it('makes a link that signs a person in', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/roles', 'Roles');
    await page.getByRole('searchbox', { name: 'Find anybody' }).fill('bela');
    await page
      .getByRole('row', { name: /bela@corp/ })
      .getByRole('button', { name: 'Make a sign-in link' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'A sign-in link for bela' });
    await dialog.getByRole('button', { name: 'Make a sign-in link' }).click();
    const url = (await dialog.locator('code').textContent()) ?? '';
    expect(url).toContain(server.url);
    await closeBy(dialog, 'Done');
    expect(await page.content()).not.toContain(url);
    // The same where a person stands by themselves, as whoever starts a review finds them.
    await page.goto(`${server.url}/people/${server.admin.id}/now`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Make a sign-in link' }).click();
    await page.getByRole('dialog', { name: /^A sign-in link for/ }).waitFor();
  });

  it('sets how long sessions last and from where people come, and refuses what shuts out the administrator', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/sessions', 'Sessions and networks');
    await page.getByLabel('Minutes without use').fill('2');
    await page.getByRole('button', { name: 'Save lengths' }).click();
    await page.getByText('must be whole seconds from 300s').first().waitFor();
    await page.getByLabel('Minutes without use').fill('45');
    await page.getByRole('button', { name: 'Save lengths' }).click();
    await expect
      .poll(async () => (await page.request.get('/api/v1/settings/tenant')).json())
      .toMatchObject({ settings: { sessionIdle: '2700s', sessionLength: '43200s' } });

    await page.getByRole('switch', { name: 'Administrators with a browser' }).check();
    const blocks = page.getByRole('textbox', { name: 'Administrators with a browser: only from' });
    await blocks.fill('203.0.113.0/24');
    await blocks.press('Enter');
    await page.getByRole('button', { name: 'Save addresses' }).click();
    await page.getByText('would block your own address').first().waitFor();
    await page.getByLabel('Address', { exact: true }).fill('203.0.113.9');
    await page.getByRole('button', { name: 'Test this address' }).click();
    await page.getByText('203.0.113.9 is let in.').first().waitFor();
    await page.getByLabel('Address', { exact: true }).fill('198.51.100.1');
    await page.getByRole('button', { name: 'Test this address' }).click();
    await page.getByText('198.51.100.1 is kept out.').first().waitFor();
  });

  it('sets how long evidence is kept, within what the operator allows', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/retention', 'Retention');
    await page.getByLabel('Content of the system log, in years').fill('1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must be 0 (for ever), or 7 to').first().waitFor();
    await page.getByLabel('Content of the system log, in years').fill('0');
    await page.getByLabel('Content of a review, in years from its close').fill('10');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await page.request.get('/api/v1/settings/retention')).json())
      .toMatchObject({ retention: { reviewYears: 10 } });
  });

  it('makes a service principal and a credential whose secret is shown once', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/principals', 'Service principals');
    await page.getByRole('button', { name: 'New service principal' }).first().click();
    const form = page.getByRole('dialog', { name: 'New service principal' });
    await form.getByLabel('Name').fill('Nightly export');
    await form.getByRole('button', { name: 'Create' }).click();
    const drawer = page.getByRole('dialog', { name: 'Credentials of Nightly export' });
    await drawer.getByLabel('Name of the credential').fill('First');
    await drawer.getByRole('button', { name: 'Create credential' }).click();
    const once = page.getByRole('dialog', { name: 'Keep this secret now' });
    const secret = (await once.locator('code').nth(1).textContent()) ?? '';
    expect(secret).toMatch(/^secret-token:/);
    await once.getByLabel('I have kept the secret').check();
    await closeBy(once, 'Done');
    expect(await page.content()).not.toContain(secret);
    await drawer.getByRole('button', { name: 'Revoke' }).click();
    await drawer.getByText('No credential yet.').first().waitFor();
  });

  it('sets whom mails come from, and says that none leaves here', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/notifications', 'Notifications');
    await page.getByText('No mail leaves this installation').first().waitFor();
    await page.getByLabel('Replies go to').fill('nobody');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must be a mail address, or empty').first().waitFor();
    await page.getByLabel('Replies go to').fill('reviews@corp.test');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await page.request.get('/api/v1/settings/email-provider')).json())
      .toMatchObject({ emailProvider: { replyToAddress: 'reviews@corp.test' } });
  });

  it('shows none of it to a Basic User', async () => {
    const page = await browser.signedInPage(server, basic.id);
    await open(page, '/settings/profile', 'Profile and delegate');
    const menu = page.getByRole('navigation', { name: 'Settings' });
    await menu.getByRole('link', { name: 'Keyboard and display' }).waitFor();
    for (const [path, heading] of pages) {
      expect(await menu.getByRole('link', { name: heading, exact: true }).count()).toBe(0);
      await open(page, path, heading);
      await page.getByText('These settings belong to your administrators').first().waitFor();
    }
  });

  it('shows all of it without a way to change it to a Read-Only Administrator', async () => {
    const page = await browser.signedInPage(server, auditor.id);
    for (const [path, heading] of pages) {
      await open(page, path, heading);
      await page.getByText('Your roles do not let you change them.').first().waitFor();
      expect(
        await page
          .getByRole('main')
          .getByRole('button', { name: /^(New|Save|Change|Make|Delete)/ })
          .count(),
      ).toBe(0);
    }
  });

  it('fits a narrow phone, and axe finds nothing in either theme', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await browser.signedInPage(server, server.admin.id, { size: 'narrow', theme });
      for (const [path, heading] of pages) {
        await open(page, path, heading);
        expect(await sidewaysPixels(page)).toBe(0);
        expect(await checkAxe(page)).toEqual([]);
      }
      await page.context().close();
    }
  });
});
