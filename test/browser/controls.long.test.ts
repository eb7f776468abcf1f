/**
 * Lists to choose from and messages, as whoever has no pointer meets them: by keys, by names, from right to left, at a zoom of 200 % and where the
 * system replaces all colours.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, sizes, type TestBrowser } from '../support/browser.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('lists and messages', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    server = await useTestServer();
    await server.makePerson('tara@example.com');
    browser = await openBrowser();
    page = await browser.signedInPage(server, server.admin.id, { context: { reducedMotion: 'reduce' } });
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  const open = async (path: string): Promise<void> => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
  };
  const list = () => page.getByRole('listbox');
  const option = (name: string | RegExp) => page.getByRole('option', { name });
  const isFocused = (one: Locator) => () => one.evaluate((element) => element === element.ownerDocument.activeElement);
  const searchOf = () => new URL(page.url()).search;

  it('a select opens by keys, goes to what is typed, and gives the focus back', async () => {
    await open('/log');
    const box = page.getByRole('combobox', { name: 'Object', exact: true });
    expect(await box.textContent()).toBe('Every object');
    await box.focus();
    await page.keyboard.press('ArrowDown');
    await list().waitFor();
    expect(await box.getAttribute('aria-expanded')).toBe('true');
    await expect.poll(isFocused(option('Every object'))).toBe(true);
    expect(await checkAxe(page, '[role=listbox]')).toEqual([]);
    await page.keyboard.press('Escape');
    await list().waitFor({ state: 'detached' });
    await expect.poll(isFocused(box)).toBe(true);
    expect(await checkAxe(page)).toEqual([]);
    expect(await box.textContent()).toBe('Every object');
    // Letters that lead to other pages elsewhere.
    await page.keyboard.press('Enter');
    await list().waitFor();
    await page.keyboard.type('rem');
    await expect.poll(isFocused(option('Removals'))).toBe(true);
    await page.keyboard.press('Enter');
    await list().waitFor({ state: 'detached' });
    await expect.poll(searchOf).toBe('?of=revocation');
    await expect.poll(isFocused(box)).toBe(true);
    expect(await box.textContent()).toBe('Removals');
  });

  it('a combobox finds what is written, names the option that Enter takes, and can be emptied', async () => {
    await open('/log');
    const box = page.getByRole('combobox', { name: 'Who' });
    await box.focus();
    expect(await box.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.type('tar');
    await option(/tara/).waitFor();
    const active = () =>
      box.evaluate((input) => input.ownerDocument.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent);
    await expect.poll(active).toContain('tara');
    expect(await checkAxe(page, '[role=listbox]')).toEqual([]);
    // It keeps its name while all around it and its list is hidden.
    expect(await page.getByRole('combobox', { name: 'Who' }).count()).toBe(1);
    await page.keyboard.press('Enter');
    await list().waitFor({ state: 'detached' });
    expect(await checkAxe(page)).toEqual([]);
    await expect.poll(searchOf).toMatch(/^\?actor=/);
    await expect.poll(() => box.inputValue()).toContain('tara');
    // A text that was written and not chosen stands for nothing.
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('nobody of this name');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    await list().waitFor({ state: 'detached' });
    await expect.poll(() => box.inputValue()).toContain('tara');
    await page.getByRole('button', { name: /^Remove tara/ }).click();
    await expect.poll(searchOf).toBe('');
  });

  it('a combobox takes a name that is written in full when it is left, and no other', async () => {
    await open('/log');
    const box = page.getByRole('combobox', { name: 'Who' });
    await box.fill('tar');
    await option(/tara/).waitFor();
    const name = (await option(/tara/).evaluate((item) => item.firstChild?.textContent)) ?? '';
    await page.keyboard.press('Tab');
    await list().waitFor({ state: 'detached' });
    expect(await box.inputValue()).toBe('');
    await box.fill(name);
    await page.keyboard.press('Tab');
    await expect.poll(searchOf).toMatch(/^\?actor=/);
    await expect.poll(() => box.inputValue()).toBe(name);
    await page.getByRole('button', { name: /^Remove tara/ }).click();
    await expect.poll(searchOf).toBe('');
  });

  it('lists lie at their boxes from right to left, and widen no page at a zoom of 200 %', async () => {
    for (const size of [sizes.desk, sizes.narrow, { width: 720, height: 450 }]) {
      await page.setViewportSize(size);
      await open('/log');
      await page.evaluate('document.documentElement.dir = "rtl"');
      for (const name of ['Object', 'Who']) {
        const box = page.getByRole('combobox', { name, exact: true });
        await box.click();
        await list().waitFor();
        const [from, to] = await Promise.all([box.boundingBox(), list().boundingBox()]);
        expect(Math.abs((to?.x ?? 0) + (to?.width ?? 0) - ((from?.x ?? 0) + (from?.width ?? 0))), `${name} at ${size.width}`).toBeLessThan(
          8,
        );
        expect(to?.x).toBeGreaterThanOrEqual(0);
        expect(await sidewaysPixels(page)).toBe(0);
        await page.keyboard.press('Escape');
        await list().waitFor({ state: 'detached' });
      }
    }
    await page.setViewportSize(sizes.desk);
  });

  it('the option that is meant can be seen where the system replaces all colours', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await open('/log');
    await page.getByRole('combobox', { name: 'Object', exact: true }).click();
    await page.keyboard.press('ArrowDown');
    const outline = () =>
      page.locator('[role=option][data-highlighted]').evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).outlineStyle);
    await expect.poll(outline).toBe('solid');
    await page.keyboard.press('Escape');
    await page.emulateMedia({ forcedColors: 'none' });
  });

  it('a message is said, leaves the keys to the page, is reached by F6 and goes by Escape', async () => {
    await open('/settings/tenant/company');
    await page.getByRole('button', { name: 'Save' }).click();
    const message = page.getByRole('group', { name: 'The company is saved.' });
    await message.waitFor();
    expect(await page.locator('.announcement[aria-live=polite]').textContent()).toBe('The company is saved.');
    expect(await checkAxe(page)).toEqual([]);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('/');
    const palette = page.getByRole('combobox', { name: 'Search, go, do' });
    await palette.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await message.waitFor();
    await expect.poll(() => message.count()).toBe(1);
    await page.keyboard.press('F6');
    await page.keyboard.press('Tab');
    await expect.poll(isFocused(message)).toBe(true);
    await page.keyboard.press('Escape');
    await message.waitFor({ state: 'detached' });
  });
});
