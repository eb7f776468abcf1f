/** Merging and splitting people in a browser: what would become of everything is shown before it is done. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

describe.skipIf(!hasBrowser)('people who are one, and one who is two', () => {
  let server: TestServer;
  let browser: TestBrowser;
  const idOf = async (email: string): Promise<string> => {
    const [row] = await server.test.admin('SELECT id FROM users WHERE tenant_id = $1 AND email = $2', [server.id, email]);
    return String(row?.['id']);
  };
  const open = async (path: string, more: { size?: 'narrow'; theme?: 'dark' } = {}): Promise<Page> => {
    const page = await browser.signedInPage(server, server.admin.id, more);
    await page.goto(path);
    return page;
  };

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    await sendFile(
      server,
      server.admin,
      '/api/v1/imports/people',
      'email,display_name,employee_id\nold@m.test,Old Ann,7\nnew@m.test,Ann New,8\n',
    );
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', 'account,email,entitlement\nann-old,old@m.test,Read\n');
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('shows what would be, changes nothing until it is asked to, and opens the other person', async () => {
    const [from, into] = [await idOf('old@m.test'), await idOf('new@m.test')];
    const page = await open(`/people/${from}/facts`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Merge into another person' }).click();
    const dialog = page.getByRole('dialog', { name: 'Merge Old Ann into another person' });
    await dialog.getByRole('combobox', { name: 'The same person as' }).fill('Ann New');
    await page.getByRole('option', { name: 'Ann New' }).click();
    await dialog.getByText('1 record').waitFor();
    await dialog.getByText('Wiki: ann-old').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBe(0);
    expect((await server.test.admin('SELECT status FROM users WHERE id = $1', [from]))[0]).toEqual({ status: 'ENABLED' });
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.waitForURL(`**/people/${into}/facts`);
    await page.getByText('Old Ann was merged into Ann New').first().waitFor();
    expect((await server.test.admin('SELECT status FROM users WHERE id = $1', [from]))[0]).toEqual({ status: 'DELETED' });
    await page.goto(`/people/${from}/facts`);
    await page.getByText('This person was merged into another one. They are now').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'Ann New' }).click();
    await page.waitForURL(`**/people/${into}/now`);
    await page.close();
  });

  it('splits a person: what moves and what stays is shown, and the new person opens', async () => {
    for (const [source, row] of [
      ['hr', 'yva@m.test,Yva,31'],
      ['desk', 'tom@m.test,Tom,31'],
    ]) {
      await sendFile(server, server.admin, `/api/v1/imports/people?source=${source}`, `email,display_name,employee_id\n${row}\n`);
    }
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=Shed', 'account,email,entitlement\ntom-1,tom@m.test,Read\n');
    const id = await idOf('tom@m.test');
    const page = await open(`/people/${id}/facts`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Split into two people' }).click();
    const dialog = page.getByRole('dialog', { name: 'Split Tom into two people' });
    const button = dialog.getByRole('button', { name: 'Split', exact: true });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    for (const name of [/yva@m.test/, /tom@m.test/]) {
      await dialog.getByRole('checkbox', { name }).click();
    }
    await dialog.getByText('At least one record has to stay with Tom.').first().waitFor();
    await dialog.getByRole('checkbox', { name: /yva@m.test/ }).click();
    await dialog.getByRole('heading', { name: "Becomes the new person's" }).waitFor();
    await dialog.getByText('Shed: tom-1').waitFor();
    await dialog.getByText('Tom keeps everything else').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBe(0);
    expect(await server.test.admin(`SELECT id FROM users WHERE tenant_id = $1 AND employee_id = '31'`, [server.id])).toHaveLength(1);
    await button.click();
    await page.getByText('A new person was made of records of Tom').first().waitFor();
    await page.waitForURL((url) => /\/people\/[^/]+\/facts$/.test(url.pathname) && !url.pathname.includes(id));
    expect(await idOf('tom@m.test')).not.toBe(id);
    expect(await idOf('yva@m.test')).toBe(id);
    // Where there is nothing to split, nothing offers it.
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Merge into another person' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Split into two people' }).count()).toBe(0);
    await page.close();
  });
});
