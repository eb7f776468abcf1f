/**
 * Whoever has no role types the addresses that their navigation does not show: they read the sentence of the server, and nothing of what is there.
 * A page complains of nothing but the refused requests, which the browser writes to its console by itself.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

const source = readFileSync(join(import.meta.dirname, '..', '..', 'console', 'src', 'app', 'navigation.ts'), 'utf8');
/** Entries of the navigation: an address, and the permission that it needs. */
const entries = [...source.matchAll(/to: '([^']+)', icon: '[^']+'(?:, needs: '([^']+)')?/g)].map(([, to = '', needs]) => ({ to, needs }));

/** Lists that the server answers to everybody with what is theirs: here with nothing. */
const answersEmpty: Readonly<Record<string, string>> = {
  '/reviews': 'You answer for no review',
  '/apps': 'You own no app',
  '/templates': 'No template yet',
  '/sources': 'Drop a file',
  '/revocations': 'Nothing denied is open',
  '/evidence': 'It comes with the first review that closes',
};

describe.skipIf(!hasBrowser)('whoever has no role', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    server = await useTestServer();
    await server.importData('small');
    const basic = await server.makePerson('bela@corp.test');
    browser = await openBrowser();
    browser.expectComplaint(/status of 403/);
    page = await browser.signedInPage(server, basic.id, { context: { reducedMotion: 'reduce' } });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('sees in the navigation what is theirs alone', async () => {
    await page.goto('/home');
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await links.first().waitFor();
    const shown = await links.evaluateAll((all) => all.map((link) => (link as unknown as { pathname: string }).pathname));
    expect(shown.filter((path) => path !== '/')).toEqual(entries.filter(({ needs }) => needs === undefined).map(({ to }) => to));
  });

  it.each(entries.filter(({ needs }) => needs !== undefined))(
    'reads the sentence of the server at $to, and nothing else',
    async ({ to }) => {
      await page.goto(to);
      const sentence = answersEmpty[to] ?? /This needs the permission [a-z.]+, which these roles hold:/;
      await page.locator('main').getByText(sentence).first().waitFor();
      await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
      expect(await page.locator('main').getByRole('table').count()).toBe(0);
      // No way to change what they may not read.
      const offered = await page.locator('main').getByRole('button').allTextContents();
      expect(offered.filter((name) => /new|import|create|add|delete/i.test(name))).toEqual([]);
      expect(await checkAxe(page)).toEqual([]);
    },
  );
});
