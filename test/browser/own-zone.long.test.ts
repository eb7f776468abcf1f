/** One time zone for everything, the person's own, in a browser that stands elsewhere: what is shown, what is written, and what is chosen. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { type TestPerson, type TestServer, useTestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;
let elif: TestPerson;

/** Twenty-one hours before the browser: its day is nearly always another. */
const zone = 'Pacific/Auckland';
const context = { timezoneId: 'America/Los_Angeles' };

async function chooseZone(person: TestPerson): Promise<void> {
  const answer = await request(server, person, 'PUT', '/api/v1/my/preferences', { preferences: { timeZone: zone } });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
}

describe.skipIf(!hasBrowser)('a person with a time zone of their own', () => {
  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 6 });
    elif = await server.ownClient(story.elif);
    await chooseZone(elif);
    await chooseZone(server.admin);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('certifies until 31 January, and reads until 31 January', async () => {
    const page = await browser.signedInPage(server, story.elif, { context });
    await page.goto(`/r/${story.reviewId}`);
    await page.locator('[role=row][data-current]').waitFor();
    await page.keyboard.press('t');
    await page.getByRole('radio', { name: /Another day/ }).click();
    const year = new Date().getUTCFullYear() + 1;
    await page.getByLabel('Day', { exact: true }).fill(`${year}-01-31`);
    await page.getByRole('button', { name: new RegExp(`Certify until 31 Jan ${year}`) }).click();
    await page
      .getByText(/until 31 Jan/i)
      .first()
      .waitFor();
    await page.getByText('All saved').first().waitFor();
    const { list } = (await request(server, elif, 'GET', `/api/v1/access_review/${story.reviewId}/pending_decisions`)).body;
    expect(list.map((one: Loose) => one.pendingDecision.certifyUntil)).toEqual([`${year}-01-31T10:59:59Z`]);
  });

  it('reads until 31 January in the story of an item where clocks are behind those of the server, too', async () => {
    const said = 'Certified until 31 Jan';
    const other = await tellQueueStory(server, { items: 1, name: 'Until 31 January' });
    const client = await server.ownClient(other.elif);
    const west = await server.makePerson('west@example.com', ['SUPER_ADMINISTRATOR']);
    const preferences = { timeZone: context.timezoneId };
    expect((await request(server, west, 'PUT', '/api/v1/my/preferences', { preferences })).status).toBe(200);
    const { list } = (await request(server, client, 'POST', '/api/v1/search/tasks', { accessReviewIds: [other.reviewId] })).body;
    const year = new Date().getUTCFullYear() + 1;
    const certifyUntil = `${year}-02-01T07:59:59Z`;
    const path = `/api/v1/tasks/${list[0].task.id}/action/approve_until`;
    const answer = await request(server, client, 'POST', path, { certifyUntil });
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    // The browser is where it is the first of February.
    const page = await browser.signedInPage(server, west.id, { context: { timezoneId: zone } });
    await page.goto(`/evidence/${other.reviewId}/items/${list[0].task.id}`);
    await page.getByRole('listitem').filter({ hasText: said }).last().waitFor();
    expect(await page.getByRole('main').textContent()).not.toMatch(/\b0?1\.? Feb|-02-01/);
    await page.close();
  });

  it('reads and writes the hour at which a review is due', async () => {
    const made = await story.call('POST', '/api/v1/access_review', { displayName: 'Next quarter' });
    const { id } = made.accessReview.accessReview;
    await story.call('POST', `/api/v1/access_review/${id}`, { accessReview: { completionDate: '2099-01-31T05:00:00Z' } });
    const page = await browser.signedInPage(server, server.admin.id, { context });
    // A draft that asks about nothing yet has no preview.
    browser.expectComplaint(/400 .*\/preview/);
    await page.goto(`/reviews/${id}/edit/dates`);
    const due = page.getByLabel('Due', { exact: false }).first();
    await expect.poll(() => due.inputValue()).toBe('2099-01-31T18:00');
    await due.fill('2099-02-01T09:00');
    await due.blur();
    await expect
      .poll(async () => (await story.call('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview.completionDate)
      .toBe('2099-01-31T20:00:00Z');
  });
});
