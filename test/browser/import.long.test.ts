/**
 * Importing in a browser: a newcomer drops people and the access of an app, as their systems wrote them; columns that nobody could guess are
 * chosen; what a file would change is shown before it is imported, and one that would take too much away needs a confirmation.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppService } from '../../src/gen/c1/api/app/v1/app_service_pb.js';
import { ColumnMappingService } from '../../src/gen/countersign/v1/mapping_pb.js';
import { GrantService } from '../../src/gen/countersign/v1/grants_pb.js';
import { ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import { chooseOption } from '../support/choose-option.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { writeXlsx } from '../support/xlsx.ts';

const people = [
  'E-Mail;Name;Vorgesetzter;Abteilung;Stelle;Status',
  'ada@example.com;Ada Sample;;Leitung;Geschäftsführung;aktiv',
  'jörg@example.com;Jörg Sample;ada@example.com;Lager;Fahrer;aktiv',
  'mia@example.com;Mia Sample;ada@example.com;Lager;Fahrerin;aktiv',
].join('\r\n');

/** A text as Excel saves it: UTF-16 with its mark. */
function utf16(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`, 'utf16le');
}

function grantsOf(accounts: readonly string[]): Buffer {
  return Buffer.from(
    ['Konto,Ressource,Recht,Letzte Nutzung', ...accounts.map((one) => `${one},Stock,Correct,2026-11-01T09:00:00Z`)].join('\n'),
  );
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `worker${index}`);

/** Gives the page a file as if it had been chosen. */
async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'text/csv', buffer });
}

/** Chooses that the file is of an app, which is made if it is not there. */
async function chooseApp(page: Page, name: string): Promise<void> {
  const kind = page.getByRole('radio', { name: 'Access to an app' }).or(page.getByRole('button', { name: 'Access to an app' }));
  await kind.first().click();
  await page.getByLabel('Into the app').fill(name);
  await page.getByRole('listbox').getByRole('option', { name }).first().click();
}

/** A figure of what the file would change, such as `−7`. */
function figure(page: Page, word: string): Promise<string | null> {
  return page
    .getByRole('region', { name: 'What this file would change' })
    .locator('dl > div')
    .filter({ hasText: word })
    .locator('dd')
    .textContent();
}

/** Presses Import, once the columns are settled. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe(null);
  await button.click();
}

describe.skipIf(!hasBrowser)('importing', () => {
  let server: TestServer;
  let browser: TestBrowser;

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  const openImport = async (): Promise<Page> => {
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto('/import');
    await page.getByText('Drop a file here').first().waitFor();
    return page;
  };

  it('says what a file is that holds no table, and what to do with it', async () => {
    const page = await openImport();
    browser.expectComplaint(/status of 400/);
    for (const [name, content, said] of [
      ['people.xls', '<html><body><table><tr><td>E-Mail</td></tr></table></body></html>', 'the file is a web page (HTML)'],
      ['people.xls', '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>', 'an XML spreadsheet of Excel 2003'],
      ['people.pdf', '%PDF-1.7', 'the file is a PDF'],
      ['people.csv', '', 'the file is empty'],
    ] as const) {
      await choose(page, name, Buffer.from(content));
      await page.getByText(said, { exact: false }).first().waitFor();
    }
    expect(await page.getByText('The server had a fault').count()).toBe(0);
    await page.close();
  });

  it('says that a folder is none, and that a file was changed after it was chosen', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'import-'));
    try {
      const file = join(folder, 'people.csv');
      await writeFile(file, people);
      const page = await openImport();
      const area = await page.getByText('Drop a file here').boundingBox();
      const devtools = await page.context().newCDPSession(page);
      const at = { x: (area?.x ?? 0) + 5, y: (area?.y ?? 0) + 5, data: { items: [], files: [folder], dragOperationsMask: 1 } };
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await devtools.send('Input.dispatchDragEvent', { type, ...at });
      }
      await page.getByRole('alert').getByText('This is a folder.').waitFor();

      await page.locator('input[type=file]').first().setInputFiles(file);
      await page.getByText('Ada Sample').first().waitFor();
      await expect.poll(() => figure(page, 'new')).toMatch(/3/);
      await writeFile(file, `${people}\r\nlea@example.com;Lea Sample;;;;aktiv`);
      await press(page, 'Import');
      await page.getByText('This file cannot be read: it was changed', { exact: false }).first().waitFor();
      expect(await page.getByText('The server does not answer').count()).toBe(0);
      await page.locator('input[type=file]').first().setInputFiles(file);
      await page.getByText('Lea Sample').first().waitFor();
      await page.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('takes people in UTF-16 with semicolons and German headers, then an app, and shows both', async () => {
    const page = await openImport();
    await choose(page, 'personal.csv', utf16(people));
    await page.getByText('personal.csv').first().waitFor();
    await page.getByText('UTF-16LE, semicolons').first().waitFor();
    await expect.poll(() => page.getByLabel('Read Vorgesetzter as').textContent()).toBe('Manager');
    expect(await page.getByText('Jörg Sample').count()).toBeGreaterThan(0);
    await expect.poll(() => figure(page, 'new')).toBe('+3');
    await page.getByText('mia@example.com').last().waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await press(page, 'Import');
    await page.getByRole('heading', { name: 'The people are imported' }).waitFor();
    const { list } = await server.admin.client.call(ImportService.method.list, {});
    expect(list?.[0]?.import).toMatchObject({ kind: 'IMPORT_KIND_PEOPLE', rows: '3', added: '3' });

    await page.getByRole('button', { name: 'Import the access of an app' }).click();
    await choose(page, 'stock.csv', grantsOf(['mia', 'jörg']));
    await page.getByText(/^Choose the app that this access is to/).waitFor();
    // Nothing has to be chosen from the list: the name that stands there is meant.
    await page.getByLabel('Into the app').fill('Stock keeping');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Remove Stock keeping' }).waitFor();
    await press(page, 'Import');
    await page.getByRole('heading', { name: 'Stock keeping is imported' }).waitFor();
    expect(await page.getByText('The file made a new app').count()).toBe(1);
    const review = await page.getByRole('link', { name: 'Review this app' }).getAttribute('href');
    expect(review).toBe(
      (await page.getByRole('link', { name: 'See the app' }).getAttribute('href'))?.replace(/^\/apps\/(\w+)\/.*/, '/reviews/new?app=$1'),
    );
    expect(await checkAxe(page)).toEqual([]);
    await page.getByRole('link', { name: 'See the app' }).click();
    await page.getByRole('heading', { name: 'Stock keeping' }).first().waitFor();
    await page.getByText('Stock · Correct').first().waitFor();
    await page.close();
  });

  it('takes an export of users for people where it names their managers, and else for access', async () => {
    const page = await openImport();
    const users = [
      'id,status,created,activated,lastLogin,firstName,lastName,email,login,managerEmail',
      '00u1,ACTIVE,2022-01-05T09:00:00.000Z,2022-01-05T09:00:00.000Z,2026-01-05T09:00:00.000Z,Una,Sample,una@example.com,una,ada@example.com',
    ].join('\n');
    await choose(page, 'users.csv', Buffer.from(users.replace('managerEmail', 'locale').replace('ada@example.com', 'en')));
    await page.getByRole('radio', { name: 'Access to an app', checked: true }).waitFor();
    await choose(page, 'users.csv', Buffer.from(users));
    await page.getByRole('radio', { name: 'People', checked: true }).waitFor();
    await page.close();
  });

  it('takes the sheets of a workbook one after the other, each into its app', async () => {
    const page = await openImport();
    const head = ['account', 'entitlement'];
    const workbook = writeXlsx({
      sheets: [
        { name: 'Scales', rows: [head, ['mia', 'Weigh']] },
        { name: 'Gates', rows: [head, ['mia', 'Open'], ['ada', 'Open']] },
        { name: 'Lamps', rows: [head, ['ada', 'Dim']] },
      ],
    });
    await choose(page, 'apps.xlsx', workbook);
    for (const [app, next] of [
      ['Scales', 'Gates'],
      ['Gates', 'Lamps'],
      ['Lamps', undefined],
    ] as const) {
      await expect.poll(() => page.getByLabel('Sheet', { exact: true }).textContent()).toBe(app);
      await chooseApp(page, app);
      await press(page, 'Import');
      await page.getByRole('heading', { name: `${app} is imported` }).waitFor();
      const others = page.getByRole('button', { name: /^Go on with the sheet/ });
      expect(await others.count()).toBe(next === undefined ? 0 : 1);
      if (next !== undefined) {
        expect(await checkAxe(page)).toEqual([]);
        await page.getByRole('button', { name: `Go on with the sheet ${next}` }).click();
      }
    }
    const { list = [] } = await server.admin.client.call(ImportService.method.list, {});
    expect(list.slice(0, 3).map((view) => [view.import?.source, view.import?.rows])).toEqual([
      ['Lamps', '1'],
      ['Gates', '2'],
      ['Scales', '1'],
    ]);
    await page.close();
  });

  it('lets somebody choose what a column is, keeps that for the next files, and says what cannot be read', async () => {
    const page = await openImport();
    await choose(page, 'odd.csv', Buffer.from('who,xyz,what\nann,1,Read\nbob,2,Write\n'));
    await chooseApp(page, 'Odd names');
    await page
      .getByText(/Nothing in the file says/)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: 'Import', exact: true }).getAttribute('aria-disabled')).toBe('true');
    await chooseOption(page.getByLabel('Read who as'), 'Account');
    await chooseOption(page.getByLabel('Read what as'), 'Entitlement');
    await press(page, 'Import');
    await page.getByRole('heading', { name: 'Odd names is imported' }).waitFor();
    const { list } = await server.admin.client.call(ImportService.method.list, {});
    const sync = list?.[0]?.import;
    expect(sync).toMatchObject({ source: 'Odd names', added: '2' });
    const { columnMapping } = await server.admin.client.call(ColumnMappingService.method.get, { connectorId: sync?.connectorId ?? '' });
    expect(columnMapping).toMatchObject({ account: 'who', entitlement: 'what' });
    await page.close();
  });

  it('asks what a value means that it does not know, and lists rows that are wrong', async () => {
    const page = await openImport();
    await choose(page, 'states.csv', Buffer.from('Login,Role,Status\nann,Read,Frozen\nbob,Write,active\n'));
    await chooseApp(page, 'States');
    await chooseOption(page.getByLabel('Meaning of Frozen'), 'Disabled');
    await press(page, 'Import');
    await page.getByRole('heading', { name: 'States is imported' }).waitFor();
    await page.getByRole('button', { name: 'Import another file' }).click();

    browser.expectComplaint(/status of 400/);
    await choose(page, 'wrong.csv', Buffer.from('Login,Role,Status\nann,Read,Frozen\n,Write,active\n'));
    await page
      .getByText(/row error/)
      .first()
      .waitFor();
    expect(await page.getByText('Nothing has changed. Correct the file').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Import', exact: true }).getAttribute('aria-disabled')).toBe('true');
    await page.close();
  });

  it('shows what a file would take away before it is imported, and imports one that ends too much only after a confirmation', async () => {
    const page = await openImport();
    await choose(page, 'first.csv', grantsOf(names(10)));
    await chooseApp(page, 'Orders');
    await press(page, 'Import');
    await page.getByRole('link', { name: 'See the app' }).click();
    await page.getByRole('link', { name: 'Import a file' }).first().click();

    await choose(page, 'broken.csv', grantsOf(names(3)));
    await page.getByText('This file would end 7 of 10 rights: usually a broken export.').first().waitFor();
    await page.getByText('That is 70 %; up to 20 % is let through.').first().waitFor();
    expect(await figure(page, 'taken away')).toBe('−7');
    expect(await figure(page, 'the same')).toBe('3');
    await page.getByRole('radio', { name: 'Taken away' }).check();
    await page.getByText('worker3', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: '3 more' }).click();
    await page.getByText('worker9', { exact: true }).first().waitFor();
    await page.getByLabel('Filter the changes').fill('worker5');
    await expect.poll(() => page.getByText('worker4', { exact: true }).count()).toBe(0);
    expect(await checkAxe(page)).toEqual([]);
    const { list: apps } = await server.admin.client.call(AppService.method.search, { displayName: 'Orders' });
    const appId = apps?.[0]?.id ?? '';
    const held = async () => {
      const { list } = await server.admin.client.call(GrantService.method.list, { appId, pageSize: 100 });
      return (list ?? []).filter((view) => view.grant?.isDerived !== true).length;
    };
    expect(await held()).toBe(10);
    await page.getByRole('checkbox', { name: 'All 7 are meant to end' }).click();
    await press(page, 'Import, and end 7');
    await page.getByRole('heading', { name: 'Orders is imported' }).waitFor();
    expect(await held()).toBe(3);
    await page.close();
  });

  it('gives each app of a file its rows', async () => {
    const page = await openImport();
    const rows = ['Application;Login;Role', 'Till;ann;Sell', 'Vault;bob;Open', 'Till\u00a0;cas;Refund'];
    await choose(page, 'all.csv', utf16(rows.join('\n')));
    await page.getByRole('button', { name: 'Import each app by itself' }).click();
    const table = page.getByRole('table', { name: 'Apps of the file' });
    await table.getByRole('link', { name: 'Till' }).waitFor();
    await table.getByRole('link', { name: 'Vault' }).waitFor();
    const { list } = await server.admin.client.call(ImportService.method.list, {});
    expect(list?.slice(0, 2).map((view) => [view.import?.source, view.import?.added])).toEqual([
      ['Vault', '1'],
      ['Till', '2'],
    ]);
    await page.close();
  });

  it('fits a phone', async () => {
    const page = await browser.signedInPage(server, server.admin.id, { size: 'narrow', theme: 'dark' });
    await page.goto('/import');
    await choose(page, `${'long-name-'.repeat(12)}.csv`, utf16(people));
    await page.getByText('UTF-16LE, semicolons').first().waitFor();
    expect(await sidewaysPixels(page)).toBe(0);
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });
});
