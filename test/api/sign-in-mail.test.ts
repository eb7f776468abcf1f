/** Sign-in links by mail, from asking to the session: the same answer for everybody, one browser, no secret on the way. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { readMessage } from '../support/mail-server.ts';
import { startTestServer, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { cookieIn, openLink, originOf, requestWith } from '../support/sign-in.ts';

describe('a sign-in link by mail', () => {
  let server: TestServer;
  let person: TestPerson;
  let folder: string;
  let seen = 0;

  const ask = (body: unknown, headers: Readonly<Record<string, string>> = {}, on: TestServer = server): Promise<Response> =>
    on.fetch('/auth/link', {
      method: 'POST',
      headers: { origin: originOf(on), 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const mails = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.eml'));
  /** The text of the mail that comes next. */
  const nextMail = async (): Promise<string> => {
    await expect.poll(() => mails().length, { timeout: 120_000, interval: 100 }).toBe(seen + 1);
    const texts = mails().map((name) => readMessage(readFileSync(join(folder, name), 'utf8')).text);
    seen += 1;
    const fresh = texts.find((text) => !known.has(text)) ?? '';
    known.add(fresh);
    return fresh;
  };
  const known = new Set<string>();
  const tokenIn = (text: string): string => /\/sign-in#link=([\w-]{70})/.exec(text)?.[1] ?? '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-mails-'));
    const mail = { transport: { type: 'folder', folder }, from: 'countersign@example.com', perMinute: 300 } as const;
    server = await startTestServer({ config: { mail } });
    person = await server.makePerson('elif.sample@example.com');
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('signs in whoever asked, once, in the browser that asked, and leads on to where they wanted to go', async () => {
    expect(await (await server.fetch('/auth/providers')).json()).toMatchObject({ mailLinks: true });
    const asked = await ask({ email: ' Elif.Sample@Example.com ', to: '/r/1' });
    expect([asked.status, await asked.json()]).toEqual([200, {}]);
    expect(asked.headers.get('set-cookie')).toMatch(/^sign-in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
    const browser = cookieIn(asked, 'sign-in') ?? '';
    const token = tokenIn(await nextMail());
    expect(token).toHaveLength(70);
    expect((await openLink(server, token)).status).toBe(401);
    expect((await openLink(server, token, { cookie: `sign-in=${'x'.repeat(43)}` })).status).toBe(401);
    const opened = await openLink(server, token, { cookie: browser });
    expect([opened.status, await opened.clone().json()]).toEqual([200, { userId: person.id, to: '/r/1' }]);
    expect((await requestWith(server, cookieIn(opened) ?? '', 'GET', '/api/v1/auth/introspect')).body.userId).toBe(person.id);
    expect((await openLink(server, token, { cookie: browser })).status).toBe(401);
  });

  it('leaves its secret in no table, no event and no answer', async () => {
    const asked = await ask({ email: person.email, to: 'https://evil.example' });
    const browser = cookieIn(asked, 'sign-in') ?? '';
    const token = tokenIn(await nextMail());
    const { db } = server.system();
    for (const table of ['sign_in_links', 'mails', 'mail_outbox', 'deliveries', 'events']) {
      const rows = JSON.stringify(await db.rows(`SELECT to_jsonb(x) AS row FROM ${table} x WHERE x.tenant_id = $1`, [server.id]));
      expect([table, rows.includes(token.slice(27)), rows.includes(browser.split('=')[1] ?? '')]).toEqual([table, false, false]);
    }
    const { body } = await request(server, server.admin, 'GET', '/api/v1/mails');
    const mail = await request(server, server.admin, 'GET', `/api/v1/mails/${body.list[0].id}`);
    expect([mail.status, JSON.stringify(mail.body).includes(token)]).toEqual([200, false]);
    expect(JSON.stringify(mail.body)).toContain('the link was left out');
    const opened = await openLink(server, token, { cookie: browser });
    expect(await opened.json()).toEqual({ userId: person.id, to: '/' });
  });

  it('answers the same for whoever is not known or may not sign in, and sends them nothing', async () => {
    const gone = await server.makePerson('gone@example.com');
    await server.test.admin("UPDATE countersign.users SET status = 'DISABLED' WHERE tenant_id = $1 AND id = $2", [server.id, gone.id]);
    for (const address of ['nobody@example.com', 'gone@example.com']) {
      const answer = await ask({ email: address });
      expect([address, answer.status, await answer.json()]).toEqual([address, 200, {}]);
      expect(answer.headers.get('set-cookie')).toMatch(/^sign-in=[\w-]{43};/);
    }
    const refused = (): Promise<unknown[]> =>
      server
        .system()
        .db.rows("SELECT target_id FROM events WHERE tenant_id = $1 AND kind = 'session.refused' AND target_type = 'user'", [server.id]);
    await expect.poll(refused, { timeout: 60_000 }).toEqual([{ target_id: gone.id }]);
    const { n } = await server
      .system()
      .db.one<{ n: number }>('SELECT count(*) AS n FROM sign_in_links WHERE tenant_id = $1 AND user_id = $2', [server.id, gone.id]);
    expect([n, mails().length]).toEqual([0, seen]);
  });

  it('comes whatever the person turned off', async () => {
    const off = { channelSettings: { email: { enabled: false } } };
    expect((await request(server, server.admin, 'POST', '/api/v1/settings/notifications/user', off)).status).toBe(200);
    await ask({ email: server.admin.email });
    expect(tokenIn(await nextMail())).toHaveLength(70);
  });

  it('is asked for three times in ten minutes at most, known or not', async () => {
    for (const address of ['often@example.com', 'OFTEN@example.com', 'often@example.com']) {
      expect((await ask({ email: address })).status).toBe(200);
    }
    const answer = await ask({ email: 'often@example.com' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '600']);
  });

  it('is refused to other sites, and for what is no address', async () => {
    expect((await ask({ email: person.email }, { origin: 'https://evil.example' })).status).toBe(403);
    const form = await ask({ email: person.email }, { 'content-type': 'text/plain' });
    expect(form.status).toBe(400);
    for (const body of [{}, { email: '' }, { email: 7 }, { email: 'a b@example.com' }, { email: `${'x'.repeat(400)}@example.com` }, []]) {
      expect([body, (await ask(body)).status]).toEqual([body, 400]);
    }
  });

  it('is not there where no mail leaves', async () => {
    const silent = await useTestServer();
    expect(await (await silent.fetch('/auth/providers')).json()).toMatchObject({ mailLinks: false });
    expect((await ask({ email: silent.admin.email }, {}, silent)).status).toBe(400);
    await silent.stop();
  });
});
