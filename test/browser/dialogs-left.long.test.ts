/** Words in a dialog that is left: by Escape, by its cross, by Back, with the page, and with the session. Nobody loses them without a question. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { tellQueueStory } from '../support/queue-story.ts';
import { type TestServer, useTestServer } from '../support/server.ts';
import { requestWith, signIn } from '../support/sign-in.ts';

let server: TestServer;
let browser: TestBrowser;
let page: Page;
let reviewId: string;

const words = 'She runs the shared mailbox since May.';
const dialog = () => page.getByRole('dialog', { name: /^Pass/ });
const why = () => dialog().getByLabel(/^Why/);
const question = () => page.getByRole('dialog', { name: 'Leave without saving?' });

async function openPassOn(): Promise<void> {
  await page.getByRole('button', { name: 'Pass 1 item on' }).click();
  await why().waitFor();
}

beforeAll(async () => {
  server = await useTestServer();
  if (hasBrowser) {
    browser = await openBrowser();
    browser.expectComplaint(/status of 401/);
  }
  ({ reviewId } = await tellQueueStory(server, { items: 6, name: 'Left' }));
});
beforeEach(async () => {
  if (hasBrowser) {
    page = await browser.signedInPage(server, server.admin.id);
    await page.goto(`/reviews/${reviewId}/items`);
    const first = page
      .locator('tbody tr')
      .getByRole('checkbox', { name: /^Select/ })
      .first();
    await first.check();
  }
  return () => page?.context().close();
});
afterAll(async () => {
  await browser?.close();
  await server.stop();
});

describe.skipIf(!hasBrowser)('words in a dialog', () => {
  it.each([
    ['Escape', () => page.keyboard.press('Escape')],
    ['its cross', () => dialog().getByRole('button', { name: 'Close' }).click()],
  ])('are asked about by %s, once, and are gone after that', async (_, close) => {
    await openPassOn();
    await why().fill(words);
    await close();
    await question().waitFor();
    // Escape answers the question as carefully as it was asked.
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    expect(await why().inputValue()).toBe(words);
    await close();
    await question().getByRole('button', { name: 'Stay here' }).click();
    await question().waitFor({ state: 'detached' });
    expect(await why().inputValue()).toBe(words);
    await close();
    await question().getByRole('button', { name: 'Leave', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    await openPassOn();
    expect(await why().inputValue()).toBe('');
    // Nothing was written: nothing is asked.
    await close();
    await dialog().waitFor({ state: 'detached' });
    expect(await question().count()).toBe(0);
  });

  it('of a click are not asked about, nor those that were emptied, nor by Cancel', async () => {
    await openPassOn();
    await why().fill(words);
    await why().fill('Her mailbox.');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await openPassOn();
    await why().fill(words);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await question().count()).toBe(0);
    // What was given up holds nobody up afterwards.
    await page.getByRole('link', { name: 'Policies' }).first().click();
    await page.waitForURL('**/policies');
  });

  it('are asked about by Back, and by the browser where the page goes', async () => {
    await page.getByRole('link', { name: 'Policies' }).first().click();
    await page.waitForURL('**/policies');
    await page.goBack();
    await page
      .locator('tbody tr')
      .getByRole('checkbox', { name: /^Select/ })
      .first()
      .check();
    await openPassOn();
    await why().fill(words);
    await page.evaluate('history.forward()');
    await question().getByRole('button', { name: 'Stay here' }).click();
    await question().waitFor({ state: 'detached' });
    expect(await why().inputValue()).toBe(words);
    const asked: string[] = [];
    page.on('dialog', (one) => {
      asked.push(one.type());
      void one.dismiss();
    });
    await page.evaluate('void setTimeout(() => location.reload(), 0)');
    await expect.poll(() => asked).toEqual(['beforeunload']);
    expect(await why().inputValue()).toBe(words);
    page.removeAllListeners('dialog');
  });

  it('are there when somebody whose session ended in the middle is signed in again', async () => {
    await openPassOn();
    await why().fill(words);
    const { value = '' } = (await page.context().cookies()).find(({ name }) => name === 'session') ?? {};
    await requestWith(server, `session=${value}`, 'POST', '/auth/sign-out', {});
    await dialog().getByRole('combobox', { name: 'To' }).fill('admin');
    const ended = page.getByRole('dialog', { name: 'You were signed out' });
    await ended.waitFor();
    await page.keyboard.press('Escape');
    await ended.waitFor();
    const [name = '', ...rest] = (await signIn(server, server.admin.id)).split('=');
    await page.context().addCookies([{ name, value: rest.join('='), url: server.url, httpOnly: true, sameSite: 'Lax' }]);
    const small = await page.context().newPage();
    await small.goto('/home');
    await ended.waitFor({ state: 'detached' });
    await small.close();
    expect(await why().inputValue()).toBe(words);
    await dialog().getByRole('combobox', { name: 'To' }).fill('admi');
    await page.getByRole('option').first().click();
    await dialog().getByRole('button', { name: 'Pass 1 item on' }).click();
    await dialog().waitFor({ state: 'detached' });
    // What was sent is not asked about.
    await page.getByRole('link', { name: 'Policies' }).first().click();
    await page.waitForURL('**/policies');
  });

  it('of a form are asked about as well, and hold nobody up once they were given up', async () => {
    await page.goto('/policies');
    const form = page.getByRole('dialog', { name: 'New policy' });
    const name = form.getByLabel('Name');
    await page.getByRole('button', { name: 'New policy' }).click();
    await name.fill('Everybody who may pay somebody');
    await page.keyboard.press('Escape');
    await question().getByRole('button', { name: 'Leave', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New policy' }).click();
    expect(await name.inputValue()).toBe('');
    await name.fill('Short');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Reviews', exact: true }).first().click();
    await page.waitForURL('**/reviews');
  });
});
