/**
 * Programs and providers in the settings, in a real browser: a service principal's credential that is narrowed when it is made, and a provider
 * that is tested before anybody signs in by it. axe finds nothing in either drawer, in both themes, and neither is wider than a phone.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { closeBy } from '../support/dialogs.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const basicUser = '000000000000000000BasicUser';
const readOnly = '000000ReadOnlyAdministrator';

describe.skipIf(!hasBrowser)('programs and providers in the settings', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let provider: Server;
  let issuer: string;
  let calledItself: string;
  let principalId: string;

  beforeAll(async () => {
    server = await startTestServer({ allowsLocalIssuers: true });
    browser = await openBrowser();
    provider = createServer((incoming, response) => {
      const address = (path: string): string => `${issuer}/${path}`;
      const document = {
        issuer: calledItself,
        authorization_endpoint: address('authorize'),
        token_endpoint: address('token'),
        jwks_uri: address('jwks'),
      };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(incoming.url === '/jwks' ? { keys: [{ kty: 'RSA' }] } : document));
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    calledItself = issuer;
    const made = await request(server, server.admin, 'POST', '/api/v1/service_principals', { displayName: 'Nightly export' });
    principalId = made.body.servicePrincipal.id;
    const roles = { roleIds: [basicUser, readOnly] };
    expect((await request(server, server.admin, 'PUT', `/api/v1/users/${principalId}/roles`, roles)).status).toBe(200);
  });
  afterAll(async () => {
    await browser?.close();
    provider?.closeAllConnections();
    await new Promise((resolve) => provider?.close(resolve));
    await server?.stop();
  });

  const open = async (page: Page, path: string, heading: string): Promise<void> => {
    await page.goto(path);
    await page.getByRole('heading', { level: 2, name: heading, exact: true }).waitFor();
  };

  it('narrow a credential to some roles, addresses and a year', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/principals', 'Service principals');
    await page
      .getByRole('row', { name: /Nightly export/ })
      .getByRole('button', { name: 'Credentials' })
      .click();
    const drawer = page.getByRole('dialog', { name: 'Credentials of Nightly export' });
    await drawer.getByLabel('Name of the credential').fill('Narrow');
    await drawer.getByRole('radio', { name: /365 days/ }).check();
    await drawer.getByRole('radio', { name: 'Only some of its roles' }).check();
    await drawer.getByRole('button', { name: 'Create credential' }).click();
    await drawer.getByText('Choose at least one role.').first().waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await drawer.getByRole('checkbox', { name: 'Basic User' }).check();
    await drawer.getByLabel('From which addresses').fill('203.0.113.0/24');
    await drawer.getByLabel('From which addresses').press('Enter');
    await drawer.getByRole('button', { name: 'Create credential' }).click();
    const once = page.getByRole('dialog', { name: 'Keep this secret now' });
    await once.getByLabel('I have kept the secret').check();
    await closeBy(once, 'Done');
    const row = drawer.getByRole('listitem').filter({ hasText: 'Narrow' });
    await row.getByText('Basic User').waitFor();
    await row.getByText('203.0.113.0/24').waitFor();
    const { body } = await request(server, server.admin, 'GET', `/api/v1/service_principals/${principalId}/credentials`);
    expect(body.list).toMatchObject([{ displayName: 'Narrow', scopedRoleIds: [basicUser], allowSourceCidrs: ['203.0.113.0/24'] }]);
    const [{ createdAt, expiresAt }] = body.list;
    expect(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000)).toBe(365);
  });

  it('end a credential with a day of their own', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/principals', 'Service principals');
    await page
      .getByRole('row', { name: /Nightly export/ })
      .getByRole('button', { name: 'Credentials' })
      .click();
    const drawer = page.getByRole('dialog', { name: 'Credentials of Nightly export' });
    const create = drawer.getByRole('button', { name: 'Create credential' });
    await drawer.getByLabel('Name of the credential').fill('Until the audit');
    await drawer.getByRole('radio', { name: /Until a day/ }).check();
    await create.click();
    await drawer.getByText('Choose a day from today to a year from now.').first().waitFor();
    await drawer.getByLabel('Last day').fill('2020-01-01');
    await create.click();
    await drawer.getByText('Choose a day from today to a year from now.').first().waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await drawer.getByLabel('Last day').fill(`${new Date().getFullYear() + 2}-06-30`);
    await create.click();
    await drawer.getByText('Choose a day from today to a year from now.').first().waitFor();
    const lastDay = new Date(Date.now() + 200 * 86_400_000).toISOString().slice(0, 10);
    await drawer.getByLabel('Last day').fill(lastDay);
    await create.click();
    const once = page.getByRole('dialog', { name: 'Keep this secret now' });
    await once.getByLabel('I have kept the secret').check();
    await closeBy(once, 'Done');
    const { body } = await request(server, server.admin, 'GET', `/api/v1/service_principals/${principalId}/credentials`);
    const { expiresAt } = body.list.find((one: { displayName: string }) => one.displayName === 'Until the audit');
    // The day is over at midnight in Berlin, where the browser is: one or two hours before the day of UTC; a slow machine rounds by some seconds.
    const hours = (Date.parse(`${lastDay}T23:59:59Z`) - Date.parse(expiresAt)) / 3_600_000;
    expect(Math.abs(hours - Math.round(hours))).toBeLessThan(120 / 3_600);
    expect([1, 2]).toContain(Math.round(hours));
    await page.close();
  });

  it('say what is wrong with a provider before anybody signs in by it', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await open(page, '/settings/tenant/providers', 'Sign-in providers');
    await page.getByRole('button', { name: 'New provider' }).first().click();
    const form = page.getByRole('dialog', { name: 'New sign-in provider' });
    const test = async (address: string, words: RegExp): Promise<void> => {
      await form.getByLabel('Issuer').fill(address);
      await form.getByRole('button', { name: 'Test this issuer' }).click();
      await form.getByText(words).first().waitFor();
    };
    await test('http://login.corp.test', /This is no https address/);
    calledItself = 'https://login.corp.test';
    await test(issuer, /calls itself https:\/\/login\.corp\.test\. Enter it just so/);
    expect(await checkAxe(page)).toEqual([]);
    calledItself = issuer;
    await form.getByRole('button', { name: 'Test this issuer' }).click();
    await form.getByText('The provider answers and can be used.').first().waitFor();
    // What was found out does not stand beside another issuer.
    await form.getByLabel('Issuer').fill('https://login.corp.test');
    await form.getByText('The provider answers and can be used.').first().waitFor({ state: 'hidden' });
  });

  it('fit 360 pixels in both themes', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await browser.signedInPage(server, server.admin.id, { size: 'narrow', theme });
      await open(page, '/settings/tenant/principals', 'Service principals');
      await page
        .getByRole('row', { name: /Nightly export/ })
        .getByRole('button', { name: 'Credentials' })
        .click();
      await page.getByLabel('Name of the credential').waitFor();
      expect(await sidewaysPixels(page)).toBe(0);
      expect(await checkAxe(page)).toEqual([]);
      await open(page, '/settings/tenant/providers', 'Sign-in providers');
      await page.getByRole('button', { name: 'New provider' }).first().click();
      const form = page.getByRole('dialog', { name: 'New sign-in provider' });
      await form.getByLabel('Issuer').fill('http://login.corp.test');
      await form.getByRole('button', { name: 'Test this issuer' }).click();
      await form
        .getByText(/This is no https address/)
        .first()
        .waitFor();
      expect(await sidewaysPixels(page)).toBe(0);
      expect(await checkAxe(page)).toEqual([]);
      await page.context().close();
    }
  });
});
