/** Searches in addresses, in a browser: every text stays text, whatever it looks like; and fields whose value is in the address can be written in. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { signIn } from '../support/sign-in.ts';

const account = '1000012';

describe.skipIf(!hasBrowser)('a search in an address', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let story: QueueStory;
  let appId: string;
  let page: Page;

  /** Pages with a field that filters by what the address says, each with the name of its member. */
  const lists = [
    ['apps', () => '/apps', 'q'],
    ['people', () => '/people', 'q'],
    ['accounts', () => `/apps/${appId}/accounts`, 'q'],
    ['entitlements', () => `/apps/${appId}/entitlements`, 'q'],
    ['grants', () => `/apps/${appId}/grants`, 'q'],
    ['reviews', () => '/reviews', 'q'],
    ['items', () => `/reviews/${story.reviewId}/items`, 'q'],
    ['removals', () => '/revocations', 'q'],
    ['credentials', () => '/settings/tenant/credentials', 'q'],
    ['queue', () => `/r/${story.reviewId}`, 'q'],
    ['log', () => '/log', 'object'],
  ] as const;
  const fieldOf = (member: string) => (member === 'q' ? page.getByRole('searchbox') : page.getByRole('textbox', { name: 'Object' }));
  const inAddress = (member: string) => new URL(page.url()).searchParams.get(member);
  const entries = () => page.evaluate<number>('history.length');

  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 6, accounts: [account, 'true', 'null-1'] });
    ({ id: appId } = await server
      .system()
      .db.one<{ id: string }>('SELECT a.id FROM apps a WHERE a.tenant_id = $1', [server.system().tenantId]));
    browser = await openBrowser();
    page = await browser.signedInPage(server, server.admin.id);
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it.each(lists)('is text on the page of %s, whatever it looks like', async (_list, path, member) => {
    for (const text of [account, 'true', 'null', '"x"', '1e3']) {
      await page.goto(`${path()}?${member}=${encodeURIComponent(text)}`);
      await expect.poll(() => fieldOf(member).inputValue(), { message: text }).toBe(text);
      expect(inAddress(member), text).toBe(text);
      // What came back from the server came without a fault.
      await page.waitForLoadState('networkidle');
      expect(await page.getByRole('button', { name: 'Load again' }).count(), text).toBe(0);
    }
  });

  it.each(lists)('is written on the page of %s where the caret is, in one entry of the history', async (_list, path, member) => {
    await page.goto(path());
    const field = fieldOf(member);
    await field.click();
    const before = await entries();
    await page.keyboard.type('pament', { delay: 30 });
    for (let step = 0; step < 4; step++) {
      await page.keyboard.press('ArrowLeft');
    }
    await page.keyboard.type('y', { delay: 30 });
    await expect.poll(() => inAddress(member)).toBe('payment');
    // One more letter after the address has caught up: the caret is still where it was.
    await page.keyboard.type('y', { delay: 30 });
    await expect.poll(() => inAddress(member)).toBe('payyment');
    expect(await field.inputValue()).toBe('payyment');
    expect(await field.evaluate((element) => (element as unknown as { selectionStart: number }).selectionStart)).toBe(4);
    expect(await entries()).toBe(before);
    await field.fill('');
    await expect.poll(() => inAddress(member)).toBe(null);
  });

  it('is what the palette leads to, for an account that is a number', async () => {
    await page.goto('/home');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search, go, do' }).fill(account);
    await page.getByRole('option', { name: account }).first().click();
    await page.waitForURL(/\/accounts/);
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe(account);
    await page.getByRole('row').filter({ hasText: account }).first().waitFor();
  });

  it('comes through a sign-in', async () => {
    const other = await browser.signedOutPage(server);
    await other.goto(`/apps/${appId}/accounts?q=${account}`);
    await other.waitForURL(/\/sign-in/);
    const to = new URL(other.url()).searchParams.get('to') ?? '';
    expect(to).toBe(`/apps/${appId}/accounts?q=${account}`);
    const [name = '', ...value] = (await signIn(server, server.admin.id)).split('=');
    await other.context().addCookies([{ name, value: value.join('='), url: server.url, httpOnly: true, sameSite: 'Lax' }]);
    await other.goto(to);
    await other.getByRole('row').filter({ hasText: account }).first().waitFor();
    expect(await other.getByRole('searchbox').inputValue()).toBe(account);
  });

  it('is read from links of before, with their switches and numbers', async () => {
    await page.goto('/people?gone=true');
    await expect.poll(() => page.getByRole('checkbox').first().isChecked()).toBe(true);
    for (const days of ['90', '%2290%22']) {
      await page.goto(`/coverage?valid=${days}`);
      await expect.poll(() => page.getByLabel('A certification is valid for (days)').inputValue(), { message: days }).toBe('90');
    }
  });

  it('goes with Back and Forward, and with what is chosen beside it', async () => {
    await page.goto('/people');
    await page.getByRole('searchbox').click();
    await page.keyboard.type('jonas');
    await page.getByRole('checkbox').first().check();
    await expect.poll(() => [inAddress('q'), inAddress('gone')]).toEqual(['jonas', 'true']);
    await page.goto('/apps');
    await page.goBack();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('jonas');
  });

  it('filters the queue before the key that follows it', async () => {
    const elif = await browser.signedInPage(server, story.elif);
    await elif.goto(`/r/${story.reviewId}`);
    await elif.locator('[role=row][data-current]').waitFor();
    await elif.keyboard.press('/');
    await expect.poll(() => elif.evaluate('document.activeElement.type')).toBe('search');
    await elif.keyboard.type(account);
    await elif.keyboard.press('Enter');
    await elif.keyboard.press('c');
    await elif.getByText('8 left', { exact: true }).first().waitFor();
    expect(await elif.locator('[role=row][data-decided]').allTextContents()).toEqual([expect.stringContaining(account)]);
    await elif.close();
  });
});
