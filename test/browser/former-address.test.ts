/** Accounts matched by an address that their owner had before, in a browser: marked in both lists, and confirmed. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UserService } from '../../src/gen/c1/api/user/v1/user_service_pb.js';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const hint = 'Matched by an address that this person had before. Check that the account is still theirs.';

describe.skipIf(!hasBrowser)('an account matched by a former address', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let appId: string;
  let annaId: string;

  const send = async (path: string, file: string) => {
    const { status, body } = await sendFile(server, server.admin, path, file);
    expect(status).toBe(200);
    return body.import;
  };
  const open = async (path: string, more: { size?: 'narrow'; theme?: 'dark' } = {}): Promise<Page> => {
    const page = await browser.signedInPage(server, server.admin.id, more);
    await page.goto(path);
    return page;
  };

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    const people = (address: string): string => `email,display_name,employee_id\n${address},Anna Sample,42\ntom@d.test,Tom,43\n`;
    await send('/api/v1/imports/people?source=hr', people('anna.alt@d.test'));
    ({ appId } = await send(
      '/api/v1/imports/grants?app=Wiki',
      'account,email,entitlement\nanna,anna.alt@d.test,Read\ntom,tom@d.test,Read\n',
    ));
    await send('/api/v1/imports/people?source=hr', people('anna.neu@d.test'));
    const { list = [] } = await server.admin.client.call(UserService.method.search, { query: 'Anna Sample' });
    annaId = list[0]?.user?.id ?? '';
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it.each([
    ['the app', () => `/apps/${appId}/accounts`, 'Accounts', 1],
    ['the person', () => `/people/${annaId}/accounts`, 'Accounts', 1],
  ])('is marked in the accounts of %s, in a sentence', async (_what, path, name, count) => {
    for (const more of [{}, { size: 'narrow', theme: 'dark' }] as const) {
      const page = await open(path(), more);
      const table = page.getByRole('table', { name });
      await table.getByText(hint).waitFor();
      expect(await table.getByText('Former address', { exact: true }).count()).toBe(count);
      expect([await checkAxe(page), await sidewaysPixels(page)]).toEqual([[], 0]);
      await page.close();
    }
  });

  it('is confirmed by setting its owner', async () => {
    const page = await open(`/apps/${appId}/accounts`);
    await page.getByRole('row').filter({ hasText: hint }).getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The account was matched by anna.alt@d.test, an address that this person had before.').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Owner saved').first().waitFor();
    await expect.poll(() => page.getByText(hint).count()).toBe(0);
    await page.close();
  });
});
