/**
 * The console as a whole: who is signed out comes to the sign-in and back, the shell shows what a person may, the page's headers hold what they
 * should, and the first load stays within its budget.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { kilobytesOf, watchLoads } from '../support/page-loads.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

let server: TestServer;
let reader: TestPerson;
let browser: TestBrowser;

beforeAll(async () => {
  server = await useTestServer();
  reader = await server.makePerson('elif@example.com');
  if (hasBrowser) {
    browser = await openBrowser();
  }
});
afterAll(async () => {
  await browser?.close();
  await server.stop();
});

describe.skipIf(!hasBrowser)('the shell', () => {
  it('shows everybody their own pages, and the rest to those who may', async () => {
    const page = await browser.signedInPage(server, reader.id);
    await page.goto('/');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/home');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'My reviews' }).waitFor();
    expect(await navigation.getByRole('link', { name: 'Reviews', exact: true }).count()).toBe(0);
    expect(await navigation.getByRole('link', { name: 'People', exact: true }).count()).toBe(0);
    await page.close();

    const theirs = await browser.signedInPage(server, server.admin.id);
    await theirs.goto('/home');
    await expect.poll(() => theirs.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'People' }).count()).toBe(1);
    await expect.poll(() => theirs.getByRole('heading', { level: 1 }).count()).toBe(1);
    await theirs.close();
  });

  it('sends who is signed out to the sign-in, which leads back and does not name what they wanted', async () => {
    const page = await browser.signedOutPage(server);
    await page.goto('/home?of=2abc');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/sign-in');
    expect(new URL(page.url()).searchParams.get('to')).toBe('/home?of=2abc');
    expect(await page.locator('body').textContent()).not.toContain('2abc');
    await page.close();
  });
});

describe.skipIf(!hasBrowser)('what a browser really loads', () => {
  it('is at most 15 requests for the first page, and 200 KB with what is asked for afterwards, for everybody and in each language', async () => {
    for (const [person, locale] of [
      [reader, 'en-GB'],
      [reader, 'de-DE'],
      [server.admin, 'de-DE'],
    ] as const) {
      const page = await browser.signedInPage(server, person.id);
      const loads = await watchLoads(page, locale);
      await page.goto('/home');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2));
      // A browser with tabs loads the icon of the tab, too; one without a window does not, and the limit is of the page.
      const ofPage = loads.filter(({ path }) => path !== '/icon.svg');
      expect(ofPage.length, ofPage.map(({ path }) => path).join()).toBeLessThanOrEqual(15);
      await expect.poll(() => loads.some(({ path }) => path === '/auth/providers')).toBe(true);
      await page.waitForLoadState('networkidle');
      await page.close();
      expect(kilobytesOf(loads)).toBeLessThanOrEqual(200);
    }
  });
});

describe('what a browser could load', () => {
  const dist = join(import.meta.dirname, '..', '..', 'console', 'dist');
  interface Part {
    readonly file: string;
    readonly name?: string;
    readonly imports?: readonly string[];
    readonly css?: readonly string[];
  }
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Record<string, Part>;
  const kilobytes = (file: string): number => statSync(join(dist, file.endsWith('.woff2') ? file : `${file}.br`)).size / 1024;
  const sum = (files: Iterable<string>): number => [...files].reduce((total, file) => total + kilobytes(file), 0);
  /** A part and all that it needs at once. */
  const needed = (key: string, found = new Set<string>()): Set<string> => {
    if (!found.has(key)) {
      found.add(key);
      for (const one of manifest[key]?.imports ?? []) {
        needed(one, found);
      }
    }
    return found;
  };
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const named = new Set([...page.matchAll(/src="\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file));
  const first = new Set(Object.entries(manifest).flatMap(([key, { file }]) => (named.has(file) ? [...needed(key)] : [])));

  it('keeps the first load within 186 KB: scripts 125, styles 8, texts 5, font 48', () => {
    expect(named.size).toBeGreaterThan(0);
    expect(sum([...first].map((key) => manifest[key]?.file ?? ''))).toBeLessThanOrEqual(125);
    expect(sum(new Set([...first].flatMap((key) => manifest[key]?.css ?? [])))).toBeLessThanOrEqual(8);
    const fonts = Object.values(manifest).filter(({ file }) => file.includes('inter-latin-wght'));
    expect(fonts).toHaveLength(1);
    expect(sum(fonts.map(({ file }) => file))).toBeLessThanOrEqual(48);
  });

  it('keeps what each language says on the first page within 5 KB, and in the queue within 8', () => {
    const languages = Object.entries(manifest).filter(([key]) => /virtual:texts\/[a-z]+(?:-queue)?$/.test(key));
    expect(languages.map(([, { name }]) => name).sort()).toEqual(['de', 'de-queue', 'en', 'en-queue']);
    for (const [key, { file }] of languages) {
      expect(kilobytes(file), key).toBeLessThanOrEqual(key.endsWith('-queue') ? 8 : 5);
    }
  });

  /** Parts that pages share: a browser loads each of them once. */
  const shared = new Set(
    Object.keys(manifest).filter((key) => ['parts', 'forms', 'controls', 'shared'].includes(manifest[key]?.name ?? '')),
  );
  const further = Object.keys(manifest)
    .filter((one) => !first.has(one) && !one.includes('virtual:texts/') && one.endsWith('.tsx'))
    .map((key) => ({ key, added: [...needed(key)].filter((one) => !first.has(one)) }));

  it('keeps what pages share within 90 KB, in four files', () => {
    expect(shared.size).toBe(4);
    expect(sum([...shared].map((key) => manifest[key]?.file ?? ''))).toBeLessThanOrEqual(90);
  });

  it('keeps what each further page adds of its own within 35 KB, and what it comes in within eight scripts', () => {
    for (const { key, added } of further) {
      const own = added.filter((one) => !shared.has(one));
      expect(sum(own.map((one) => manifest[one]?.file ?? '')), key).toBeLessThanOrEqual(35);
      expect(added.length, key).toBeLessThanOrEqual(8);
    }
  });
});
