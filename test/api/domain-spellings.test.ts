/** Addresses whose domain is internationalised: in its letters and by its A-labels they are one, in files, pushes, searches and sign-in. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../src/context.ts';
import { recordEvent } from '../../src/foundation/audit/index.ts';
import { reactions } from '../../src/reactions.ts';
import { type Answer, type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { findInDump } from '../support/dump.ts';
import { type IdentityProvider, openBrowser, startIdentityProvider } from '../support/identity-provider.ts';
import { readMessage } from '../support/mail-server.ts';
import { connectScim, patch, type ScimClient, urn } from '../support/scim.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { cookieIn, openLink, originOf, requestWith } from '../support/sign-in.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let scim: ScimClient;
let idp: IdentityProvider;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-mails-'));
  const mail = { transport: { type: 'folder', folder }, from: 'countersign@example.com', perMinute: 300 } as const;
  server = await startTestServer({ config: { mail }, allowsLocalIssuers: true });
  scim = await connectScim(server, 'Directory');
  idp = await startIdentityProvider();
});
afterAll(async () => {
  await checkInventory(server.test.admin, server.id);
  await idp.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await admin(method, path, body);
  expect([path, answer.status, answer.body.message]).toEqual([path, 200, undefined]);
  return answer.body;
};
const byAddress = async (email: string): Promise<Loose> => (await ok('POST', '/api/v1/search/users', { email })).list[0]?.user;
const importFile = async (path: string, file: string): Promise<Loose> => {
  const { status, body } = await sendFile(server, server.admin, `/api/v1/imports/${path}&allow_removals=true`, file);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.import;
};
const importPeople = (file: string): Promise<Loose> => importFile('people?source=hr', file);
const header = 'email,display_name,username,manager\n';
/** The accounts of an app: owner, address as shown, and whether it is of a foreign domain. */
const accounts = async (appId: string): Promise<Loose> => {
  const { list } = await ok('GET', `/api/v1/apps/${appId}/app_users?page_size=100`);
  return Object.fromEntries(list.map(({ appUser }: Loose) => [appUser.displayName, [appUser.identityUserId, appUser.email]]));
};

it('in files: one person, whose accounts are theirs, each address as it was written', async () => {
  await importPeople(
    `${header}anna@bücher.example,Anna,anna@xn--bcher-kva.example,\nBen@XN--Bcher-KVA.example,Ben,,anna@xn--bcher-kva.example\ncem@bücher.example,Cem,,ben@BÜCHER。example\n`,
  );
  const [anna, ben, cem] = [
    await byAddress('anna@xn--bcher-kva.example'),
    await byAddress('ben@bücher.example'),
    await byAddress('cem@ｂücher.example'),
  ];
  expect([anna.email, ben.email, cem.email]).toEqual(['anna@bücher.example', 'Ben@XN--Bcher-KVA.example', 'cem@bücher.example']);
  expect([ben.managerIds, cem.managerIds]).toEqual([[anna.id], [ben.id]]);
  const { appId, warnings } = await importFile(
    'grants?app=Wiki',
    'account,email,entitlement\n1,ANNA@xn--bcher-kva.example,Read\n1,anna@bücher.example,Write\n2,ben@bücher.example,Read\nanna@bücher.example,,Read\n',
  );
  expect(warnings).toEqual([]);
  expect(await accounts(appId)).toEqual({
    1: [anna.id, 'anna@xn--bcher-kva.example'],
    2: [ben.id, 'ben@bücher.example'],
    'anna@bücher.example': [anna.id, ''],
  });
  const foreign = await ok('POST', '/api/v1/search/app_users', { appIds: [appId], appUserDomains: ['APP_USER_DOMAIN_EXTERNAL'] });
  expect(foreign.list).toEqual([]);
  // The same person by another spelling, and no other one.
  const again = await importPeople(
    `${header}anna@xn--bcher-kva.example,Anna,anna@xn--bcher-kva.example,\nBen@XN--Bcher-KVA.example,Ben,,anna@bücher.example\ncem@bücher.example,Cem,,ben@bücher.example\n`,
  );
  expect([again.added, again.changed, again.removed]).toEqual(['0', '1', '0']);
  expect(await byAddress('anna@bücher.example')).toMatchObject({ id: anna.id, email: 'anna@xn--bcher-kva.example' });
  const { status, body } = await sendFile(
    server,
    server.admin,
    '/api/v1/imports/people?source=hr&allow_removals=true',
    `${header}dora@bücher.example,Dora,,\ndora@xn--bcher-kva.example,Dora Two,,\n`,
  );
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('stands on line 2 already')]);
});

