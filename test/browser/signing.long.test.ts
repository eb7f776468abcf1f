/**
 * Signing in a real browser, with a real identity provider and a real time stamp server: decisions count once they are signed, and whatever fails on
 * the way submits nothing and loses nothing.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { checkAxe, hasBrowser, openBrowser, type PageOptions, type TestBrowser } from '../support/browser.ts';
import { chooseOption } from '../support/choose-option.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { currentRow, itemsLeft as left, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { isLong } from '../support/runs.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { startTimeStampServer, type TimeStampService } from '../support/time-stamp-server.ts';

const meaning = 'I looked at each of these rights. Those I certified are needed.';
const elif = { sub: 'elif', email: 'elif@corp.test', email_verified: true, name: 'Elif Sample' };

let server: TestServer;
let browser: TestBrowser;
let idp: IdentityProvider;
let tsa: TimeStampService;
let providerId: string;

/** A running review of two items whose submissions are signed. */
const tellStory = (name: string, config: object, items = 2): Promise<QueueStory> =>
  tellQueueStory(server, {
    items,
    name,
    review: { signatureConfig: { requireSignature: true, meaningOfSignature: meaning, ...config } },
  });
/** Opens the queue, certifies everything, and opens the summary. */
const certifyAll = async (story: QueueStory, count: number, options?: PageOptions): Promise<Page> => {
  const page = await openQueuePage({ browser, server, story }, story.elif, options);
  for (let at = 0; at < count; at++) {
    await page.keyboard.press('c');
  }
  await page.getByRole('button', { name: `Submit ${count} decisions` }).waitFor();
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByRole('dialog').getByText(meaning).waitFor();
  return page;
};
const signAndSubmit = (page: Page, count: number) => page.getByRole('button', { name: `Sign and submit ${count} decisions` }).click();
const fitsSideways = (page: Page): Promise<boolean> => page.evaluate('document.scrollingElement.scrollWidth <= innerWidth');

