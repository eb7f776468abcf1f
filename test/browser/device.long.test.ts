/** Confirming a sign-in from a terminal in a real browser: the code, what asks, both answers, on a phone too. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('a sign-in from a terminal', () => {
  let server: TestServer;
  let browser: TestBrowser;

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const post = async (path: string, form: Record<string, string>): Promise<Record<string, string>> => {
    const response = await server.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'conductorone-sdk-go' },
      body: new URLSearchParams(form).toString(),
    });
    return (await response.json()) as Record<string, string>;
  };
  const client = { client_id: '2RGdOS94VDferT9e80mdgntl36K' };
  const poll = ({ device_code = '' }: Record<string, string>): Promise<Record<string, string>> =>
    post('/auth/v1/token', { ...client, device_code, grant_type: 'urn:ietf:params:oauth:grant-type:device_code' });

  it('is confirmed after signing in, by whoever compares the code', { timeout: 240_000 }, async () => {
    const begun = await post('/auth/v1/device_authorization', client);
    const address = new URL(begun['verification_uri_complete'] ?? '');
    const out = await browser.signedOutPage(server);
    await out.goto(address.pathname + address.search);
    await out.waitForURL(/\/sign-in\?to=/);
    expect(new URL(out.url()).searchParams.get('to')).toBe(address.pathname + address.search);
    const page = await browser.signedInPage(server, server.admin.id, { context: { reducedMotion: 'reduce' } });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(address.pathname + address.search);
    await page.getByText(begun['user_code'] ?? '', { exact: true }).waitFor();
    await page.getByText('A program that calls itself cone asks to act as you').waitFor();
    await page.getByText('If somebody sent you this address or code, refuse').waitFor();
    expect(await sidewaysPixels(page)).toBe(0);
    await checkAxe(page);
    await page.getByRole('button', { name: 'Confirm, it is my terminal' }).click();
    await page.getByText('Go back to your terminal').waitFor();
    expect((await poll(begun))['token_type']).toBe('Bearer');
  });

  it('is refused, with a code that is typed', { timeout: 240_000 }, async () => {
    const begun = await post('/auth/v1/device_authorization', client);
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto('/device');
    await page.getByLabel('Code').fill((begun['user_code'] ?? '').toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('The program gets nothing.').waitFor();
    expect((await poll(begun))['error']).toBe('access_denied');
  });
});
