/**
 * Administrators' view of everybody in a real browser: who is signed in, with the end of one session and of all of a person; and every API
 * credential, filtered by the server, with its revocation. The filters are in the address, and axe finds nothing in the dialogs.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseOption } from '../support/choose-option.ts';
import { request } from '../support/api.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { closeBy } from '../support/dialogs.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { requestWith, signIn } from '../support/sign-in.ts';

describe.skipIf(!hasBrowser)('the settings about everybody', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let bela: TestPerson;

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    bela = await server.makePerson('bela@corp.test');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const open = async (page: Page, path: string, heading: string): Promise<void> => {
    await page.goto(path);
    await page.getByRole('heading', { level: 2, name: heading, exact: true }).waitFor();
  };
  const isSignedIn = async (cookie: string): Promise<boolean> =>
    (await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).status === 200;

  it('show who is signed in, and sign one browser out, then a person everywhere', async () => {
    const cookies = [await signIn(server, bela.id), await signIn(server, bela.id), await signIn(server, bela.id)];
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/signed-in', 'Signed in now');
    const rows = page.getByRole('row', { name: /bela@corp/ });
    await rows.first().waitFor();
    expect(await rows.count()).toBe(3);
    // The browser this runs in is marked, and cannot be signed out here.
    const own = page.getByRole('row', { name: /This browser/ });
    await own.first().waitFor();
    expect(await own.getByRole('button', { name: /^Sign out/ }).count()).toBe(0);

    await rows.first().getByRole('button', { name: 'Sign out bela here' }).click();
    await expect.poll(() => rows.count()).toBe(2);
    expect(await Promise.all(cookies.map(isSignedIn))).toEqual([true, true, false]);

    await rows.first().getByRole('button', { name: 'bela', exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('person')).toBe(bela.id);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    const asked = page.getByRole('dialog', { name: 'Sign out bela everywhere?' });
    await asked.waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await closeBy(asked, 'Sign out everywhere');
    await page.getByText('bela is signed in nowhere').first().waitFor();
    expect(await Promise.all(cookies.map(isSignedIn))).toEqual([false, false, false]);
  });

  it('show every credential, narrowed by the server, and revoke one of a person and one of a program', async () => {
    const call = (path: string, body: object) => request(server, server.admin, 'POST', path, body);
    const own = await requestWith(server, await signIn(server, bela.id), 'POST', '/api/v1/iam/personal_clients', {
      displayName: 'Laptop of Bela',
      expires: '2592000s',
    });
    expect(own.status).toBe(200);
    const { body } = await call('/api/v1/service_principals', { displayName: 'Nightly export' });
    const its = `/api/v1/service_principals/${body.servicePrincipal.id}/credentials`;
    expect((await call(its, { displayName: 'Export key', scopedRoles: ['000000000000000000BasicUser'] })).status).toBe(200);

    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/credentials', 'All credentials');
    const row = (name: RegExp) => page.getByRole('row', { name });
    await row(/Export key.*Nightly export.*Basic User/).waitFor();
    await row(/Laptop of Bela.*bela@corp.*In 30 days/).waitFor();

    await page.getByRole('radio', { name: 'Programs' }).check();
    await row(/Laptop of Bela/).waitFor({ state: 'hidden' });
    await chooseOption(page.getByLabel('Show'), 'Never ends');
    await row(/Export key/).waitFor();
    expect(new URL(page.url()).search).toBe('?kind=programs&show=endless');
    await page.reload();
    await row(/Export key/).waitFor();
    expect(await page.getByRole('row', { name: /Laptop/ }).count()).toBe(0);

    const revoke = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: `Revoke ${name}` }).click();
      const asked = page.getByRole('dialog', { name: `Revoke ${name}?` });
      await asked.waitFor();
      expect(await checkAxe(page)).toEqual([]);
      await closeBy(asked, 'Revoke');
      await row(new RegExp(name)).waitFor({ state: 'hidden' });
    };
    await revoke('Export key');
    await page.getByText('No credential is like that').first().waitFor();
    await open(page, '/settings/tenant/credentials?q=laptop', 'All credentials');
    await row(/Laptop of Bela/).waitFor();
    await revoke('Laptop of Bela');
    const left = await request(server, server.admin, 'POST', '/api/v1/search/credentials', { query: 'laptop' });
    expect(left.body.list).toEqual([]);
  });

  it('are reached and used by keys alone', async () => {
    const cookie = await signIn(server, bela.id);
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/signed-in', 'Signed in now');
    const button = page.getByRole('button', { name: 'Sign out bela here' }).first();
    await button.waitFor();
    for (let presses = 0; presses < 80 && !(await button.evaluate((one) => one === one.ownerDocument.activeElement)); presses++) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await expect.poll(() => isSignedIn(cookie)).toBe(false);
  });

  it('fit 360 pixels with rows in them, in German too', async () => {
    await signIn(server, bela.id);
    const page = await browser.signedInPage(server, server.admin.id, { size: 'narrow' });
    await open(page, '/settings/display', 'Keyboard and display');
    await chooseOption(page.getByLabel('Language'), 'Deutsch');
    await page.getByRole('heading', { level: 2, name: 'Tastatur und Anzeige' }).waitFor();
    for (const [path, heading] of [
      ['/settings/tenant/signed-in', 'Angemeldete Personen'],
      ['/settings/tenant/credentials', 'Alle Zugänge'],
    ] as const) {
      await open(page, path, heading);
      await page.getByRole('row').nth(1).waitFor();
      expect(await sidewaysPixels(page)).toBe(0);
      expect(await checkAxe(page)).toEqual([]);
    }
  });
});
