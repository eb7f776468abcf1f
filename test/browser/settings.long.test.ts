/**
 * One's own settings in a real browser: an API credential whose secret is shown once, works and is revoked; sessions that end elsewhere; a
 * delegate; and how the console looks. No page runs wider than a phone, and axe finds nothing.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseOption } from '../support/choose-option.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { closeBy } from '../support/dialogs.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { requestWith, signIn } from '../support/sign-in.ts';

describe.skipIf(!hasBrowser)('the settings', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let person: TestPerson;

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    person = await server.makePerson('yara@corp.test', ['CAMPAIGN_ADMINISTRATOR']);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const open = async (page: Page, path: string, heading: string): Promise<void> => {
    await page.goto(path);
    await page.getByRole('heading', { level: 2, name: heading, exact: true }).waitFor();
  };
  const token = (credential: { clientId: string; clientSecret: string }): Promise<Response> =>
    server.fetch('/auth/v1/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credential.clientId,
        client_secret: credential.clientSecret,
      }),
    });

  /** Makes a credential by the form and answers what the dialog shows. */
  const make = async (page: Page, name: string): Promise<{ clientId: string; clientSecret: string }> => {
    await page.getByRole('button', { name: 'New credential' }).first().click();
    const form = page.getByRole('dialog', { name: 'New API credential' });
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('30 days').check();
    await form.getByRole('button', { name: 'Create' }).click();
    const dialog = page.getByRole('dialog', { name: 'Keep this secret now' });
    await dialog.locator('code').first().waitFor();
    const shown = await dialog.locator('code').allTextContents();
    return { clientId: shown[0] ?? '', clientSecret: shown[1] ?? '' };
  };

  it('makes a credential, shows its secret once, and the secret works until it is revoked', async () => {
    const page = await browser.signedInPage(server, person.id);
    await open(page, '/settings/credentials', 'API credentials');
    const made = await make(page, 'Evidence exporter');
    expect(made.clientId).toMatch(/@.*\/pcc$/);
    expect(made.clientSecret).toMatch(/^secret-token:/);
    expect(await checkAxe(page)).toEqual([]);
    expect((await token(made)).status).toBe(200);

    const dialog = page.getByRole('dialog', { name: 'Keep this secret now' });
    await dialog.getByLabel('I have kept the secret').check();
    await closeBy(dialog, 'Done');
    expect(await page.content()).not.toContain(made.clientSecret);
    const row = page.getByRole('row', { name: /Evidence exporter/ });
    await row.waitFor();
    expect(await row.textContent()).toContain(made.clientId);
    expect(await row.textContent()).toContain('In 30 days');
    await page.reload();
    await row.waitFor();
    expect(await page.content()).not.toContain(made.clientSecret);
    const stored = await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })');
    expect(stored).not.toContain('secret-token');

    await row.getByRole('button', { name: 'Revoke' }).click();
    const asked = page.getByRole('dialog', { name: 'Revoke Evidence exporter?' });
    await closeBy(asked, 'Keep it');
    expect((await token(made)).status).toBe(200);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await closeBy(asked, 'Revoke');
    await row.waitFor({ state: 'detached' });
    await expect.poll(async () => (await token(made)).status).toBe(401);
  });

  it('asks once before a secret is left that nobody kept', async () => {
    const page = await browser.signedInPage(server, person.id);
    await open(page, '/settings/credentials', 'API credentials');
    await make(page, 'Left behind');
    const dialog = page.getByRole('dialog', { name: 'Keep this secret now' });
    await page.keyboard.press('Escape');
    await dialog.getByRole('alert').waitFor();
    await closeBy(dialog, 'Leave without it');
    await page.getByRole('row', { name: /Left behind/ }).waitFor();
  });

  it('says at the field what is wrong with a credential', async () => {
    const page = await browser.signedInPage(server, person.id);
    await open(page, '/settings/credentials', 'API credentials');
    await page.getByRole('button', { name: 'New credential' }).first().click();
    const form = page.getByRole('dialog', { name: 'New API credential' });
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('Name it after what will use it.').first().waitFor();
    await form.getByLabel('Name').fill('Exporter');
    await form.getByLabel('Only some of your roles').check();
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('Choose at least one role.').first().waitFor();
    expect(await checkAxe(page)).toEqual([]);
  });

  it('lists the browsers, and ends the others', async () => {
    const here = await browser.signedInPage(server, person.id);
    const there = await browser.signedInPage(server, person.id);
    await open(there, '/settings/display', 'Keyboard and display');
    await open(here, '/settings/sessions', 'Sessions');
    await here.getByText('This browser').first().waitFor();
    await here.getByRole('button', { name: 'Sign out all others' }).click();
    await expect.poll(() => here.getByRole('row').count()).toBe(2);
    await there.goto('/settings/display');
    await there.waitForURL((url) => url.pathname === '/sign-in');
    await open(here, '/settings/sessions', 'Sessions');
  });

  it('keeps the theme, in this browser from the first paint and on the server for others', async () => {
    const page = await browser.signedInPage(server, person.id);
    await open(page, '/settings/display', 'Keyboard and display');
    await page.getByRole('radio', { name: 'Dark', exact: true }).click();
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await expect
      .poll(async () => (await page.request.get('/api/v1/my/preferences')).json())
      .toMatchObject({ preferences: { theme: 'THEME_DARK' } });
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction('document.body !== null');
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    const other = await browser.signedInPage(server, person.id);
    await open(other, '/settings/display', 'Keyboard and display');
    await expect.poll(() => other.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });

  it('turns kinds of mails off at once, as far as the company lets everybody choose', async () => {
    const wishes = async (): Promise<unknown> => {
      const { body } = await requestWith(server, await signIn(server, person.id), 'GET', '/api/v1/settings/notifications/user');
      const { enabled, reviews, taskReminders, system } = body.userNotificationSettings.channelSettings.email;
      return [enabled, reviews.enabled, taskReminders.enabled, system.enabled];
    };
    const company = async (): Promise<unknown> =>
      (await requestWith(server, await signIn(server, server.admin.id), 'GET', '/api/v1/settings/notifications/org')).body
        .orgNotificationSettings.channelSettings.email;
    const admin = await browser.signedInPage(server, server.admin.id);
    await open(admin, '/settings/tenant/notifications', 'Notifications');
    await admin.getByRole('checkbox', { name: 'The same for everybody: Reminders' }).click();
    await expect.poll(company).toMatchObject({ enabled: true, taskReminders: { enabled: true, locked: true } });

    const page = await browser.signedInPage(server, person.id);
    await open(page, '/settings/mails', 'Mails to you');
    await page.getByText('Your company decided this for everybody.').first().waitFor();
    expect(await page.getByRole('switch', { name: 'Reminders' }).getAttribute('aria-disabled')).toBe('true');
    expect(await page.getByRole('switch', { name: 'Sign-in links' }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('switch', { name: 'What you look after' }).click();
    await expect.poll(wishes).toEqual([true, true, true, false]);
    await page.getByRole('switch', { name: 'Mails to you' }).click();
    await expect.poll(wishes).toEqual([false, true, true, false]);
    await page.getByText('All mails are off.').first().waitFor();

    await admin.getByRole('switch', { name: 'Mails to people' }).click();
    await expect.poll(company).toMatchObject({ enabled: false });
    await page.getByRole('switch', { name: 'Mails to you' }).click();
    await page.getByText('Your company has turned all mails off.').first().waitFor();
    expect(await checkAxe(page)).toEqual([]);
  });

  it('speaks the language that was chosen', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/display', 'Keyboard and display');
    await chooseOption(page.getByLabel('Language'), 'Deutsch');
    await page.getByRole('heading', { level: 2, name: 'Tastatur und Anzeige' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await chooseOption(page.getByLabel('Sprache'), 'Wie der Browser');
    await page.getByRole('heading', { level: 2, name: 'Keyboard and display' }).waitFor();
  });

  it.each([
    ['/settings/profile', 'Profile and delegate'],
    ['/settings/sessions', 'Sessions'],
    ['/settings/credentials', 'API credentials'],
    ['/settings/mails', 'Mails to you'],
    ['/settings/display', 'Keyboard and display'],
  ])('fits a narrow phone at %s, and axe finds nothing in either theme', async (path, heading) => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await browser.signedInPage(server, server.admin.id, { size: 'narrow', theme });
      await open(page, path, heading);
      expect(await sidewaysPixels(page)).toBe(0);
      expect(await checkAxe(page)).toEqual([]);
      await page.context().close();
    }
  });

  it('is a menu alone on a phone', async () => {
    const page = await browser.signedInPage(server, server.admin.id, { size: 'phone' });
    await page.goto('/settings');
    const menu = page.getByRole('navigation', { name: 'Settings' });
    await menu.getByRole('link', { name: 'Sessions', exact: true }).click();
    await page.getByRole('heading', { level: 2, name: 'Sessions' }).waitFor();
  });
});
