/** Merging people in a browser: what would become of everything is shown before it is done. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

describe.skipIf(!hasBrowser)('merging a person', () => {
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
    await page.close();
  });
});