describe.skipIf(!hasBrowser)('signing', () => {
  beforeAll(async () => {
    tsa = await startTimeStampServer('ec');
    server = await startTestServer({
      allowsLocalIssuers: true,
      config: { timeStampRootsFile: tsa.rootFile, allowOutbound: ['127.0.0.1'] },
    });
    idp = await startIdentityProvider();
    idp.allow(`${server.url}/auth/step-up/callback`);
    const made = await request(server, server.admin, 'POST', '/api/v1/step-up/providers', {
      displayName: 'Sample Sign-on',
      issuerUrl: idp.issuer,
      clientId: idp.clientId,
      clientSecret: idp.clientSecret,
      oauth2: {},
    });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    providerId = made.body.stepUpProvider.id;
    browser = await openBrowser();
    // The provider is another host, to which the browser is sent.
    browser.expectComplaint(new RegExp(`a request to ${new URL(idp.issuer).host}$`));
    // An empty review cannot be previewed, and refusals are written to the console of the page.
    browser.expectComplaint(/status of (?:400|409|503)/);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await idp?.stop();
    await server?.stop();
    await tsa?.close();
  });

  it('needs a provider, which an administrator adds and tests in the settings', async () => {
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto('/settings/step-up');
    await page.getByRole('button', { name: 'New provider' }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText(`${server.url}/auth/step-up/callback`).waitFor();
    await drawer.getByLabel('Name').fill('Other Sign-on');
    await drawer.getByLabel('Issuer').fill(idp.issuer);
    await drawer.getByLabel('Client ID').fill(idp.clientId);
    await drawer.getByLabel('Client secret').fill(idp.clientSecret);
    expect(await checkAxe(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Add provider' }).click();
    const row = page.getByRole('row', { name: /Other Sign-on/ });
    await row.getByText('Never').waitFor();
    const test = async () => {
      await row.getByRole('button', { name: /What to do with/ }).click();
      await page.getByRole('menuitem', { name: 'Test' }).click();
    };
    idp.account = undefined;
    await test();
    await page.getByText('The test failed.').waitFor();
    idp.account = { sub: 'admin', email: server.admin.email, email_verified: true };
    await test();
    await page.getByText('The test worked').waitFor();
    await row.getByText('now').waitFor();
    await page.close();
  });

  it.runIf(isLong)('is asked for where a review is set up', async () => {
    const made = await request(server, server.admin, 'POST', '/api/v1/access_review', { displayName: 'To be signed' });
    const { id } = made.body.accessReview.accessReview;
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto(`/reviews/${id}/edit/signature`);
    await page.getByRole('switch', { name: 'Reviewers sign their decisions' }).click();
    await page.getByText('That is not a signature under 21 CFR Part 11.').waitFor();
    await page.getByLabel('Meaning of the signature').fill(meaning);
    await chooseOption(page.getByLabel('Signers prove who they are by'), 'Sample Sign-on');
    await page.getByLabel('Time stamp server').fill(`${tsa.url}/other-nonce`);
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByText('was refused. The time stamp has another nonce than the request.').waitFor();
    await page.getByLabel('Time stamp server').fill(`${tsa.url}/stamp`);
    await page.getByText('was refused.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByText('Server of tests gives time stamps that count. Their policy is 1.3.6.1.4.1.99999.1.1.').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await expect
      .poll(
        async () =>
          (await request(server, server.admin, 'GET', `/api/v1/access_review/${id}`)).body.accessReview.accessReview.signatureConfig,
      )
      .toEqual({ requireSignature: true, meaningOfSignature: meaning, stepUpProviderId: providerId, tspUrl: `${tsa.url}/stamp` });
    await page.close();
  });

  it.runIf(isLong)('says before the start what signatures will prove, and what keeps them from being given', async () => {
    const story = await tellStory('Checked', {});
    const { accessReview } = await story.call('GET', `/api/v1/access_review/${story.reviewId}`);
    const made = await story.call('POST', '/api/v1/step-up/providers', {
      displayName: 'Sign-on that is off',
      issuerUrl: 'https://login.example.com',
      clientId: 'x',
      oauth2: {},
    });
    const off = made.stepUpProvider.id;
    await story.call('POST', `/api/v1/step-up/providers/${off}`, { stepUpProvider: { enabled: false }, updateMask: 'enabled' });
    const draft = await story.call('POST', '/api/v1/access_review', { displayName: 'To be checked' });
    const { id } = draft.accessReview.accessReview;
    const set = (signatureConfig: object) =>
      story.call('POST', `/api/v1/access_review/${id}`, {
        accessReview: { singleApp: accessReview.accessReview.singleApp, signatureConfig: { requireSignature: true, ...signatureConfig } },
      });
    await set({ meaningOfSignature: '', stepUpProviderId: off });
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto(`/reviews/${id}/check`);
    await page.getByText('The meaning of the signature is missing.').waitFor();
    await page.getByText('The step-up provider is off.').waitFor();
    await page.getByText('No time stamp server:').waitFor();
    expect(await page.getByText('after signing in once more at the step-up provider').count()).toBe(0);
    expect(await checkAxe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Change signatures' }).first().click();
    await page.getByText('Sign-on that is off (off)').waitFor();
    await set({ meaningOfSignature: meaning });
    await page.goto(`/reviews/${id}/check`);
    await page.getByText('Reviewers sign by their session alone.').waitFor();
    expect(await page.getByText('The meaning of the signature is missing.').count()).toBe(0);
    await set({ meaningOfSignature: meaning, stepUpProviderId: providerId, tspUrl: `${tsa.url}/stamp` });
    await page.goto(`/reviews/${id}/check`);
    await page.getByText('after signing in once more at the step-up provider').waitFor();
    await page.getByText(`Time stamps count: ${new URL(tsa.url).host} gives them.`).waitFor();
    await page.close();
  });

  it('sends the signer to the provider, and what they submitted counts when they are back', async () => {
    const story = await tellStory('Signed', { stepUpProviderId: providerId, tspUrl: `${tsa.url}/stamp` });
    const page = await certifyAll(story, 2);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Elif Sample, Head of Finance').waitFor();
    await dialog.getByText(`stamped by ${new URL(tsa.url).host}`).waitFor();
    expect(await checkAxe(page)).toEqual([]);
    idp.account = elif;
    await signAndSubmit(page, 2);
    await page.getByRole('heading', { name: '2 decisions are signed and recorded' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/signatures\//);
    await page.getByText(`stamped by ${new URL(tsa.url).host}`).waitFor();
    expect(await checkAxe(page)).toEqual([]);
    expect(await story.counts()).toMatchObject({ undecided: '0' });
    await page.getByRole('link', { name: 'To the review' }).click();
    await left(page, 0).waitFor();
    await page.close();

    const owner = await browser.signedInPage(server, server.admin.id);
    await owner.goto(`/reviews/${story.reviewId}/submissions`);
    await owner.getByText(/Signed by.*Elif Sample/).waitFor();
    await owner.getByText(meaning).waitFor();
    await owner.goto(`/reviews/${story.reviewId}/items`);
    await owner.getByRole('row').getByRole('link').first().click();
    await owner
      .getByRole('dialog')
      .getByText(/Signed by.*Elif Sample/)
      .waitFor();
    await owner.getByRole('dialog').getByText(meaning).waitFor();
    expect(await checkAxe(owner)).toEqual([]);
    await owner.goto(`/evidence/${story.reviewId}`);
    const signatures = owner.getByRole('table', { name: 'Signatures' });
    await signatures.getByText(/Signed by.*Elif Sample/).waitFor();
    await signatures.getByText(meaning).waitFor();
    expect(await checkAxe(owner)).toEqual([]);
    await signatures.getByRole('link', { name: /^[0-9a-f]{64}$/ }).click();
    await owner.getByText('Hash of the record').waitFor();
    await owner.close();
  });

  it.runIf(isLong)('submits nothing where the provider does not prove who they are, and works at the next try, on a phone', async () => {
    const story = await tellStory('On a phone', { stepUpProviderId: providerId });
    const page = await certifyAll(story, 2, { size: 'phone' });
    expect(await fitsSideways(page)).toBe(true);
    idp.account = undefined;
    await signAndSubmit(page, 2);
    const refused = 'You did not prove who you are. Nothing was submitted; your decisions are kept.';
    await page.getByRole('main').getByText(refused).waitFor();
    await page.locator('[aria-live=assertive]').getByText(refused).waitFor();
    expect(await fitsSideways(page)).toBe(true);
    expect(await checkAxe(page)).toEqual([]);
    expect(await story.counts()).toMatchObject({ undecided: '2' });
    idp.account = { ...elif, sub: 'farid', email: 'farid@corp.test' };
    await page.getByRole('button', { name: 'Sign in and sign' }).click();
    await page.getByRole('main').getByText('The provider says that you are somebody else.').waitFor();
    idp.account = elif;
    await page.getByRole('button', { name: 'Sign in and sign' }).click();
    await page.getByRole('heading', { name: '2 decisions are signed and recorded' }).waitFor();
    expect(await fitsSideways(page)).toBe(true);
    await page.close();
  });

  it.runIf(isLong)(
    'is checked before it starts: a server whose time stamps do not count is named, with the way to another one',
    async () => {
      const { call, reviewId } = await tellStory('Begun', { stepUpProviderId: providerId, tspUrl: `${tsa.url}/stamp` });
      const { singleApp } = (await call('GET', `/api/v1/access_review/${reviewId}`)).accessReview.accessReview;
      const { id } = (await call('POST', '/api/v1/access_review', { displayName: 'Not yet begun' })).accessReview.accessReview;
      const set = (path: string) => {
        const signatureConfig = { requireSignature: true, meaningOfSignature: meaning, tspUrl: `${tsa.url}${path}` };
        return call('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp, signatureConfig } });
      };
      await set('/gap');
      const page = await browser.signedInPage(server, server.admin.id);
      await page.goto(`/reviews/${id}/check`);
      const finding = page.getByRole('listitem').filter({ hasText: 'Nobody could sign now.' });
      await finding.getByText('The certificate of Server that is below does not lead to a configured root.').waitFor();
      expect(await checkAxe(page)).toEqual([]);
      await finding.getByRole('link', { name: 'Change signatures' }).click();
      await page.getByLabel('Time stamp server').fill(`${tsa.url}/stamp`);
      await page.getByRole('button', { name: 'Try it out' }).click();
      await page.getByText('gives time stamps that count').waitFor();
      await page.close();
    },
  );

  it.runIf(isLong)('submits nothing where the time stamp server is down, and tries again without another sign-in', async () => {
    const story = await tellStory('Down', { stepUpProviderId: providerId, tspUrl: `${tsa.url}/broken` });
    const page = await certifyAll(story, 2);
    idp.account = elif;
    await signAndSubmit(page, 2);
    await page
      .getByText(/The time stamp server .* Nothing was submitted; your decisions are kept until/)
      .last()
      .waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await story.counts()).toMatchObject({ undecided: '2' });
    // The queue has all of it still, and leads back to where no other sign-in is asked for.
    await page.getByRole('link', { name: 'Back to your decisions' }).click();
    await page.getByRole('button', { name: /Submit 2 decisions/ }).waitFor();
    await page.getByRole('link', { name: 'Go on to sign' }).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.close();
  });

  it.runIf(isLong)('is done anew where an item went to somebody else meanwhile', async () => {
    const story = await tellStory('Changed', { stepUpProviderId: providerId });
    const page = await certifyAll(story, 2);
    idp.account = elif;
    await page.route('**/api/v1/signatures/*/sign', async (route) => {
      const { list } = await story.call('POST', '/api/v1/search/tasks', { accessReviewIds: [story.reviewId], pageSize: 1 });
      const { id, policy } = list[0].task;
      await story.call('POST', `/api/v1/tasks/${id}/action/reassign`, {
        newStepUserIds: [story.farid],
        policyStepId: policy.current.id,
      });
      await page.unroute('**/api/v1/signatures/*/sign');
      await route.continue();
    });
    await signAndSubmit(page, 2);
    await page.getByText(/Something changed before it was signed/).waitFor();
    expect(await story.counts()).toMatchObject({ undecided: '2' });
    await page.getByRole('link', { name: 'Sign anew' }).click();
    await page.getByRole('button', { name: 'Sign and submit 1 decision' }).click();
    await page.getByRole('heading', { name: '1 decision is signed and recorded' }).waitFor();
    await page.close();
  });

  it.runIf(isLong)('is done at once where the review names no provider', async () => {
    const story = await tellStory('By session', {}, 3);
    const page = await certifyAll(story, 2);
    await page.getByRole('dialog').getByText('Session alone').waitFor();
    await signAndSubmit(page, 2);
    await page.getByRole('heading', { name: '2 decisions are signed and recorded' }).waitFor();
    await page.getByText('Session alone, not 21 CFR Part 11').waitFor();
    await page.getByText('1 more item of this review is not submitted yet.').waitFor();
    const address = page.url();
    await page.getByRole('link', { name: 'To the review' }).click();
    await currentRow(page).waitFor();
    await page.keyboard.press('d');
    await page.getByText('All saved').waitFor();
    // What is left after a part was signed comes next.
    await page.goto(address);
    await page.getByText('1 more item of this review is not submitted yet.').waitFor();
    await page.getByRole('link', { name: 'Sign the others' }).click();
    await page.getByRole('button', { name: 'Sign and submit 1 decision' }).waitFor();
    await page.close();
  });

  it.runIf(isLong)('is told of before the first decision, and goes on where it was left, which the owner of the review sees', async () => {
    const story = await tellStory('Left', { stepUpProviderId: providerId, tspUrl: `${tsa.url}/stamp` });
    const page = await openQueuePage({ browser, server, story }, story.elif, { size: 'phone' });
    const news = page.getByRole('status').filter({ hasText: meaning });
    await news.getByText('When you submit, you sign in once more with Sample Sign-on.').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    expect(await fitsSideways(page)).toBe(true);
    await news.getByRole('button', { name: 'Understood' }).click();
    await news.waitFor({ state: 'detached' });
    await page.goto(`/r/${story.reviewId}`);
    await currentRow(page).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.press('c');
    await page.getByRole('button', { name: 'Submit 2 decisions' }).click();
    await page.getByRole('dialog').getByText('Signing in once more with Sample Sign-on').waitFor();
    idp.account = undefined;
    await signAndSubmit(page, 2);
    await page.getByRole('main').getByText('You did not prove who you are.').waitFor();
    await page.close();

    const owner = await browser.signedInPage(server, server.admin.id);
    await owner.goto(`/reviews/${story.reviewId}/submissions`);
    const waiting = owner.getByRole('table', { name: 'Not signed yet' });
    await owner.getByText('No submission is signed yet').waitFor();
    expect(await checkAxe(owner)).toEqual([]);
    await waiting.getByRole('link', { name: 'Elif Sample' }).click();
    await owner.getByRole('heading', { name: 'Waits for the signature of Elif Sample' }).waitFor();
    await owner.getByText('Signing in once more with Sample Sign-on').waitFor();
    expect(await owner.getByRole('button', { name: 'Sign in and sign' }).count()).toBe(0);

    // Another day, on another device: one press leads on.
    const back = await browser.signedInPage(server, story.elif);
    await back.goto(`/r/${story.reviewId}`);
    await back.getByText(/^2 decisions that you submitted wait for your signature until/).waitFor();
    expect(await checkAxe(back)).toEqual([]);
    idp.account = elif;
    await back.getByRole('link', { name: 'Go on to sign' }).click();
    await back.getByRole('button', { name: 'Sign in and sign' }).click();
    await back.getByRole('heading', { name: '2 decisions are signed and recorded' }).waitFor();
    const saved = back.waitForEvent('download');
    await back.getByRole('button', { name: 'Download the record' }).click();
    const record = await readFile(await (await saved).path());
    await back.getByText(createHash('sha256').update(record).digest('hex')).waitFor();
    await back.getByRole('link', { name: 'To the review' }).click();
    await left(back, 0).waitFor();
    expect(await back.getByRole('link', { name: 'Go on to sign' }).count()).toBe(0);
    await back.close();

    await owner.goto(`/reviews/${story.reviewId}/submissions`);
    await owner.getByText(`Signing in once more with Sample Sign-on (${new URL(idp.issuer).host}).`).waitFor();
    await owner.getByRole('link', { name: 'Open the signature' }).waitFor();
    expect(await owner.getByRole('table', { name: 'Not signed yet' }).count()).toBe(0);
    expect(await checkAxe(owner)).toEqual([]);
    await owner.goto(`/reviews/${story.reviewId}/settings`);
    await owner.getByText(`${tsa.url}/stamp`).waitFor();
    await owner.getByText('Sample Sign-on').waitFor();
    await owner.close();
  });

  it.runIf(isLong)('is refused before the first decision to whoever came in by what somebody else issued', async () => {
    const story = await tellStory('Issued', { stepUpProviderId: providerId });
    const { url } = await story.call('POST', `/api/v1/users/${story.elif}/sign_in_link`, {});
    const page = await browser.signedOutPage(server);
    await page.goto(url);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/home/);
    await page.goto(`/r/${story.reviewId}`);
    await page
      .getByRole('status')
      .getByText(/^You cannot sign here: somebody else issued what you are signed in with/)
      .waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });
});
