/**
 * Legal holds and the second person in a real browser: one Super Administrator sets a hold on a review and asks to lift it, another finds that on the
 * first page and confirms. A shorter retention and the erasure of a person wait in the same list. axe finds nothing, and a phone shows all of it.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { closeBy } from '../support/dialogs.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('legal holds and the second person', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let second: TestPerson;
  let bela: TestPerson;
  let reviewId: string;

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    second = await server.makePerson('second@corp.test', ['SUPER_ADMINISTRATOR']);
    bela = await server.makePerson('bela@corp.test');
    const made = await request(server, server.admin, 'POST', '/api/v1/access_review', { displayName: 'Keys', ownerIds: [server.admin.id] });
    reviewId = made.body.accessReview.accessReview.id;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const fill = async (page: Page, action: string, reason: string): Promise<void> => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
    expect(await checkAxe(page)).toEqual([]);
    await closeBy(dialog, action);
  };

  it('set a hold on a review, ask to lift it, and have another lift it', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto(`/reviews/${reviewId}/settings`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Set a legal hold' }).click();
    await fill(page, 'Set a legal hold', 'Case 7');
    await page.getByText('A legal hold keeps this review: Case 7.').waitFor();
    await page.goto('/reviews');
    await page.getByRole('row', { name: /Keys.*Legal hold/ }).waitFor();

    await page.goto('/settings/tenant/retention');
    await page
      .getByRole('row', { name: /Keys.*Case 7/ })
      .getByRole('button', { name: 'Lift' })
      .click();
    await fill(page, 'Ask to lift it', 'The case is over');
    const own = page.getByRole('row', { name: /Lift the legal hold on the review Keys/ });
    await own.getByRole('button', { name: 'Take back' }).waitFor();
    expect(await own.getByRole('button', { name: 'Confirm' }).getAttribute('aria-disabled')).toBe('true');
    expect(await checkAxe(page)).toEqual([]);

    const other = await browser.signedInPage(server, second.id);
    await other.goto('/home');
    await other.getByText('1 request needs a second Super Administrator.').waitFor();
    await other.getByRole('link', { name: 'Look at them' }).click();
    await other
      .getByRole('row', { name: /Lift the legal hold on the review Keys/ })
      .getByRole('button', { name: 'Confirm' })
      .click();
    await other.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await other.getByText('No legal hold stands.').waitFor();
  });

  it('ask for a shorter retention and an erasure, which say what follows', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto('/settings/tenant/retention');
    await page.getByRole('textbox', { name: 'Content of a review, in years from its close' }).fill('5');
    await page.getByText('Another Super Administrator has to confirm it; then what is older').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Keep evidence for a shorter time: reviews 5 years, the system log for ever/ }).waitFor();

    await page.goto(`/people/${bela.id}/now`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Erase data…' }).click();
    await page.getByText('Nothing brings them back.').waitFor();
    await fill(page, 'Ask to erase', 'They asked for it');

    const other = await browser.signedInPage(server, second.id);
    await other.setViewportSize({ width: 390, height: 844 });
    await other.goto('/settings/tenant/retention');
    const row = other.getByRole('row', { name: /Erase the data of bela/ });
    await row.waitFor();
    expect(await sidewaysPixels(other)).toBe(0);
    await row.getByRole('button', { name: 'Confirm' }).click();
    await other.getByText('they cannot sign in any more').waitFor();
    expect(await checkAxe(other)).toEqual([]);
    await other.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await row.waitFor({ state: 'hidden' });
    await expect
      .poll(async () => (await request(server, server.admin, 'GET', `/api/v1/users/${bela.id}`)).body.userView?.user?.email ?? '')
      .toBe('');
  });

  it('go on page by page, each list by one button', async () => {
    const admin = async (path: string, body: object) => {
      const answer = await request(server, server.admin, 'POST', path, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body;
    };
    for (let count = 0; count < 51; count++) {
      const made = await admin('/api/v1/access_review', { displayName: `Held ${count}` });
      const accessReviewId = made.accessReview.accessReview.id;
      const { hold } = await admin('/api/v1/legal_holds', { accessReviewId, reason: 'Case 8' });
      await admin(`/api/v1/legal_holds/${hold.id}/lift`, { reason: 'It is over' });
    }
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto('/settings/tenant/retention');
    for (const name of ['Legal holds', 'Waiting for a second person']) {
      const section = page.getByRole('region', { name });
      const more = section.getByRole('button', { name: 'Load more' });
      await expect.poll(() => more.count()).toBe(1);
      await more.click();
      await more.waitFor({ state: 'hidden' });
      expect(await section.getByRole('row').count()).toBeGreaterThan(51);
    }
  });
});
