/** Unsubmitted work of a reviewer lies sealed in the browser: whoever has the device after the session reads none of it, and they do again. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { currentRow, itemsLeft, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { requestWith, signIn } from '../support/sign-in.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

const comment = 'Moved to the harbour office';

/** Work in the place where drafts lie, in a page of the same origin: `records` is the store, `done` takes the result. */
const inStore = <T>(page: Page, mode: 'readonly' | 'readwrite', work: string): Promise<T> =>
  page.evaluate<T>(`new Promise((done, fail) => {
    const opening = indexedDB.open('countersign');
    opening.onerror = () => fail(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('drafts', '${mode}');
      const records = transaction.objectStore('drafts');
      let result;
      transaction.oncomplete = () => { opening.result.close(); done(result); };
      ${work}
    };
  })`);

/** Everything that lies there, by name: bytes as the letters that they would be. */
const dump = (page: Page): Promise<Record<string, string>> =>
  inStore(
    page,
    'readonly',
    `result = {};
     records.openCursor().onsuccess = ({ target: { result: cursor } }) => {
       if (cursor !== null) {
         const show = (_, value) => value instanceof Uint8Array ? String.fromCharCode(...value) : value;
         result[cursor.key] = JSON.stringify(cursor.value, show);
         cursor.continue();
       }
     };`,
  );
const namesIn = (records: Record<string, string>, part: string): string[] => Object.keys(records).filter((name) => name.includes(part));

describe.skipIf(!hasBrowser)('what is not submitted', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let story: QueueStory;

  const openQueue = (): Promise<Page> => openQueuePage({ browser, server, story }, story.elif);
  const signInAgain = async (page: Page, userId: string): Promise<void> => {
    const [name = '', ...value] = (await signIn(server, userId)).split('=');
    await page.context().addCookies([{ name, value: value.join('='), url: server.url, httpOnly: true, sameSite: 'Lax' }]);
  };
  const keepFromServer = async (page: Page): Promise<void> => {
    await page
      .context()
      .route('**/pending_decisions', (route) =>
        route.request().method() === 'PUT' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
      );
  };
  const deny = async (page: Page): Promise<void> => {
    await page.keyboard.press('d');
    await page.getByLabel('Why is it not needed any more?').waitFor();
    await page.keyboard.type(comment);
    await page.keyboard.press('Control+Enter');
  };

  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 12, besides: ['farid'], rules: { requireDenialReason: true } });
    browser = await openBrowser();
    browser.expectComplaint(/status of 503/);
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('is in no record of the device when the session has ended by itself, and there again for the same person alone', async () => {
    const page = await openQueue();
    await keepFromServer(page);
    await deny(page);
    await itemsLeft(page, 11).waitFor();
    await page
      .getByText(/1 on this device since/)
      .first()
      .waitFor();
    const { value = '' } = (await page.context().cookies()).find(({ name }) => name === 'session') ?? {};
    await requestWith(server, `session=${value}`, 'POST', '/auth/sign-out', {});
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'You were signed out' }).waitFor();
    await page.goto('/sign-in');
    await page.getByRole('heading').first().waitFor();
    const held = await dump(page);
    const sealed = namesIn(held, `/${story.reviewId}/drafts/`);
    expect(sealed).toHaveLength(1);
    expect(held[sealed[0] ?? '']).toMatch(/nonce/);
    expect(Object.values(held).join('\n')).not.toMatch(/harbour|taskId|comment/);
    expect(await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toMatch(/harbour|draft/);

    // Whoever signs in next on this device gets another key.
    await signInAgain(page, story.farid);
    await page.goto('/home');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await expect.poll(async () => namesIn(await dump(page), `/${story.reviewId}/drafts/`)).toEqual(sealed);

    await signInAgain(page, story.elif);
    await page.goto(`/r/${story.reviewId}`);
    await itemsLeft(page, 10).waitFor();
    await page.goto(`/r/${story.reviewId}?show=all`);
    await currentRow(page).waitFor();
    await expect.poll(() => page.getByText(comment).count()).toBeGreaterThan(0);
    await page.context().unrouteAll();
    await page.reload();
    await page.getByText('All saved').first().waitFor();
    await expect
      .poll(async () =>
        server.app.database
          .tenant(server.id)
          .rows<{ comment: string }>('SELECT comment FROM pending_decisions WHERE tenant_id = $1 AND comment <> $2', [server.id, '']),
      )
      .toEqual([{ comment }]);
    await page.close();
  });

  it('never goes out as of whoever signed in meanwhile in the same browser', async () => {
    const page = await openQueue();
    // From a window of which this page hears nothing.
    await signInAgain(page, story.farid);
    const took = page.waitForResponse((response) => /pending_decisions$/.test(response.url()) && response.request().method() === 'PUT');
    await page.keyboard.press('c');
    // The page of before goes away by itself, with all that was on it.
    await Promise.race([page.waitForURL('**/home'), took.catch(() => undefined)]);
    const { db, tenantId } = server.system();
    const ofFarid = () => db.rows('SELECT 1 FROM pending_decisions d WHERE d.tenant_id = $1 AND d.user_id = $2', [tenantId, story.farid]);
    expect(await ofFarid()).toEqual([]);
    await page.waitForURL('**/home');
    await page.getByRole('button', { name: /Farid Sample/ }).waitFor();
    expect(await ofFarid()).toEqual([]);
    await page.close();
  });

  it('of a version that did not seal is read once, and sealed wherever the person is in the console', async () => {
    const page = await openQueue();
    await keepFromServer(page);
    await deny(page);
    await page
      .getByText(/1 on this device since/)
      .first()
      .waitFor();
    const [name = ''] = namesIn(await dump(page), `/${story.reviewId}/drafts/`);
    const plainName = name.split('/').slice(0, 3).join('/');
    await page.goto('/home');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    const draft = { taskId: 'of-before', choice: 'certify', comment, until: '', amend: false, at: 1, savedAt: 0, refused: '' };
    await inStore(page, 'readwrite', `records.put(${JSON.stringify([draft])}, ${JSON.stringify(plainName)});`);
    const waiting = { phase: 'waiting', key: 'of-before', drafts: [draft] };
    await inStore(page, 'readwrite', `records.put(${JSON.stringify(waiting)}, ${JSON.stringify(`${plainName}/submission`)});`);
    expect(Object.values(await dump(page)).join('\n')).toContain('harbour');
    await page.reload();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await expect.poll(async () => namesIn(await dump(page), plainName).sort()).toEqual([name, name.replace('/drafts/', '/submission/')]);
    expect(Object.values(await dump(page)).join('\n')).not.toMatch(/harbour|of-before/);
    // What was there before is there beside it.
    await page.goto(`/r/${story.reviewId}`);
    await itemsLeft(page, 9).waitFor();
    await page.close();
  });

  it('that was changed on the device is removed, and said to be', async () => {
    const page = await openQueue();
    await keepFromServer(page);
    await deny(page);
    await page
      .getByText(/1 on this device since/)
      .first()
      .waitFor();
    const [name = ''] = namesIn(await dump(page), `/${story.reviewId}/drafts/`);
    await page.goto('/home');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await inStore(
      page,
      'readwrite',
      `records.get(${JSON.stringify(name)}).onsuccess = ({ target: { result: record } }) => {
         record.content[5] ^= 1;
         records.put(record, ${JSON.stringify(name)});
       };`,
    );
    await page.goto(`/r/${story.reviewId}`);
    await page
      .getByText(/Decisions that were kept on this device could not be read/)
      .first()
      .waitFor();
    await itemsLeft(page, 10).waitFor();
    await page.close();
  });
});
