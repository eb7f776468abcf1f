/** What comes after the snapshot in a browser: said by the progress and by the close, listed, and asked about by one button, also of a closed review. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, sizes, type TestBrowser } from '../support/browser.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement';
const before = ['ann,,USER,ENABLED,role,Ledger,pay', 'ben,,USER,ENABLED,role,Ledger,pay'];

describe.skipIf(!hasBrowser)('what comes after the snapshot', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let id: string;

  const ask = async (method: string, path: string, body?: object) =>
    (await request(server, server.admin, method, `/api/v1/access_review${path}`, body)).body;
  const untilState = (reviewId: string, state: string) =>
    until(async () => expect((await ask('GET', `/${reviewId}`)).accessReview.accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`));
  const put = (...lines: readonly string[]) =>
    sendFile(server, server.admin, '/api/v1/imports/grants?app=Ledger', [header, ...lines].join('\n'));
  const open = async (more: { size?: 'narrow'; theme?: 'dark' } = {}): Promise<Page> => {
    const page = await browser.signedInPage(server, server.admin.id, more);
    await page.goto(`/reviews/${id}/progress`);
    return page;
  };

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    const { body } = await put(...before);
    id = (await ask('POST', '', { displayName: 'Ledger' })).accessReview.accessReview.id;
    await ask('POST', `/${id}`, { accessReview: { singleApp: { appId: body.import.appId } } });
    await ask('POST', `/${id}/action/prepare`, {});
    await untilState(id, 'REVIEW');
    await ask('POST', `/${id}/action/start`, {});
    await untilState(id, 'OPEN');
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('says that none came, and then what did, before the review is closed', async () => {
    const page = await open();
    await page.getByText('No access came into the scope after the snapshot.').waitFor();
    await put(...before, 'ben,,USER,ENABLED,role,Ledger,close', 'cyn,,USER,ENABLED,role,Ledger,pay');
    await page.reload();
    const said = '2 grants came into the scope after the snapshot. No review asks about 2 of them.';
    await page.getByText(said).waitFor();
    await page.getByRole('button', { name: 'Show them' }).click();
    const table = page.getByRole('table', { name: 'After the snapshot' });
    await table.getByRole('row').filter({ hasText: 'cyn' }).getByText('No review').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close review' }).click();
    const dialog = page.getByRole('dialog', { name: 'Close this review' });
    await dialog.getByText(said).waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^Close with/ }).click();
    await untilState(id, 'CLOSED');
    await page.close();
  });

  it('makes the supplementary review by one button, and both reviews lead to each other', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Ask about 2 in a supplementary review' }).click();
    await page.getByText('Supplementary reviews ask about all of them.').waitFor();
    await page.getByText('asks about 2 grants').waitFor();
    expect(await page.getByRole('button', { name: /supplementary review$/ }).count()).toBe(0);
    const { counts } = await ask('GET', `/${id}/arrivals/counts`);
    await untilState(counts.supplements[0].accessReviewId, 'OPEN');
    await page.getByRole('link', { name: 'Ledger, after the snapshot' }).click();
    await page.getByRole('heading', { name: 'Ledger, after the snapshot' }).waitFor();
    await page.getByText('This review supplements').getByRole('link', { name: 'Ledger' }).click();
    await page.getByRole('heading', { name: 'Ledger', exact: true }).waitFor();
    await page.close();
  });

  it('fits a narrow window, in the dark', async () => {
    const page = await open({ size: 'narrow', theme: 'dark' });
    await page.getByRole('button', { name: 'Show them' }).click();
    await page.getByText('Supplementary reviews ask about all of them.').waitFor();
    await page.getByRole('link', { name: 'Supplementary review' }).first().waitFor();
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    expect(page.viewportSize()?.width).toBe(sizes.narrow.width);
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });
});
