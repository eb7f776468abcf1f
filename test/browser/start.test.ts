/**
 * The start of an empty tenant in a browser: its administrator comes to the first steps, loads the samples, and ends at the questions of a review
 * that runs. Nobody who is invented gets a mail, and loading that was broken off goes on.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailService } from '../../src/gen/countersign/v1/mail_pb.js';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('the start', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    server = await startTestServer();
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
});
