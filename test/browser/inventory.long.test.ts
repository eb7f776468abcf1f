/**
 * The inventory in a browser: a right gets words and owners, an account gets another owner, a person's access is seen over time, and what is
 * wrong with the data is listed with its next step. Names from outside stay names: markup, turned direction and length change nothing else.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppOwnerService } from '../../src/gen/c1/api/app/v1/app_owner_service_pb.js';
import { AppService } from '../../src/gen/c1/api/app/v1/app_service_pb.js';
import { AppEntitlementSearchService } from '../../src/gen/c1/api/app/v1/app_entitlement_search_service_pb.js';
import { AppUserService } from '../../src/gen/c1/api/app/v1/app_user_service_pb.js';
import { UserService } from '../../src/gen/c1/api/user/v1/user_service_pb.js';
import { SourceService } from '../../src/gen/countersign/v1/connectors_pb.js';
import { ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import { chooseOption } from '../support/choose-option.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

/** A name that tries everything: markup, a turned direction that does not end, and length. */
const hostile = `<img src=x onerror="document.title='hacked'"><b>\u202Eecilla\u202E ${'x'.repeat(180)} ${'ä'.repeat(60)}`;
const quoted = `"${hostile.replaceAll('"', '""')}"`;

describe.skipIf(!hasBrowser)('the inventory', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let appId: string;
  let personId: string;
  let sourceId: string;
  let bareId: string;

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    const fileOf = (rows: readonly string[]) => ({ content: new Blob([rows.join('\n')]).stream(), gzip: false });
    await server.admin.client.upload(
      ImportService.method.importPeople,
      {},
      fileOf([
        'email,display_name,manager_email,department,job_title,employment_status',
        `evil@example.com,${quoted},,${quoted},${quoted},ACTIVE`,
        'mia@example.com,Mia Sample,evil@example.com,Stock,Driver,ACTIVE',
        'gone@example.com,Gone Sample,mia@example.com,Stock,Driver,TERMINATED',
      ]),
    );
    await server.admin.client.upload(
      ImportService.method.importGrants,
      { app: hostile.slice(0, 200) },
      fileOf([
        'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at',
        `${quoted},evil@example.com,USER,ENABLED,area,${quoted},${quoted},2024-03-01T00:00:00Z,`,
        'mia,mia@example.com,USER,ENABLED,area,Stock,Correct,2024-03-01T00:00:00Z,2026-11-01T00:00:00Z',
        'gone,gone@example.com,USER,ENABLED,area,Stock,Correct,,',
        'job,,SERVICE_ACCOUNT,ENABLED,area,Stock,Correct,,',
      ]),
    );
    const { list: apps } = await server.admin.client.call(AppService.method.list, {});
    appId = apps?.[0]?.id ?? '';
    const staff = (title: string) => [
      'email,display_name,manager_email,department,job_title,employment_status',
      `evil@example.com,${quoted},,${quoted},${quoted},ACTIVE`,
      `mia@example.com,Mia Sample,evil@example.com,Stock,${title},ACTIVE`,
      'gone@example.com,Gone Sample,mia@example.com,Stock,Driver,TERMINATED',
    ];
    for (const title of ['Packer', 'Driver']) {
      await server.admin.client.upload(ImportService.method.importPeople, {}, fileOf(staff(title)));
    }
    const till = [
      'account,email,resource_type,resource,entitlement',
      'till1,evil@example.com,area,Till,Open',
      'till1,evil@example.com,area,Till,Refund',
      'till2,evil@example.com,area,Till,Open',
    ];
    bareId = (await server.admin.client.upload(ImportService.method.importGrants, { app: 'Tills' }, fileOf(till))).import?.appId ?? '';
    const { list: people } = await server.admin.client.call(UserService.method.search, { email: 'evil@example.com' });
    personId = people?.[0]?.user?.id ?? '';
    const { list: sources } = await server.admin.client.call(SourceService.method.list, {});
    sourceId = sources?.find((one) => one.appId !== '')?.id ?? '';
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  const open = async (path: string): Promise<Page> => {
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto(path);
    return page;
  };

  it('lists apps, and finds one by its name', async () => {
    const page = await open('/apps');
    await page.getByRole('table', { name: 'Apps' }).waitFor();
    await page.getByRole('searchbox').fill('no such app');
    await page.getByText('No app is called “no such app”').first().waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('no such app');
    await page.close();
  });

  it('gives a right words and an owner, where that is permitted', async () => {
    const page = await open(`/apps/${appId}/entitlements?q=Correct`);
    // Its name is what there is to read while nobody described it.
    await page.getByText('No description yet').waitFor();
    await page
      .getByRole('button', { name: /Correct/ })
      .first()
      .click();
    await page.getByLabel('What it allows').fill('Correct what is in stock');
    await page.getByLabel('Owners').fill('Mia');
    await page.getByRole('option', { name: 'Mia Sample' }).click();
    expect(await checkAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Correct what is in stock' }).waitFor();
    await page.getByRole('cell', { name: 'Mia Sample' }).waitFor();
    const { list } = await server.admin.client.call(AppEntitlementSearchService.method.search, { query: 'Correct' });
    expect(list?.map((view) => view.appEntitlement?.description)).toContain('Correct what is in stock');
    await page.close();
  });

  it('sets who owns an account', async () => {
    const page = await open('/quality/nobody');
    await page.getByRole('button', { name: 'Set the owner of job' }).click();
    await page.getByRole('dialog').getByLabel('Person', { exact: true }).fill('Mia');
    await page.getByRole('option', { name: 'Mia Sample' }).click();
    expect(await checkAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Every account has an owner').first().waitFor();
    const { list } = await server.admin.client.call(AppUserService.method.search, { query: 'job' });
    expect(list?.[0]?.appUser?.identityUserId).not.toBe('');
    await page.close();
  });

  it('edits what a right allows where it is read, and goes on to the next that nobody described', async () => {
    const page = await open(`/apps/${appId}/entitlements`);
    await page.getByRole('button', { name: 'Describe Stock · Correct' }).click();
    const words = page.getByLabel('What Stock · Correct allows');
    await words.fill('Correct the stock');
    await words.press('Escape');
    await page.getByRole('button', { name: 'Describe Stock · Correct' }).click();
    await words.fill('Correct the stock again');
    await words.press('Enter');
    await page.getByRole('button', { name: 'Correct the stock again' }).waitFor();

    // The list of those without words: what is saved stays in place, and the focus goes to the next.
    await page.goto(`/apps/${bareId}/entitlements?bare=true`);
    await page.getByText('2 rights have no description').first().waitFor();
    const fields = page.getByRole('table', { name: 'Rights without a description' }).getByRole('textbox');
    await fields.first().fill('Open the till');
    await fields.first().press('Enter');
    await page.getByText('1 right has no description').first().waitFor();
    await expect.poll(() => fields.nth(1).evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    expect(await fields.first().inputValue()).toBe('Open the till');
    expect(await checkAxe(page)).toEqual([]);
    await page.keyboard.type('Refund a sale');
    await page.keyboard.press('Enter');
    await page.getByText('Every right has a description').first().waitFor();
    const { list } = await server.admin.client.call(AppEntitlementSearchService.method.search, { appIds: [bareId], query: 'till' });
    expect(list?.map((view) => view.appEntitlement?.description)).toContain('Open the till');
    await page.close();
  });

  it('shows when a right was last used and what changed about it', async () => {
    const page = await open(`/apps/${appId}/entitlements?q=Correct`);
    const table = page.getByRole('table', { name: 'Entitlements' });
    await table.getByRole('columnheader', { name: 'Last 90 days' }).waitFor();
    await table.getByText('+3', { exact: true }).first().waitFor();
    await table.locator('time').first().waitFor();
    await page.close();
  });

  it('narrows who has what in the address', async () => {
    const page = await open(`/apps/${appId}/grants?kind=service`);
    const table = page.getByRole('table', { name: 'Who has what' });
    await table.getByText('job', { exact: true }).first().waitFor();
    expect(await table.getByRole('link', { name: 'Gone Sample' }).count()).toBe(0);
    await chooseOption(page.getByLabel('Kind'), 'All accounts');
    await table.getByRole('link', { name: 'Gone Sample' }).first().waitFor();
    await page.getByRole('combobox', { name: 'Right' }).fill('Correct');
    await page.getByRole('listbox').getByRole('option').first().click();
    await expect.poll(() => new URL(page.url()).searchParams.get('right')).not.toBe(null);
    await page.getByRole('searchbox').fill('gone');
    await expect.poll(() => table.getByRole('row').count()).toBe(2);
    expect(await checkAxe(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => table.getByRole('row').count()).toBe(2);
    await page.close();
  });

  it('shows what changed about a person, and says since when that is kept', async () => {
    const { list } = await server.admin.client.call(UserService.method.search, { email: 'mia@example.com' });
    const page = await open(`/people/${list?.[0]?.user?.id}/facts`);
    const history = page.getByRole('region', { name: 'What changed' });
    await history.getByText('Packer').first().waitFor();
    await history.getByText('Driver').first().waitFor();
    await history.getByText('Changes are kept since').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });

  it('says who has what on a day, and with what has ended', async () => {
    const page = await open(`/apps/${appId}/grants?asof=2020-01-01`);
    await page.getByText('No right fits').first().waitFor();
    await page.getByLabel('As of').fill('');
    await page.getByRole('link', { name: 'Mia Sample' }).first().waitFor();
    await page.close();
  });

  it('shows a reader of their own access no pages of others', async () => {
    const { list } = await server.admin.client.call(UserService.method.search, { email: 'mia@example.com' });
    const page = await browser.signedInPage(server, list?.[0]?.user?.id ?? '');
    await page.goto('/my/access');
    await page.getByRole('heading', { name: /You can do \d things? in 1 app/ }).waitFor();
    await page.getByRole('link', { name: 'Access over time' }).click();
    await page
      .getByText(/since 1 Mar 2024/)
      .first()
      .waitFor({ state: 'attached' });
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Apps' }).count()).toBe(0);
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });

  it('shows the owner of an app what is theirs, and asks for nothing that is refused', async () => {
    const { id } = await server.makePerson('owner@example.com');
    await server.admin.client.call(AppOwnerService.method.set, { appId: bareId, userIds: [id] });
    const page = await browser.signedInPage(server, id);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400 && response.status() !== 401) {
        refused.push(`${response.status()} ${response.request().method()} ${response.url()}`);
      }
    });
    await page.goto('/home');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.goto('/apps');
    const apps = page.getByRole('table', { name: 'Apps' });
    await apps.getByText('Tills').first().waitFor();
    // The header and the one app that they own.
    expect(await apps.getByRole('row').count()).toBe(2);
    await page.goto(`/apps/${bareId}/entitlements?bare=true`);
    await page.getByRole('button', { name: /Open/ }).first().click();
    await page.getByRole('dialog').getByText('till1').first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('Escape');
    await page.goto(`/apps/${bareId}/accounts`);
    await page.getByRole('table', { name: 'Accounts' }).getByText('till2').first().waitFor();
    await page.goto(`/apps/${bareId}/grants`);
    const grants = page.getByRole('table', { name: 'Who has what' });
    await grants.getByText('till2').first().waitFor();
    // Pages of people are not theirs to read.
    expect(await grants.getByRole('link').count()).toBe(0);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const rows = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(rows).toHaveLength(4);
    await page.waitForLoadState('networkidle');
    expect(await checkAxe(page)).toEqual([]);
    expect(refused).toEqual([]);
    await page.close();
  });

  it('lists who left and still has an account, and leads to it', async () => {
    const page = await open('/quality/leavers');
    await page.getByRole('link', { name: 'Gone Sample' }).click();
    await page.getByRole('table', { name: 'Accounts' }).waitFor();
    await page.close();
  });

  it('changes the guard of a source', async () => {
    const page = await open(`/sources/${sourceId}`);
    await page.getByLabel('Percent').fill('101');
    await page.getByText('A whole number from 0 to 100').first().waitFor();
    await page.getByLabel('Percent').fill('35');
    const guard = page.locator('section').filter({ hasText: 'Guard against removals' });
    await guard.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A file that would end more than 35 %').first().waitFor();
    const { source } = await server.admin.client.call(SourceService.method.get, { id: sourceId });
    expect(source?.removalShare).toBe(35);
    await page.close();
  });

  it('keeps a hostile name a name on every page, without scrolling sideways on a phone', async () => {
    const page = await browser.signedInPage(server, server.admin.id, { size: 'narrow', theme: 'dark' });
    const paths = [
      '/apps',
      ...['entitlements', 'accounts', 'grants', 'changes', 'syncs', 'reviews'].map((tab) => `/apps/${appId}/${tab}`),
      '/people',
      ...['time', 'now', 'accounts', 'reviews', 'facts'].map((tab) => `/people/${personId}/${tab}`),
      '/sources',
      `/sources/${sourceId}`,
      ...['leavers', 'nobody', 'ambiguous', 'disputed', 'look-alikes', 'no-manager', 'no-description', 'stale'].map(
        (tab) => `/quality/${tab}`,
      ),
      `/import?app=${appId}`,
    ];
    const wrong: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const sideways = await sidewaysPixels(page);
      if (sideways > 0) {
        wrong.push(`${path} is ${sideways} px too wide`);
      }
      if ((await page.locator('main img, main b b').count()) > 0 || (await page.title()) === 'hacked') {
        wrong.push(`${path} took the name for markup`);
      }
    }
    expect(wrong).toEqual([]);
    await page.close();
  });
});
