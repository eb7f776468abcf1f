/** Mails from the event to the server that takes them: a real one, in this process. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { type MailServer, readMessage, startMailServer } from '../support/mail-server.ts';
import { startTestServer, useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let mail: MailServer;
let appId: string;

const people = `email,display_name,manager_email
max@mail.example,Max Manager,
ann@mail.example,Ann,max@mail.example
bob@mail.example,"Bob <b>""\nBcc: x@evil.example",max@mail.example`;
const grants = `account,email,account_type,account_status,resource_type,resource,entitlement
a1,ann@mail.example,USER,ENABLED,role,Ledger,pay
a1,ann@mail.example,USER,ENABLED,role,Ledger,read
a2,bob@mail.example,USER,ENABLED,role,Ledger,pay`;

const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);

/** A review over the app that was started. */
async function open(displayName: string, more: object): Promise<string> {
  const made = await admin('POST', '/api/v1/access_review', { displayName });
  const { id } = made.body.accessReview.accessReview;
  expect((await admin('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId }, ...more } })).status).toBe(200);
  for (const [action, state] of [
    ['prepare', 'REVIEW'],
    ['start', 'OPEN'],
  ] as const) {
    expect((await admin('POST', `/api/v1/access_review/${id}/action/${action}`, {})).status).toBe(200);
    await vi.waitFor(async () => expect((await read(id)).state).toBe(`ACCESS_REVIEW_STATE_${state}`), { timeout: 60_000 });
  }
  return id;
}
const read = async (id: string): Promise<Loose> => (await admin('GET', `/api/v1/access_review/${id}`)).body.accessReview.accessReview;
const eventsOf = (reviewId: string): Promise<Loose[]> =>
  server.test.admin("SELECT kind, data FROM events WHERE review_id = $1 AND kind LIKE 'mail.%' ORDER BY id", [reviewId]);

beforeAll(async () => {
  mail = await startMailServer();
  server = await startTestServer({ config: { mail: { transport: mail.transport, from: 'countersign@mail.example', perMinute: 100_000 } } });
  await sendFile(server, server.admin, '/api/v1/imports/people', people);
  appId = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Ledger', grants)).body.import.appId;
});
afterAll(async () => {
  await server.stop();
  await mail.close();
});

describe('the mail of a start', () => {
  it('goes to each person who is asked, once, with what they need', async () => {
    const id = await open('Quarter <3>', {
      reviewInstructions: 'Look *closely*.\n\n<script>alert(1)</script>',
      notificationConfig: { sendKickoff: true },
      completionDate: '2099-06-30T12:00:00Z',
    });
    await vi.waitFor(async () => expect((await eventsOf(id)).map(({ kind }) => kind)).toEqual(['mail.sent']), { timeout: 60_000 });
    const [taken, ...more] = mail.to('max@mail.example');
    expect(more).toEqual([]);
    const { headers, text, html } = readMessage(taken?.raw ?? '');
    expect(headers.get('subject')).toBe('3 items of the access review "Quarter <3>" wait for you');
    expect(headers.get('to')).toBe('Max Manager <max@mail.example>');
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(text).toContain('3 items wait for your decision. It is due on Tuesday, 30 June 2099');
    expect(text).toContain('> Look *closely*.');
    expect(text).toContain(`Review them: http://${server.host}/reviews/${id}`);
    expect(html).toContain('Look <em>closely</em>.');
    expect(html).not.toContain('<script>');
    expect((await eventsOf(id))[0]?.data).toMatchObject({ address: 'max@mail.example', attempts: 1, subject: headers.get('subject') });
  });

  it('is not sent where the review does not ask for it', async () => {
    const before = mail.taken.length;
    const id = await open('Silent', { notificationConfig: { sendKickoff: false } });
    expect(await eventsOf(id)).toEqual([]);
    expect(mail.taken).toHaveLength(before);
  });
});

describe('mails as administrators see them', () => {
  it('are listed and shown, over HTTP and by the command line', async () => {
    const id = await open('Listed', { notificationConfig: { sendKickoff: true } });
    await vi.waitFor(async () => expect(await eventsOf(id)).toHaveLength(1), { timeout: 60_000 });
    const notices = await admin('GET', `/api/v1/access_review/${id}/notices`);
    expect(notices.body.list).toMatchObject([
      { kind: 'KICKOFF', subjectId: id, mail: { address: 'max@mail.example', state: 'MAIL_STATE_SENT', attempts: 1, text: '' } },
    ]);
    const mailId = notices.body.list[0].mail.id;
    const shown = await admin('GET', `/api/v1/mails/${mailId}`);
    expect(shown.body.mail.text).toContain('3 items wait for your decision.');
    expect(shown.body.mail.digest).toMatch(/^[0-9a-f]{64}$/);
    const env = environmentFor(server.url, server.admin.credential);
    const listed = await runInProcess(['mail', 'list', '--state', 'sent'], { env });
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('3 items of the access review "Listed" wait for you') });
    expect((await runInProcess(['mail', 'list', '--review', id], { env })).stdout).toMatch(/KICKOFF +max@mail\.example +sent/);
    expect((await runInProcess(['mail', 'show', mailId], { env })).stdout).toContain('Hello Max Manager,');
  });
});

describe('settings', () => {
  const own = '/api/v1/settings/notifications/user';
  const org = '/api/v1/settings/notifications/org';
  const provider = '/api/v1/settings/email-provider';

  it('spare people mails that they turn off, where the organization leaves it to them', async () => {
    const found = await admin('POST', '/api/v1/search/users', { query: 'Max', pageSize: 10 });
    const max = await server.issueClient(found.body.list[0].user.id);
    const asMax = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, max, method, path, body);
    const off = { channelSettings: { email: { enabled: true, reviews: { enabled: false } } } };
    const set = await asMax('POST', own, off);
    expect(set).toMatchObject({ status: 200 });
    expect(set.body.userNotificationSettings.channelSettings.email).toMatchObject({
      enabled: true,
      reviews: { enabled: false },
      taskReminders: { enabled: true },
    });
    const id = await open('Spared', { notificationConfig: { sendKickoff: true } });
    await vi.waitFor(async () => expect((await eventsOf(id)).map(({ kind }) => kind)).toEqual(['mail.dropped']), { timeout: 60_000 });
    expect(mail.taken.some(({ raw }) => raw.includes('Spared'))).toBe(false);
    const locked = { channelSettings: { email: { enabled: true, reviews: { enabled: true, locked: true } } } };
    expect((await admin('POST', org, locked)).status).toBe(200);
    expect((await asMax('GET', own)).body.userNotificationSettings.channelSettings.email.reviews).toEqual({ enabled: true, locked: true });
    expect((await asMax('POST', org, locked)).status).toBe(403);
    const weekly = { channelSettings: { email: { digest: { enabled: true } } } };
    expect(violatedFields(await asMax('POST', own, weekly))).toEqual(['channelSettings.email.digest.enabled']);
  });

  it('say whom mails come from, and a test of them says what the server answered', async () => {
    const hostile = 'Reviews\r\nBcc: x@evil.example';
    for (const fromName of [hostile, 'Reviews\u202Emoc.live@', 'Re\u0007views', 'Reviews\u2028']) {
      const answer = await admin('POST', provider, { emailProvider: { fromName, c1Builtin: {} } });
      expect([fromName, answer.status, violatedFields(answer)]).toEqual([fromName, 400, ['emailProvider.fromName']]);
    }
    const sender = { fromName: 'Reviews', fromAddress: 'reviews@mail.example', replyToAddress: 'help@mail.example' };
    const set = await admin('POST', provider, { emailProvider: { ...sender, c1Builtin: {} } });
    // One from before names were held to that.
    await server.test.admin(
      `UPDATE email_providers SET document = document || jsonb_build_object('fromName', $2::text) WHERE tenant_id = $1`,
      [server.id, hostile],
    );
    expect(set.body.emailProvider).toMatchObject({ fromAddress: 'reviews@mail.example', c1Builtin: {} });
    expect(await admin('POST', `${provider}/test`, { testRecipientEmail: 'you@mail.example' })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    const { headers } = readMessage(mail.to('you@mail.example')[0]?.raw ?? '');
    expect(headers.get('from')).toContain('<reviews@mail.example>');
    expect([headers.get('reply-to'), headers.get('bcc')]).toEqual(['help@mail.example', undefined]);
    mail.behave({ refuse: { code: 550, text: 'no such person' } });
    const refused = await admin('POST', `${provider}/test`, { testRecipientEmail: 'you@mail.example' });
    mail.behave(undefined);
    expect(refused.body).toMatchObject({ success: false, message: expect.stringContaining('no such person') });
    const wrong = await admin('POST', provider, { emailProvider: { fromAddress: 'a@b, c@d', sendgrid: { apiKey: 'secret' } } });
    expect(violatedFields(wrong)).toEqual(['emailProvider.sendgrid', 'emailProvider.fromAddress']);
    expect(JSON.stringify(wrong.body)).not.toContain('secret');
    expect((await admin('GET', '/api/v1/settings/email-capabilities')).body).toEqual({ externalEmailSupported: true });
    expect((await admin('POST', `${provider}/audit-events`, {})).body.list.length).toBeGreaterThan(0);
  });
});

describe('without a way out', () => {
  it('a review that asks for mail says so, and starts all the same', async () => {
    const bare = await useTestServer();
    try {
      await sendFile(bare, bare.admin, '/api/v1/imports/people', people);
      const { appId: app } = (await sendFile(bare, bare.admin, '/api/v1/imports/grants?app=Ledger', grants)).body.import;
      const call = (method: string, path: string, body?: unknown): Promise<Answer> => request(bare, bare.admin, method, path, body);
      const { id } = (await call('POST', '/api/v1/access_review', { displayName: 'Bare' })).body.accessReview.accessReview;
      const notificationConfig = { sendKickoff: true, sendClose: true };
      await call('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId: app }, notificationConfig } });
      const warning = expect.stringMatching(
        /sends no mail\. Nobody will be told that it starts, nor that it is closed\. Tell the reviewers yourself/,
      );
      expect((await call('POST', `/api/v1/access_review/${id}/preview`, {})).body.warnings).toEqual([warning]);
      const { reach } = (await call('POST', `/api/v1/access_review/${id}/preview`, {})).body;
      expect(reach).toEqual({ sendsMail: false, signsIn: false, withoutAddress: '0', withoutAddressNames: [] });
      const env = environmentFor(bare.url, bare.admin.credential);
      const said = { code: 0, stderr: expect.stringMatching(/^warning: This installation sends no mail/m) };
      expect(await runInProcess(['review', 'preview', id], { env })).toMatchObject(said);
      expect(await runInProcess(['review', 'prepare', id], { env })).toMatchObject(said);
      expect(await runInProcess(['review', 'start', id], { env })).toMatchObject(said);
      expect((await call('POST', `/api/v1/access_review/${id}/action/start`, {})).body.warnings).toEqual([warning]);
      const recorded = () => bare.test.admin("SELECT data FROM events WHERE review_id = $1 AND kind = 'mail.not_configured'", [id]);
      await vi.waitFor(async () => expect(await recorded()).toEqual([{ data: { asked: ['sendKickoff', 'sendClose'] } }]), {
        timeout: 60_000,
      });
      expect((await call('GET', `/api/v1/access_review/${id}/notices`)).body.list).toEqual([]);
    } finally {
      await bare.stop();
    }
  });
});
