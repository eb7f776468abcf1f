/**
 * The page at /docs in a real browser: it signs in, finds operations, shows what they take and answer, and sends them. Left out where no
 * Chromium is installed (CHROMIUM_PATH names one elsewhere).
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, useBrowser } from '../support/browser.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('the API browser', () => {
  let server: TestServer;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    server = await useTestServer();
    page = await (await useBrowser()).newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(request.url()));
    await page.goto(`${server.url}/docs`);
    await page.locator('#operations section').first().waitFor();
  }, 240_000);
  afterAll(async () => {
    await page?.context().close();
    await server.stop();
  });

  const open = async (filter: string, path: string) => {
    await page.getByLabel('Find an operation').fill(filter);
    const operation = page.locator('details:visible', { has: page.locator('summary code', { hasText: new RegExp(`^${path}$`) }) }).first();
    await operation.locator('summary').click();
    return operation;
  };

  it('lists every operation of the document, under a heading of its service', async () => {
    const api = (await (await server.fetch('/openapi.json')).json()) as { paths: Record<string, object> };
    const count = Object.values(api.paths).reduce((sum, verbs) => sum + Object.keys(verbs).length, 0);
    expect(await page.locator('#operations details').count()).toBe(count);
    const headings = await page.locator('#operations h2').allTextContents();
    expect(headings).toEqual(
      expect.arrayContaining(['AppService', 'ConnectorService', 'ServicePrincipalService', 'ImportService', 'ScimService']),
    );
    expect(new Set(headings).size).toBe(headings.length);
  });

  it('answers 401 before signing in, and the answer itself behind it', async () => {
    const operation = await open('get /api/v1/service_principals', '/api/v1/service_principals');
    const answer = operation.locator('pre[role=status]');
    await operation.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => answer.textContent()).toMatch(/^401 in /m);
    await page.getByLabel('Client id').fill(server.admin.credential.clientId);
    await page.getByLabel('Client secret').fill(server.admin.credential.clientSecret);
    await page.getByRole('button', { name: 'Get a token' }).click();
    await expect.poll(() => page.locator('#sign-in-result').textContent()).toBe('Signed in for 60 minutes.');
    await operation.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => answer.textContent()).toMatch(/^200 in /m);
  });

  it('fills in a body by example, and sends what is written', async () => {
    const operation = await open('post /api/v1/apps', '/api/v1/apps');
    const body = operation.locator('textarea');
    await operation.getByRole('button', { name: 'Show all members' }).click();
    expect(JSON.parse(await body.inputValue())).toMatchObject({ displayName: '' });
    await body.fill('{"displayName": "From the browser"}');
    await operation.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => operation.locator('pre[role=status]').textContent()).toContain('From the browser');
  });

  it('says what an operation and its fields are, and fills in an example of a policy', async () => {
    const operation = await open('post /api/v1/policies', '/api/v1/policies');
    expect(await operation.locator('summary').textContent()).toContain('Creates a policy: rules and steps that decide who reviews');
    expect(await operation.locator('pre').last().textContent()).toContain('The name that people see.');
    await operation.getByRole('button', { name: 'The owners of the app decide' }).click();
    expect(JSON.parse(await operation.locator('textarea').inputValue()).policySteps.certify.steps).toHaveLength(1);
    await operation.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => operation.locator('pre[role=status]').textContent()).toMatch(/^200 in /m);
  });

  it('complains of nothing meanwhile', () => {
    expect(complaints).toEqual([]);
  });
});
