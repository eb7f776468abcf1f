/**
 * Signing in with a real browser: a printed link is spent by its button and by nothing else, leads where it should and nowhere else, and
 * works once; the page works by keyboard, on a phone and in both themes. Left out where no Chromium is installed.
 */
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { printLink } from '../../src/foundation/sessions/index.ts';
import { request } from '../support/api.ts';
import { hasBrowser, useBrowser } from '../support/browser.ts';
import { connectScim } from '../support/scim.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('the sign-in page', () => {
  let server: TestServer;
  let browser: Browser;
  const complaints: string[] = [];

  beforeAll(async () => {
    server = await useTestServer();
    browser = await useBrowser();
  }, 240_000);
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await server?.stop();
  });

  /** A page of a browser that nobody used before. What it complains of fails the test, but for an answer that a test wants. */
  const openPage = async (path: string, options: BrowserContextOptions = {}, wanted = /^$/): Promise<Page> => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !wanted.test(message.text())) {
        complaints.push(message.text());
      }
    });
    await page.goto(`${server.url}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const makeLink = async (): Promise<string> => (await printLink(server.system(), server.admin.id)).token;
  const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement?.textContent ?? ""');
  const button = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });
  const cookies = async (page: Page) => (await page.context().cookies()).filter(({ name }) => /session$/.test(name));

  it('spends a link by its button, which has the focus, and goes on to the start', async () => {
    const page = await openPage(`/sign-in#link=${await makeLink()}`, {}, /401/);
    await expect.poll(() => focused(page)).toBe('Sign in');
    expect(await cookies(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
    const [cookie] = await cookies(page);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    // The link is not in the history: back does not lead to it.
    expect(page.url()).not.toContain('link=');
  });

  it('is asked for again before a claim on a person is accepted, which then goes on by itself', async () => {
    const provider = { displayName: 'Sign-on', okta: { domain: 'sample.okta.com', oidcClientId: 'client', oidcClientSecret: 'secret' } };
    const made = await request(server, server.admin, 'POST', '/api/v1/auth-configs', provider);
    expect(made.status).toBe(200);
    const known = await server.makePerson('known@x.example');
    const source = await connectScim(server, 'Directory');
    await source.addUser('known', { displayName: 'Known anew', emails: [{ value: 'known@x.example' }] });
    const page = await openPage(`/sign-in#link=${await makeLink()}`, {}, /40[13]/);
    await button(page).click();
    await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
    await page.goto(`${server.url}/home`);
    await page.getByRole('main').getByText('1 change of a person waits.').waitFor();
    const entry = page.getByRole('navigation').getByRole('link', { name: 'Sources and imports' });
    await expect.poll(() => entry.textContent()).toMatch(/1$/);
    await page.goto(`${server.url}/sources`);
    await page.getByText('1 change of a person waits for you').waitFor();
    await server.test.admin(`UPDATE sessions SET created_at = created_at - interval '11 minutes' WHERE tenant_id = $1`, [server.id]);
    await page.getByRole('button', { name: 'Accept' }).click();
    // The provider is nowhere: the small window leaves that address again at once.
    const asked = page.context().waitForEvent('request', (request) => request.url().includes('fresh=1'));
    const [small] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: 'Sign in again' }).click()]);
    await asked;
    await small.goto(`${server.url}/sign-in?x=1#link=${await makeLink()}`);
    await button(small).click();
    await page.getByText('Accepted. The person is as the source reports').first().waitFor();
    await expect.poll(() => page.getByText('waits for you').count()).toBe(0);
    await expect.poll(() => entry.textContent()).not.toMatch(/1$/);
    const { body } = await request(server, server.admin, 'GET', `/api/v1/users/${known.id}`);
    expect(body.userView.user.displayName).toBe('Known anew');
    await request(server, server.admin, 'DELETE', `/api/v1/auth-configs/${made.body.authConfig.id}`, {});
  });

  it('does not spend a link that is only looked at', async () => {
    const token = await makeLink();
    const first = await openPage(`/sign-in#link=${token}`);
    await button(first).waitFor();
    await first.reload();
    await button(first).waitFor();
    const second = await openPage(`/sign-in#link=${token}`);
    await button(second).click();
    await second.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
    expect(await cookies(second)).toHaveLength(1);
  });

  it('refuses a link that was used, says why, and offers another way', async () => {
    const token = await makeLink();
    const first = await openPage(`/sign-in#link=${token}`);
    await button(first).click();
    await first.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
    const second = await openPage(`/sign-in#link=${token}`, {}, /401/);
    await button(second).click();
    const alert = second.getByRole('alert');
    await expect.poll(() => alert.textContent()).toContain('This link was used before, has expired');
    expect(await cookies(second)).toEqual([]);
    await second.getByRole('link', { name: 'Sign in another way' }).click();
    await expect.poll(() => new URL(second.url()).search).toBe('');
  });

  it('brings whoever is not signed in here, and does not name what they wanted', async () => {
    const page = await openPage('/home', {}, /401/);
    await page.waitForURL((url) => url.pathname === '/sign-in');
    expect(new URL(page.url()).searchParams.get('to')).toBe('/home');
    await page.getByText('After that you go on to the page you opened.').first().waitFor();
    expect(await page.locator('main').textContent()).not.toContain('home');
  });

  it('takes the words of an error from its own list alone', async () => {
    const page = await openPage(`/sign-in?error=${encodeURIComponent('<b>Call 555-0100</b> to sign in')}`);
    const alert = page.getByRole('alert');
    await expect.poll(() => alert.textContent()).toBe('Signing in did not work. Try again.');
    expect(await page.locator('body').textContent()).not.toContain('555');
  });

  it.each(['https://other.test/home', '//other.test/home', '/\\other.test', 'javascript:alert(1)'])('never leads to %s', async (to) => {
    await openPage('/sign-in');
    const page = await openPage(`/sign-in?to=${encodeURIComponent(to)}`);
    const leads = await page.locator('a').evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href));
    for (const href of leads) {
      expect(new URL(href).origin).toBe(new URL(server.url).origin);
      expect(href).not.toContain('other.test');
    }
  });

  it('lets browsers fill in the mail address', async () => {
    const page = await openPage('/sign-in');
    await page.route('**/auth/providers', (route) => route.fulfill({ json: { mailLinks: true } }));
    await page.reload();
    expect(await page.getByLabel('Mail address').getAttribute('autocomplete')).toBe('email');
  });

  it('says so where no way in is set up', async () => {
    const page = await openPage('/sign-in');
    await page.getByText('No way to sign in is set up yet.').first().waitFor();
  });

  it('says that TLS is missing before a link is spent in vain', async () => {
    const context = await browser.newContext();
    // No browser calls plain http at another name than localhost safe; here it is the one at localhost.
    await context.addInitScript('Object.defineProperty(window, "isSecureContext", { value: false })');
    const page = await context.newPage();
    await page.goto(`${server.url}/sign-in#link=${await makeLink()}`);
    await page.getByRole('alert').getByText('This address begins with http://').waitFor();
    expect(await button(page).count()).toBe(0);
  });

  it('says below a path of a proxy that it needs a host of its own, and nowhere else', async () => {
    const { port, host } = new URL(server.url);
    const proxy = createServer((asked, reply) => {
      const path = (asked.url ?? '/').replace(/^\/countersign/, '');
      if (path === asked.url) {
        reply.writeHead(404).end();
        return;
      }
      httpRequest({ host: '127.0.0.1', port, path, headers: { ...asked.headers, host } }, (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      }).end();
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    try {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`http://localhost:${(proxy.address() as AddressInfo).port}/countersign/sign-in`);
      expect(await page.getByText('Countersign needs a host of its own').isVisible()).toBe(true);
      const own = await openPage('/sign-in');
      expect(await own.getByText('Countersign needs a host of its own').count()).toBe(0);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  });

  it('fits a phone and shows the theme that was chosen from the first paint on', async () => {
    const page = await openPage('/sign-in', { viewport: { width: 360, height: 740 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.evaluate('localStorage.setItem("countersign.theme", "dark")');
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction('document.body !== null');
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await background()).not.toBe(light);
  });
});
