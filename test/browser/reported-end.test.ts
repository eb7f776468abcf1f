/** Access whose reported end has passed, in a browser: marked among the grants of an app, found by itself, and said to whoever reviews it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

describe.skipIf(!hasBrowser)('a reported end that has passed', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let appId: string;
  let reviewId: string;

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    const file = 'account,email,entitlement,expires_at\ntom,,Old,2020-01-01\nabe,,New,2999-01-01\n';
    const { body } = await sendFile(server, server.admin, '/api/v1/imports/grants?app=Club', file);
    ({ appId } = body.import);
    const run = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await runInProcess(args, { env: environmentFor(server.url, server.admin.credential) });
      expect(code, stderr).toBe(0);
      return stdout;
    };
    reviewId = JSON.parse(await run('review', 'create', '--name', 'Ends', '--app', 'Club', '--json')).id;
    await run('review', 'prepare', reviewId);
    await run('review', 'start', reviewId);
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it.each([{}, { size: 'narrow', theme: 'dark' }] as const)(
    'is marked among the grants of an app, and these are found by themselves (%j)',
    async (more) => {
      const page = await browser.signedInPage(server, server.admin.id, more);
      await page.goto(`/apps/${appId}/grants`);
      const table = page.getByRole('table', { name: 'Who has what' });
      await table.getByText('abe').first().waitFor();
      expect(await table.getByText('Past its end', { exact: true }).count()).toBe(1);
      expect([await checkAxe(page), await sidewaysPixels(page)]).toEqual([[], 0]);
      await page.getByLabel('Past its end').click();
      await expect.poll(() => table.getByText('abe').count()).toBe(0);
      await table.getByText('tom').first().waitFor();
      expect(new URL(page.url()).searchParams.get('past')).toBe('true');
      await page.close();
    },
  );

  it('is said to whoever reviews the access, with the sync that still reports it', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto('/home');
    await page.getByRole('link', { name: 'Begin: Ends' }).click();
    await page
      .getByText(/Its end has passed \(on .*2020\), and the sync of files on .* still reports it\./)
      .first()
      .waitFor();
    await page.close();
  });
});
