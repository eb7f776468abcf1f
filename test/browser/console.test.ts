/**
 * The console as a whole: who is signed out comes to the sign-in and back, the shell shows what a person may, the page's headers hold what they
 * should, and the first load stays within its budget.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';

let server: TestServer;
let reader: TestPerson;
let browser: TestBrowser;

beforeAll(async () => {
  server = await startTestServer();
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
    expect(await theirs.getByRole('heading', { level: 1 }).count()).toBe(1);
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

describe('what a browser loads', () => {
  const dist = join(import.meta.dirname, '..', '..', 'console', 'dist');
  interface Part {
    readonly file: string;
    readonly name?: string;
    readonly isEntry?: boolean;
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
  const entry = Object.entries(manifest).find(([, part]) => part.isEntry === true)?.[0] ?? '';
  const first = needed(entry);

  it('keeps the first load within 243 KB: scripts 175, styles 12, texts 8, font 48', () => {
    expect(sum([...first].map((key) => manifest[key]?.file ?? ''))).toBeLessThanOrEqual(175);
    expect(sum(new Set([...first].flatMap((key) => manifest[key]?.css ?? [])))).toBeLessThanOrEqual(12);
    const fonts = Object.values(manifest).filter(({ file }) => file.includes('inter-latin-wght'));
    expect(fonts).toHaveLength(1);
    expect(sum(fonts.map(({ file }) => file))).toBeLessThanOrEqual(48);
  });

  it('keeps each language within 8 KB', () => {
    const languages = Object.entries(manifest).filter(([key]) => /virtual:texts\/[a-z]+$/.test(key));
    expect(languages.map(([, { name }]) => name).sort()).toEqual(['de', 'en']);
    for (const [, { file }] of languages) {
      expect(kilobytes(file)).toBeLessThanOrEqual(8);
    }
  });

  it('keeps what each further page adds within 35 KB', () => {
    for (const key of Object.keys(manifest).filter((one) => !first.has(one) && !one.includes('virtual:texts/') && one.endsWith('.tsx'))) {
      const added = [...needed(key)].filter((one) => !first.has(one));
      expect(sum(added.map((one) => manifest[one]?.file ?? '')), key).toBeLessThanOrEqual(35);
    }
  });
});
