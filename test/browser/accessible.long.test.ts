/**
 * Every page of the navigation for everybody: no serious finding of axe in either theme, nothing that scrolls sideways at 360 pixels or at a zoom
 * of 200 %, and words that stay where the system replaces all colours.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, sizes, type TestBrowser } from '../support/browser.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('every page of the navigation', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let page: Page;
  let paths: string[];

  beforeAll(async () => {
    server = await useTestServer();
    await server.importData('small');
    browser = await openBrowser();
    page = await browser.signedInPage(server, server.admin.id, {
      // Colours are measured when they have arrived.
      context: { reducedMotion: 'reduce' },
    });
    await page.goto('/home');
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await links.first().waitFor();
    const found = await links.evaluateAll((all) => all.map((link) => (link as unknown as { pathname: string }).pathname));
    paths = [...new Set(found)].filter((path) => path !== '/');
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  /** Opens a page and waits until nothing of it is being read. */
  const visit = async (path: string): Promise<void> => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
  };

  it('has no serious finding in either theme, and scrolls sideways on no screen', async () => {
    expect(paths).toContain('/home');
    const wrong: unknown[] = [];
    for (const path of paths) {
      await visit(path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        wrong.push(...(await checkAxe(page)).map((finding) => ({ path, colorScheme, ...finding })));
      }
      // A desk at 200 % has half of its pixels.
      for (const size of [sizes.narrow, { width: 720, height: 450 }]) {
        await page.setViewportSize(size);
        const pixels = await sidewaysPixels(page);
        wrong.push(...(pixels > 0 ? [{ path, width: size.width, pixels }] : []));
      }
      await page.setViewportSize(sizes.desk);
    }
    expect(wrong).toEqual([]);
  });

  it('keeps its words where the system replaces all colours', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await visit('/home');
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').count()).toBeGreaterThan(3);
    expect(await checkAxe(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
  });

  it('has a palette and a help on keys without findings', async () => {
    await visit('/home');
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Keyboard' }).click();
    await page.getByRole('switch').waitFor();
    expect(await checkAxe(page)).toEqual([]);
  });
});
