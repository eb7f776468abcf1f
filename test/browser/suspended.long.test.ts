/** A person who left and is back, in a browser: what they had stands on their page, and is restored there, one thing or all. */
import { afterAll, beforeAll, expect, describe, it } from 'vitest';
import { request } from '../support/api.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { type TestPerson, type TestServer, useTestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

describe.skipIf(!hasBrowser)('what is suspended', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let person: TestPerson;

  const setStatus = async (status: string): Promise<void> => {
    const file = `email,display_name,employment_status\n${person.email},Seven Sample,${status}`;
    expect((await sendFile(server, server.admin, '/api/v1/imports/people?allow_removals=true', file)).status).toBe(200);
  };

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    person = await server.makePerson('seven@corp.test', ['CAMPAIGN_ADMINISTRATOR']);
    const path = `/api/v1/users/${person.id}/set-delegation-by-admin`;
    expect((await request(server, server.admin, 'POST', path, { delegatedUserId: server.admin.id })).status).toBe(200);
    await setStatus('TERMINATED');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('stands on the page of the person, and is restored once they are back', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto(`/people/${person.id}/now`);
    await page.getByRole('heading', { name: 'Suspended since they left' }).waitFor();
    await page.getByText('It can be restored once their source enables them again.').waitFor();
    expect(await page.getByRole('button', { name: 'Restore all' }).count()).toBe(0);
    expect(await checkAxe(page)).toEqual([]);

    // Their credential is among those of everybody, and is not in force.
    await page.goto('/settings/tenant/credentials?q=seven@corp.test');
    await page.getByRole('row', { name: /seven@corp\.test.*Suspended/ }).waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.goto(`/people/${person.id}/now`);

    await setStatus('ACTIVE');
    await page.reload();
    const role = page.getByRole('row', { name: /Campaign Administrator.*Role.*Was disabled/ });
    await role.getByRole('button', { name: 'Restore' }).click();
    await role.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /API credential/ }).waitFor();
    await page.getByRole('row', { name: /Decided in their place/ }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await sidewaysPixels(page)).toBe(0);
    expect(await checkAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restore all' }).click();
    await page.getByText('Restored').first().waitFor();
    await page.getByRole('heading', { name: 'Suspended since they left' }).waitFor({ state: 'detached' });
    const { body } = await request(server, server.admin, 'GET', `/api/v1/users/${person.id}/roles`);
    expect(body.roleIds).toContain('000000CampaignAdministrator');
  });

  it('takes as many Super Administrators to restore as the settings say', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    const takes = async (): Promise<string> =>
      (await request(server, server.admin, 'GET', '/api/v1/settings/tenant')).body.settings.restoreTakes ?? '';
    expect(await takes()).toBe('RESTORE_TAKES_ONE');
    await page.goto('/settings/tenant/sessions');
    await page.getByRole('combobox', { name: 'Restoring what a leaver had' }).click();
    await page.getByRole('option', { name: 'Two Super Administrators' }).click();
    await page.getByRole('button', { name: 'Save lengths' }).click();
    await expect.poll(takes).toBe('RESTORE_TAKES_TWO');
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });
});
