/**
 * Shell of every page: the palette, the help on keys, going by keys, the banner of a server that does not answer, the end of a session under an
 * open page, and signing out.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { closeBy } from '../support/dialogs.ts';
import { tellQueueStory } from '../support/queue-story.ts';
import { isLong } from '../support/runs.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { requestWith, signIn } from '../support/sign-in.ts';

describe.skipIf(!hasBrowser)('on every page', () => {
  let server: TestServer;
  let other: TestPerson;
  let browser: TestBrowser;

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makePerson('tara@example.com');
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  const open = async (): Promise<Page> => {
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto('/home');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    return page;
  };
  const palette = (page: Page) => page.getByRole('combobox', { name: 'Search, go, do' });
  const pathOf = (page: Page) => () => new URL(page.url()).pathname;
  /** Ends the session of the page on the server, as an administrator or time would. The page has read all it wanted: what it asks next finds out. */
  const endSession = async (page: Page): Promise<void> => {
    await page.waitForLoadState('networkidle');
    const cookies = await page.context().cookies();
    const session = cookies.find(({ name }) => name === 'session');
    await requestWith(server, `session=${session?.value}`, 'POST', '/auth/sign-out', {});
  };
  /** Something on the page that asks the server. */
  const ask = async (page: Page, words: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await palette(page).fill(words);
  };

  it('a palette finds pages and people, and Enter leads there', async () => {
    const page = await open();
    await page.keyboard.press('/');
    await palette(page).fill('tara');
    await page.getByRole('option', { name: 'tara' }).waitFor();
    await palette(page).fill('my subm');
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(pathOf(page)).toBe('/my/submissions');
    await page.close();
  });

  it('letters go to pages, do nothing while one writes, and can be turned off', async () => {
    const page = await open();
    await page.keyboard.press('Control+k');
    await palette(page).waitFor();
    await page.keyboard.type('g r?');
    expect(await palette(page).inputValue()).toBe('g r?');
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('switch').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await palette(page).waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Keyboard' }).click();
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('switch').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await expect.poll(pathOf(page)).toBe('/reviews');
    await page.close();
  });

  it('a menu opens by keys at its first item, and gives the focus back; words about a control come by keys, too', async () => {
    const page = await open();
    const button = page.getByRole('navigation').locator('[aria-haspopup="menu"]');
    const isFocused = (of: Locator) => () => of.evaluate((element) => element === element.ownerDocument.activeElement);
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(isFocused(page.getByRole('menuitem', { name: 'Settings' }))).toBe(true);
    await page.keyboard.press('ArrowDown');
    await expect.poll(isFocused(page.getByRole('menuitem', { name: 'Sign out' }))).toBe(true);
    for (const key of ['Escape', 'Tab']) {
      await page.keyboard.press(key);
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await expect.poll(isFocused(button)).toBe(true);
      await page.keyboard.press('ArrowDown');
      await expect.poll(isFocused(page.getByRole('menuitem', { name: 'Settings' }))).toBe(true);
    }
    await page.keyboard.press('Escape');
    await page.goto('/log');
    const time = page.locator('time').first();
    const words = page.locator('body > div[aria-hidden="true"]');
    await time.hover();
    await expect.poll(() => words.textContent()).toMatch(/ at \d+:\d\d/);
    await page.keyboard.press('Escape');
    await words.waitFor({ state: 'detached' });
    await page.close();
  });

  it('a server that does not answer is said, tried again, and back without a reload', async () => {
    const page = await open();
    browser.expectComplaint(/net::ERR_FAILED/);
    await page.route(/\/api\/|\/readyz/, (route) => route.abort());
    await ask(page, 'tara');
    const banner = page.getByText('The server does not answer.');
    await banner.waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await banner.waitFor();
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    // The page tries by itself, too: whichever comes first takes the button away.
    const button = await page.getByRole('button', { name: 'Try now' }).elementHandle();
    await page.unrouteAll();
    await button?.evaluate((element) => (element as unknown as { click(): void }).click());
    await banner.waitFor({ state: 'detached' });
    await page.close();
  });

  it('the end of a session covers the page until the same person is signed in again', async () => {
    const page = await open();
    await endSession(page);
    await ask(page, 'tara');
    const dialog = page.getByRole('dialog', { name: 'You were signed out' });
    await dialog.waitFor();
    // Nothing behind it can be reached, and Escape does not take it away.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.waitFor();
    const [small] = await Promise.all([page.waitForEvent('popup'), dialog.getByRole('button', { name: /Sign in again/ }).click()]);
    await expect.poll(pathOf(small)).toBe('/sign-in');
    const [name = '', ...value] = (await signIn(server, server.admin.id)).split('=');
    await page.context().addCookies([{ name, value: value.join('='), url: server.url, httpOnly: true, sameSite: 'Lax' }]);
    const closed = small.waitForEvent('close');
    await small.goto('/signed-in').catch(() => undefined);
    await closed;
    await dialog.waitFor({ state: 'detached' });
    await page.close();
  });

  it('whoever else signs in meanwhile sees nothing of the page of before', async () => {
    const page = await open();
    await page.goto('/home?of=before');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await endSession(page);
    await ask(page, 'tara');
    await page.getByRole('dialog', { name: 'You were signed out' }).waitFor();
    const [name = '', ...value] = (await signIn(server, other.id)).split('=');
    await page.context().addCookies([{ name, value: value.join('='), url: server.url, httpOnly: true, sameSite: 'Lax' }]);
    const theirs = await page.context().newPage();
    await theirs.goto('/home');
    await theirs.getByRole('navigation', { name: 'Main' }).waitFor();
    await expect.poll(() => page.url()).toBe(`${server.url}/home`);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0);
    await theirs.close();
    await page.close();
  });

  it.runIf(isLong)('signing out asks while decisions are not submitted, and then leaves none of them on this device', async () => {
    const story = await tellQueueStory(server, { items: 4 });
    const page = await browser.signedInPage(server, story.elif);
    const keptHere = () =>
      page.evaluate<number>(`new Promise((done, fail) => {
        const opening = indexedDB.open('countersign');
        opening.onerror = () => fail(opening.error);
        opening.onsuccess = () => {
          const counting = opening.result.transaction('drafts').objectStore('drafts').count();
          counting.onerror = () => fail(counting.error);
          counting.onsuccess = () => { opening.result.close(); done(counting.result); };
        };
      })`);
    const decide = async (): Promise<void> => {
      await page.goto(`/r/${story.reviewId}`);
      await page.locator('[role=row][data-current]').waitFor();
      await page.keyboard.press('c');
    };
    const askToSignOut = async (): Promise<void> => {
      await page.getByRole('navigation', { name: 'Review' }).getByRole('link', { name: 'My reviews' }).click();
      await page.getByRole('button', { name: /Elif Sample/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    const dialog = page.getByRole('dialog', { name: 'Sign out?' });
    await decide();
    await page.getByText('All saved').first().waitFor();
    await askToSignOut();
    await dialog.getByText('1 decision is not submitted.').first().waitFor();
    await closeBy(dialog, 'Stay signed in');

    browser.expectComplaint(/status of 503/);
    await page.route('**/pending_decisions', (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
    );
    await decide();
    await page
      .getByText(/1 on this device since/)
      .first()
      .waitFor();
    await askToSignOut();
    await dialog.getByText('1 decision is on this device alone.').first().waitFor();
    await dialog.getByText('1 decision is not submitted.').first().waitFor();
    expect(await keptHere()).toBeGreaterThan(0);
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await expect.poll(pathOf(page)).toBe('/sign-in');
    await expect.poll(keptHere).toBe(0);
    await page.close();
  });

  it('letters that are turned off in one browser are off in a queue of another, and the one switch turns them on again', async () => {
    const story = await tellQueueStory(server, { items: 4, name: 'Review without letters' });
    const page = await browser.signedInPage(server, story.elif);
    const turn = async (on: Page): Promise<void> => {
      await on.getByRole('button', { name: 'Keyboard' }).click();
      const turned = on.waitForResponse((response) => response.url().endsWith('/my/preferences') && response.request().method() !== 'GET');
      await on.getByRole('switch', { name: 'Single-key shortcuts' }).click();
      await turned;
      await on.keyboard.press('Escape');
      await on.getByRole('switch').waitFor({ state: 'detached' });
    };
    await page.goto('/home');
    await turn(page);
    const other = await browser.signedInPage(server, story.elif);
    await other.goto(`/r/${story.reviewId}`);
    const current = other.locator('[role=row][data-current]');
    await current.waitFor();
    await expect.poll(() => other.evaluate('localStorage.getItem("countersign.letters")')).toBe('off');
    await current.click();
    await other.keyboard.press('c');
    await other.keyboard.press('End');
    await other.getByText('4 left', { exact: true }).first().waitFor();
    await turn(other);
    await current.click();
    await other.keyboard.press('c');
    await other.getByText('3 left', { exact: true }).first().waitFor();
    await page.close();
    await other.close();
  });
});