it('of those whose domain is none there is a key, too', async () => {
  const file = `${header}anna@xn--zzzz99999.example,Eva,,\nanna@-ü-..example,Fay,,\n`;
  const { added } = await importFile('people?source=odd', file);
  expect(added).toBe('2');
  expect((await byAddress('ANNA@xn--zzzz99999.example')).displayName).toBe('Eva');
  expect((await byAddress('anna@-Ü-..example')).displayName).toBe('Fay');
});

it('over SCIM: one person, and refused for a second one', async () => {
  const push = (userName: string, email: string): ReturnType<ScimClient['send']> =>
    scim.send('POST', '/Users', {
      schemas: [urn.user],
      userName,
      active: true,
      displayName: userName,
      emails: [{ value: email, primary: true }],
    });
  const gil = await push('gil@xn--bcher-kva.example', 'gil@xn--bcher-kva.example');
  expect(gil.status).toBe(201);
  expect((await push('GIL@bücher.example', 'other@bücher.example')).status).toBe(409);
  const found = await scim.send('GET', `/Users?filter=${encodeURIComponent('userName eq "gil@bücher.example"')}`);
  expect(found.body.Resources.map((one: Loose) => [one.id, one.userName])).toEqual([[gil.body.id, 'gil@xn--bcher-kva.example']]);
  const person = await byAddress('gil@bücher.example');
  const moved = await scim.send(
    'PATCH',
    `/Users/${gil.body.id}`,
    patch({ op: 'replace', path: 'emails', value: [{ value: 'gil@bücher.example', primary: true }] }),
  );
  expect(moved.status).toBe(200);
  expect(await byAddress('gil@xn--bcher-kva.example')).toMatchObject({ id: person.id, email: 'gil@bücher.example' });
  // Another spelling is no other address.
  expect(await server.test.admin('SELECT FROM address_changes WHERE tenant_id = $1', [server.id])).toEqual([]);
});

it('of two people whose addresses an upgrade found to be one, the one without the key can be changed, and has it once the other one is gone', async () => {
  const pushed = await scim.send('POST', '/Users', {
    schemas: [urn.user],
    userName: 'kai',
    active: true,
    displayName: 'Kai',
    emails: [{ value: 'kai@bücher.example', primary: true }],
  });
  const { id } = await byAddress('kai@bücher.example');
  await importFile('people?source=staff', 'email,display_name,employee_id\nlou@bücher.example,Lou,77\n');
  const lou = await byAddress('lou@bücher.example');
  // As the upgrade leaves them.
  for (const one of [id, lou.id]) {
    await server.test.admin(`UPDATE users SET email_key = replace(email_key, 'bücher', 'xn--bcher-kva') WHERE tenant_id = $1 AND id = $2`, [
      server.id,
      one,
    ]);
  }
  const [holder, holderOfLou] = [
    await server.makePerson('kai@xn--bcher-kva.example'),
    await server.makePerson('lou@xn--bcher-kva.example'),
  ];
  const change = (path: string, value: unknown): ReturnType<ScimClient['send']> =>
    scim.send('PATCH', `/Users/${pushed.body.id}`, patch({ op: 'replace', path, value }));
  const statusOf = async (one: string): Promise<string> => (await ok('GET', `/api/v1/users/${one}`)).userView.user.status;
  expect((await change('active', false)).status).toBe(200);
  expect(await statusOf(id)).toBe('DISABLED');
  expect((await change('active', true)).status).toBe(200);
  expect((await change('emails', [{ value: 'Kai@bücher.example', primary: true }])).status).toBe(409);
  expect((await byAddress('kai@bücher.example')).id).toBe(holder.id);
  const again = await importFile('people?source=staff', 'email,display_name,employee_id\nlou@bücher.example,Lou Lee,77\n');
  expect([again.added, again.changed]).toEqual(['0', '1']);
  expect(await ok('GET', `/api/v1/users/${lou.id}`)).toMatchObject({
    userView: { user: { displayName: 'Lou Lee', email: 'lou@bücher.example' } },
  });
  expect((await byAddress('lou@bücher.example')).id).toBe(holderOfLou.id);
  await server.test.admin(`UPDATE users SET status = 'DISABLED' WHERE tenant_id = $1 AND id = ANY ($2)`, [
    server.id,
    [holder.id, holderOfLou.id],
  ]);
  expect((await change('emails', [{ value: 'Kai@bücher.example', primary: true }])).status).toBe(200);
  expect((await byAddress('kai@xn--bcher-kva.example')).id).toBe(id);
  await importFile('people?source=staff', 'email,display_name,employee_id\nlou@bücher.example,Lou,77\n');
  expect((await byAddress('lou@xn--bcher-kva.example')).id).toBe(lou.id);
});

