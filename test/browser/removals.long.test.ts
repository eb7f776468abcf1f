/**
 * Proof of a removal: the sync by its source's name and its time, with a link to it, in the words of each language, on the list and in the review.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { type Company, grantsCsv, held, startCompany } from '../support/small-company.ts';

let company: Company;
let browser: TestBrowser;
let reviewId: string;

const rowOf = (page: Page, name: string) => page.getByRole('table').getByRole('row').filter({ hasText: name }).first();

beforeAll(async () => {
  company = await startCompany();
  if (hasBrowser) {
    browser = await openBrowser();
  }
});
afterAll(async () => {
  await browser?.close();
  await company.server.stop();
});

it('comes with the file after a review that revokes', async () => {
  reviewId = await company.draft({ displayName: 'Who may pay?', singleApp: { appId: company.appId } });
  await company.act(reviewId, 'prepare', 'REVIEW');
  await company.act(reviewId, 'start', 'OPEN');
  await company.call('POST', `/api/v1/access_review/${reviewId}/action/close`, { decision: 'CLOSE_DECISION_REVOKED' });
  await expect.poll(async () => (await company.call('GET', '/api/v1/revocation_counts')).open, { timeout: 60_000 }).not.toBe('0');
  // Bob's access is gone with the next file; Ann keeps hers.
  await company.importCsv('/api/v1/imports/grants?app=P&allow_removals=true', grantsCsv(held.filter(([account]) => account !== 'a2')));
  const states = async () =>
    (await company.call('GET', '/api/v1/revocations?page_size=100')).list.map(({ state }: { state: string }) => state);
  await expect.poll(states, { timeout: 60_000 }).toContain('REVOCATION_STATE_VERIFIED');
});

it('is in fields of its own, for clients of every language', async () => {
  const { list } = await company.call('GET', '/api/v1/revocations?page_size=100');
  const gone = list.find(({ state }: { state: string }) => state === 'REVOCATION_STATE_VERIFIED');
  expect(gone).toMatchObject({
    syncConnectorId: gone.connectorId,
    syncConnectorDisplayName: gone.connectorDisplayName,
    syncStartedAt: expect.stringMatching(/^20\d\d-/),
    unknownReason: 'REVOCATION_UNKNOWN_UNSPECIFIED',
  });
  expect(gone.connectorDisplayName).not.toBe('');
  const { history } = await company.call('GET', `/api/v1/revocations/${gone.id}`);
  expect(history.at(-1)).toMatchObject({
    syncId: gone.syncId,
    syncConnectorDisplayName: gone.connectorDisplayName,
    syncStartedAt: gone.syncStartedAt,
  });
  await company.call(
    'POST',
    `/api/v1/revocations/${list.find(({ state }: { state: string }) => state === 'REVOCATION_STATE_IN_PROGRESS').id}/action/claim`,
    {
      comment: 'Ticket 7',
    },
  );
  const claimed = (await company.call('GET', '/api/v1/revocations?page_size=100&states=REVOCATION_STATE_CLAIMED')).list[0];
  expect(claimed).toMatchObject({ unknownReason: 'REVOCATION_UNKNOWN_NO_SYNC_SINCE', unknownAt: claimed.claimedAt, unknownSyncId: '' });
  expect(claimed.claimedByDisplayName).not.toBe('');
});

describe.skipIf(!hasBrowser)('the proof of a removal', () => {
  it('names the sync by its source and time, and leads to it', async () => {
    const page = await browser.signedInPage(company.server, company.server.admin.id);
    await page.goto(`/revocations?state=gone&review=${reviewId}`);
    const proof = rowOf(page, 'Bob').getByRole('link').last();
    await proof.waitFor();
    expect(await rowOf(page, 'Bob').textContent()).toMatch(/Gone in .+, \d+ \w+ 20\d\d, \d\d:\d\d/);
    const { list } = await company.call('GET', '/api/v1/revocations?page_size=100&states=REVOCATION_STATE_VERIFIED');
    expect(await page.locator('body').textContent()).not.toContain(list[0].syncId);
    expect(await checkAxe(page)).toEqual([]);
    await rowOf(page, 'Bob').getByRole('link', { name: 'Bob' }).click();
    const story = page.getByRole('dialog', { name: 'One removal' });
    await expect.poll(() => story.textContent()).toMatch(/Gone in .+, \d+ \w+ 20\d\d/);
    expect(await story.textContent()).not.toContain(list[0].syncId);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await proof.click();
    await page.waitForURL(/\/sources\/[^/?]+\?sync=/);
    await page.getByRole('dialog').waitFor();
    await page.close();
  });

  it('is the same in the review, and German for who reads German', async () => {
    const page = await browser.signedInPage(company.server, company.server.admin.id, { theme: 'dark', context: { locale: 'de-DE' } });
    await page.goto(`/reviews/${reviewId}/removals`);
    await expect.poll(() => rowOf(page, 'Bob').textContent()).toMatch(/Weg in .+, \d+\. \S+ 20\d\d, \d\d:\d\d/);
    await expect.poll(() => page.getByRole('table').textContent()).toContain('Nicht bekannt: Seit dem');
    expect(await page.getByRole('table').textContent()).not.toMatch(/sync|Not known/);
    expect(await checkAxe(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await sidewaysPixels(page)).toBe(0);
    await rowOf(page, 'Bob').getByRole('link', { name: 'Bob' }).click();
    await page.waitForURL(/\/revocations\?/);
    await page.getByRole('dialog').waitFor();
    await page.close();
  });
});
