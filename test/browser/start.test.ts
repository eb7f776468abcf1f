/**
 * The start of an empty tenant in a browser: its administrator comes to the first steps, drops a file, loads the samples, and ends at the questions
 * of a review that runs. Nobody who is invented gets a mail, loading that was broken off goes on, and the samples can be removed again.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppService } from '../../src/gen/c1/api/app/v1/app_service_pb.js';
import { UserService } from '../../src/gen/c1/api/user/v1/user_service_pb.js';
import { MailService } from '../../src/gen/countersign/v1/mail_pb.js';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { closeBy } from '../support/dialogs.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('the start', () => {
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

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  it('of an empty tenant offers the samples', async () => {
    await page.goto('/');
    await page.waitForURL('**/start');
    await page.getByRole('button', { name: 'Load the samples' }).waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await sidewaysPixels(page)).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('takes a file that is dropped anywhere on it, and leads with it to its import', async () => {
    const drop = async (onto: string): Promise<void> => {
      const file = await page.evaluateHandle(`(() => {
        const data = new DataTransfer();
        data.items.add(new File(['email,display_name,manager_email\\nkim@example.org,Kim,\\n'], 'team.csv', { type: 'text/csv' }));
        return data;
      })()`);
      await page.dispatchEvent(onto, 'dragover', { dataTransfer: file });
      await page.dispatchEvent(onto, 'drop', { dataTransfer: file });
    };
    await drop('h2');
    await page.waitForURL('**/import');
    await page.getByText('team.csv', { exact: true }).first().waitFor();
    await page.getByText('display_name', { exact: true }).first().waitFor();
    await page.goto('/start');
    await page.getByText('Or drop a file anywhere on this page').waitFor();
    await drop('label:has(input[type=file])');
    await page.waitForURL('**/import');
    await page.getByText('team.csv', { exact: true }).first().waitFor();
    // The file is handed over once.
    await page.getByRole('link', { name: 'Sources and imports' }).first().click();
    await page.getByRole('link', { name: 'Import a file' }).first().click();
    await page.waitForURL('**/import');
    await page.getByText('Drop a file here').first().waitFor();
    await page.goto('/start');
  });

  it('loads them, goes on after a break, and ends at a review whose questions wait', async () => {
    browser.expectComplaint(/access_reviews?\b|status of 500/);
    let isBroken = true;
    await page.route('**/api/v1/access_review', (route) =>
      isBroken ? route.fulfill({ status: 500, contentType: 'application/json', body: '{"code":13,"message":"broken"}' }) : route.continue(),
    );
    await press('Load the samples');
    await page.getByRole('progressbar', { name: 'Loading the samples' }).waitFor();
    await page.getByRole('alert').waitFor();
    isBroken = false;
    // What was loaded are samples alone, without their review: the start offers to go on.
    await page.goto('/');
    await page.waitForURL('**/start');
    await press('Load the samples');
    await page.waitForURL('**/r/*');
    await page.locator('[role=row][data-current]').waitFor();
    expect(await page.getByRole('row').count()).toBeGreaterThan(1);
    const { list = [] } = await server.admin.client.call(MailService.method.list, { pageSize: 100 });
    expect(list).toEqual([]);
  });

  it('leads home once there is something', async () => {
    await page.goto('/');
    await page.waitForURL('**/home');
    await page.getByText('Sample quarterly access review').first().waitFor();
  });

  it('removes the samples, once nothing of one’s own depends on them', async () => {
    const owner = await server.admin.client.call(UserService.method.search, { query: 'ada.sample@example.com' });
    const ownerId = owner.list?.[0]?.user?.id ?? '';
    const { app } = await server.admin.client.call(AppService.method.create, { displayName: 'Our wiki', owners: [ownerId] });
    await page.goto('/apps');
    await page.getByText('60 invented people').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await press('Remove the samples');
    const dialog = page.getByRole('dialog', { name: 'Remove the samples?' });
    await dialog.getByText('“Our wiki”').waitFor();
    expect(await dialog.getByRole('button', { name: 'Remove the samples' }).getAttribute('aria-disabled')).toBe('true');
    expect(await checkAxe(page)).toEqual([]);
    await closeBy(dialog, 'Keep them');
    await server.admin.client.call(AppService.method.delete, { id: app?.id ?? '' });
    await press('Remove the samples');
    await dialog.getByText('“Our wiki”').waitFor({ state: 'detached' });
    await closeBy(dialog, 'Remove the samples');
    await page.waitForURL('**/start');
    await page.getByRole('button', { name: 'Load the samples' }).waitFor();
    await page.goto('/people');
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
    expect(await page.getByText('Ada Sample').count()).toBe(0);
    expect(await page.getByText('These are samples').count()).toBe(0);
  });
});