it('for the first administrators: nobody is made beside whoever has the address', async () => {
  await server.makePerson('ida@bücher.example');
  await expect(server.makePerson('ida@xn--bcher-kva.example')).rejects.toMatchObject({ code: 'CONFLICT' });
});

it('in an erasure: the address goes wherever it stands, however it is spelled', async () => {
  const second = await server.makePerson('second@example.com', ['SUPER_ADMINISTRATOR']);
  await importFile('people?source=gone', 'email,display_name\nmortimer@bücher.example,Mortimer Aldous\n');
  const { id } = await byAddress('mortimer@bücher.example');
  for (const address of ['mortimer@xn--bcher-kva.example', 'Mortimer@Bücher.example']) {
    const data = { address, outcome: 'SENT', answer: '' };
    await inTransaction({ ...server.system(), react: reactions }, (inside) =>
      recordEvent(inside, { kind: 'email_provider.tested', targetId: server.id, data }),
    );
  }
  const asked = await ok('POST', `/api/v1/users/${id}/erase`, { reason: 'They asked for it' });
  const confirmed = await request(server, second, 'POST', `/api/v1/second_person_requests/${asked.request.id}/confirm`, {});
  expect(confirmed.status).toBe(200);
  await until(async () => {
    const [row] = await server.test.admin('SELECT erased_at FROM users WHERE tenant_id = $1 AND id = $2', [server.id, id]);
    expect(row?.erased_at).not.toBeNull();
  });
  expect(await findInDump(server, ['mortimer'])).toEqual([]);
});

it('by a link and by a provider', async () => {
  const jo = await server.makePerson('jo@bücher.example');
  const asked = await server.fetch('/auth/link', {
    method: 'POST',
    headers: { origin: originOf(server), 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'Jo@xn--bcher-kva.example' }),
  });
  const mails = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.eml'));
  await expect.poll(() => mails().length, { timeout: 120_000, interval: 100 }).toBe(1);
  const mail = readFileSync(join(folder, mails()[0] ?? ''), 'utf8');
  expect(mail).toContain('jo@xn--bcher-kva.example');
  const token = /\/sign-in#link=([\w-]{70})/.exec(readMessage(mail).text)?.[1] ?? '';
  const opened = await openLink(server, token, { cookie: cookieIn(asked, 'sign-in') ?? '' });
  expect([opened.status, ((await opened.json()) as Loose).userId]).toEqual([200, jo.id]);

  const { clientId: oidcClientId, clientSecret: oidcClientSecret, issuer: issuerId } = idp;
  const made = await ok('POST', '/api/v1/auth-configs', {
    displayName: 'Sample Sign-on',
    bootstrapDomains: ['bücher.example'],
    oidc: { issuerId, oidcClientId, oidcClientSecret },
  });
  const configId = made.authConfig.id;
  idp.allow(`${server.url}/auth/callback/${configId}`);
  const arrive = async (sub: string, email: string): Promise<string> => {
    idp.account = { sub, email, email_verified: true };
    const browser = openBrowser(server);
    await browser.visit(`${server.url}/auth/sign-in/${configId}`);
    return (await requestWith(server, browser.header(server), 'GET', '/api/v1/auth/introspect')).body.userId ?? '';
  };
  expect(await arrive('jo', 'jo@xn--bcher-kva.example')).toBe(jo.id);
  expect(await arrive('jo too', 'JO@bücher.example')).toBe(jo.id);
  // What only looks like the domain proves nobody.
  expect(await arrive('wide', 'jo@ｂücher.example')).toBe('');
  expect(await arrive('another', 'jo@bucher.example')).toBe('');
});
