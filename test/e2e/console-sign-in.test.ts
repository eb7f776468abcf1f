/** Signing in as a person does, in a real browser: by a provider, by a link, by a link that was used, and out again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printLink } from '../../src/foundation/sessions/index.ts';
import { request } from '../support/api.ts';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('signing in with a browser', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let idp: IdentityProvider;

  beforeAll(async () => {
    server = await startTestServer({ allowsLocalIssuers: true });
    idp = await startIdentityProvider();
    const { clientId: oidcClientId, clientSecret: oidcClientSecret, issuer: issuerId } = idp;
    const made = await request(server, server.admin, 'POST', '/api/v1/auth-configs', {
      displayName: 'Sample Sign-on',
      oidc: { issuerId, oidcClientId, oidcClientSecret },
    });
    idp.allow(`${server.url}/auth/callback/${made.body.authConfig.id}`);
    browser = await openBrowser();
    // The provider is another host, to which the browser is sent.
    browser.expectComplaint(new RegExp(`a request to ${new URL(idp.issuer).host}$`));
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await idp?.stop();
    await server?.stop();
  });

  it('by a provider leads to where somebody wanted to go, and an unknown person back with the reason', { timeout: 240_000 }, async () => {
    const page = await browser.signedOutPage(server);
    idp.account = { sub: 'nobody', email: 'nobody@example.com', email_verified: true };
    await page.goto('/sign-in?to=/apps');
    await page.getByText('Continue with Sample Sign-on').click();
    await page.getByText('Nobody here has the address of this account.').waitFor();
    // The provider remembers who signed in there.
    const other = await browser.signedOutPage(server);
    idp.account = { sub: 'admin', email: server.admin.email, email_verified: true };
    await other.goto('/sign-in?to=/apps');
    await other.getByText('Continue with Sample Sign-on').click();
    await other.waitForURL(/\/apps$/);
    await expect.poll(() => other.locator('h1').first().textContent(), { timeout: 120_000 }).toBe('Apps');
    expect((await other.context().cookies(server.url)).find(({ name }) => name === 'session')).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    });
  });

  it('by a link needs a press of the button, and works once', { timeout: 240_000 }, async () => {
    const { token } = await printLink(server.system(), server.admin.id);
    const page = await browser.signedOutPage(server);
    for (let visits = 0; visits < 2; visits++) {
      await page.goto(`/sign-in#link=${token}`);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
    }
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/(home|start)$/);
    expect(page.url()).not.toContain(token);
    const second = await browser.signedOutPage(server);
    await second.goto(`/sign-in#link=${token}`);
    await second.getByRole('button', { name: 'Sign in' }).click();
    await second.getByText('This link was used before').waitFor();
  });
});
