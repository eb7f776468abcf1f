/** Settings of a tenant, over HTTP and by the command line. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, violatedFields } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { requestWith, signIn } from '../support/sign-in.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

let server: TestServer;
let reader: TestPerson;
let basic: TestPerson;
const path = '/api/v1/settings/tenant';

beforeAll(async () => {
  server = await useTestServer();
  reader = await server.makePerson('reader@example.com', ['READ_ONLY_ADMINISTRATOR']);
  basic = await server.makePerson('basic@example.com');
});
afterAll(() => server.stop());

const usual = {
  displayName: expect.any(String),
  sessionIdle: '1800s',
  sessionLength: '43200s',
  mailSignIn: 'MAIL_SIGN_IN_UNSPECIFIED',
  mailSignInNow: 'MAIL_SIGN_IN_EVERYBODY',
  issuedAnswers: 'ISSUED_ANSWERS_WITHOUT_OTHER_SIGN_IN',
  restoreTakes: 'RESTORE_TAKES_ONE',
};

describe('the time zone of a tenant', () => {
  it('is UTC, until somebody sets another', async () => {
    expect(await request(server, reader, 'GET', path)).toEqual({ status: 200, body: { settings: { timeZone: 'UTC', ...usual } } });
    const set = await request(server, server.admin, 'POST', path, { settings: { timeZone: 'Europe/Berlin' } });
    expect(set).toEqual({ status: 200, body: { settings: { timeZone: 'Europe/Berlin', ...usual } } });
    // An update that says nothing of it leaves it alone; the empty one takes it back.
    expect((await request(server, server.admin, 'POST', path, { settings: {} })).body.settings).toEqual({
      timeZone: 'Europe/Berlin',
      ...usual,
    });
    expect((await request(server, server.admin, 'POST', path, { updateMask: 'timeZone' })).body.settings).toEqual({
      timeZone: 'UTC',
      ...usual,
    });
  });

  it.each(['Mars/Olympus', '+02:00', 'x'.repeat(300)])('is refused: %s', async (timeZone) => {
    const refused = await request(server, server.admin, 'POST', path, { settings: { timeZone } });
    expect(refused.status).toBe(400);
    expect(violatedFields(refused)).toEqual(['settings.timeZone']);
  });

  it('is for administrators', async () => {
    expect((await request(server, undefined, 'GET', path)).status).toBe(401);
    expect((await request(server, basic, 'GET', path)).status).toBe(403);
    expect((await request(server, reader, 'POST', path, { settings: { timeZone: 'UTC' } })).status).toBe(403);
  });

  it('is shown and set by the command line', async () => {
    const env = environmentFor(server.url, server.admin.credential);
    expect(await runInProcess(['mail', 'time-zone', 'Asia/Kolkata'], { env })).toMatchObject({ code: 0, stdout: 'Asia/Kolkata\n' });
    expect(await runInProcess(['mail', 'time-zone'], { env })).toMatchObject({ code: 0, stdout: 'Asia/Kolkata\n' });
    expect((await runInProcess(['mail', 'sign-in'], { env })).stdout).toBe('default, which is everybody\n');
    expect((await runInProcess(['mail', 'sign-in', 'nobody'], { env })).stdout).toBe('nobody\n');
    expect((await runInProcess(['mail', 'sign-in', 'default'], { env })).stdout).toBe('default, which is everybody\n');
    expect((await runInProcess(['mail', 'sign-in', 'some'], { env })).code).toBe(2);
    const issued = (...when: string[]) => runInProcess(['credential', 'issued-answers', ...when], { env });
    expect((await issued()).stdout).toBe('without-other-sign-in\n');
    expect((await issued('never')).stdout).toBe('never\n');
    expect((await issued('without-other-sign-in')).stdout).toBe('without-other-sign-in\n');
    expect((await issued('perhaps')).code).toBe(2);
    // Words that every object of JavaScript knows.
    expect([await issued('constructor'), await issued('toString'), await issued('__proto__')].map(({ code }) => code)).toEqual([2, 2, 2]);
  });
});

describe('the name of a company', () => {
  const rename = (displayName: string) => request(server, server.admin, 'POST', path, { settings: { displayName } });

  it('is what people sign in to, and each change of it is in the log', async () => {
    const { displayName: before } = (await request(server, reader, 'GET', path)).body.settings;
    expect((await rename('  Sample Company ')).body.settings).toMatchObject({ displayName: 'Sample Company' });
    const { db } = server.system();
    const events = await db.rows("SELECT data FROM events WHERE tenant_id = $1 AND kind = 'tenant.renamed'", [server.id]);
    expect(events).toEqual([{ data: { from: before, to: 'Sample Company' } }]);
    expect((await rename(before)).status).toBe(200);
  });

  it.each(['', '   ', 'x'.repeat(201)])('is refused: %j', async (displayName) => {
    const refused = await request(server, server.admin, 'POST', path, { settings: { displayName }, updateMask: 'displayName' });
    expect([refused.status, violatedFields(refused)]).toEqual([400, ['settings.displayName']]);
  });

  it('is changed by administrators alone', async () => {
    expect((await request(server, reader, 'POST', path, { settings: { displayName: 'Mine' } })).status).toBe(403);
  });
});

describe('how long sessions live', () => {
  const set = (settings: object, updateMask?: string) => request(server, server.admin, 'POST', path, { settings, updateMask });

  it('is set, acts on the sessions that are there, and is taken back', async () => {
    const cookie = await signIn(server, basic.id);
    const mine = () => requestWith(server, cookie, 'GET', '/api/v1/my/session');
    const lasts = async (): Promise<number[]> => {
      const { session, expiresAt, idleExpiresAt } = (await mine()).body;
      const seconds = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;
      return [seconds(session.lastUsedAt, idleExpiresAt), seconds(session.createdAt, expiresAt)];
    };
    expect((await set({ sessionIdle: '600s', sessionLength: '3600s' })).body.settings).toMatchObject({
      sessionIdle: '600s',
      sessionLength: '3600s',
    });
    expect(await lasts()).toEqual([600, 3_600]);
    await server
      .system()
      .db.run("UPDATE sessions SET last_used_at = last_used_at - interval '11 minutes' WHERE tenant_id = $1", [server.id]);
    expect((await mine()).status).toBe(401);
    expect((await set({}, 'sessionIdle,sessionLength')).body.settings).toMatchObject(usual);
    const events = await server
      .system()
      .db.rows("SELECT data FROM events WHERE tenant_id = $1 AND kind = 'tenant.session_limits_changed' ORDER BY id", [server.id]);
    expect(events).toMatchObject([
      { data: { from: { idleSeconds: 1_800 }, to: { idleSeconds: 600, lengthSeconds: 3_600 } } },
      { data: { to: { idleSeconds: 1_800, lengthSeconds: 43_200 } } },
    ]);
  });

  it.each([
    ['settings.sessionIdle', { sessionIdle: '299s' }],
    ['settings.sessionIdle', { sessionIdle: '2592001s' }],
    ['settings.sessionIdle', { sessionIdle: '300.5s' }],
    ['settings.sessionIdle', { sessionIdle: '50000s' }],
    ['settings.sessionLength', { sessionLength: '0s' }],
    ['settings.sessionLength', { sessionLength: '-600s' }],
  ])('is refused for %s: %j', async (field, settings) => {
    const refused = await set(settings);
    expect([refused.status, violatedFields(refused)]).toEqual([400, [field]]);
  });
});
