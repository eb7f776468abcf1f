/** Lists and fields of people in a browser: by name in all sizes, also where only a part of them is there. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { type TestServer, useTestServer } from '../support/server.ts';

const people = 230;

describe.skipIf(!hasBrowser)('people in a browser', () => {
  let server: TestServer;
  let browser: TestBrowser;

  const open = async (path: string): Promise<Page> => {
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto(path);
    return page;
  };
  const shownNames = async (page: Page): Promise<string[]> =>
    (await page.getByRole('table', { name: 'People' }).getByRole('link').allTextContents()).filter((name) => name.includes('Crowd'));

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    // The order of the file is that of the ids.
    const rows = Array.from({ length: people }, (_, at) => `crowd${at}@x.example,"Crowd ${people - 1 - at}",Law`);
    await server.admin.client.upload(
      ImportService.method.importPeople,
      {},
      { content: new Blob([['email,display_name,department', 'zoe@x.example,Öhm Crowd,Law', ...rows].join('\n')]).stream(), gzip: false },
    );
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('stand by name from the first page on, and go on where it ends', async () => {
    const page = await open('/people');
    await page.getByRole('link', { name: /Crowd 0\b/ }).waitFor();
    const first = await shownNames(page);
    expect(first.slice(0, 12)).toEqual(Array.from({ length: 12 }, (_, at) => expect.stringContaining(`Crowd ${at}`)));
    await page.getByRole('link', { name: 'Öhm Crowd' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /more/i }).first().click();
    await page.mouse.wheel(0, 100_000);
    // A long table draws what is in sight: each goes on behind the one above.
    const numbers = async () => (await shownNames(page)).map((name) => Number(/Crowd (\d+)/.exec(name)?.[1]));
    await expect.poll(async () => (await numbers()).at(-1)).toBeGreaterThan(first.length);
    const shown = await numbers();
    expect(shown).toEqual(shown.map((_, at) => (shown[0] ?? 0) + at));
    await page.close();
  });

  it('are offered by name in a field, and by what mail programs write', async () => {
    const page = await open('/settings/profile');
    await page
      .getByRole('button', { name: /delegate/i })
      .first()
      .click();
    const field = page.getByRole('combobox', { name: /Delegate|stand/i });
    await field.fill('Crowd');
    await page.getByRole('option', { name: /^Crowd 0(?!\d)/ }).waitFor();
    expect((await page.getByRole('option').allTextContents()).slice(0, 10)).toEqual(
      Array.from({ length: 10 }, (_, at) => expect.stringContaining(`Crowd ${at}`)),
    );
    await field.fill('"Crowd, Öhm" <zoe@x.example>');
    await page.getByRole('option', { name: 'Öhm Crowd' }).waitFor();
    await page.close();
  });
});
