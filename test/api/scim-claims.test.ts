/** Power of an app source's token over people who are not the source's: nothing that an administrator did not accept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { startMailServer, type MailServer, readMessage } from '../support/mail-server.ts';
import { connectScim, patch, type ScimClient, urn } from '../support/scim.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { cookieIn, openLink, originOf, requestWith, signIn } from '../support/sign-in.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let mail: MailServer;
let scim: ScimClient;
let counter = 0;

const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
const userOf = async (id: string): Promise<Loose> => (await admin('GET', `/api/v1/users/${id}`)).body.userView.user;
const claimsOn = async (id: string): Promise<Loose[]> => (await admin('GET', `/api/v1/person_claims?user_id=${id}`)).body.list ?? [];
const decide = (id: string, what: 'accept' | 'reject'): Promise<Answer> => admin('POST', `/api/v1/person_claims/${id}/action/${what}`, {});
const wantedOf = (claim: Loose): Record<string, string> =>
  Object.fromEntries((claim.changes ?? []).map((one: Loose) => [one.attribute, one.to ?? '']));
const freshName = (): string => `person${++counter}`;
const addressed = (value: string, more: object = {}): object => ({ emails: [{ value, primary: true }], ...more });

async function askForLink(email: string): Promise<string> {
  const answer = await server.fetch('/auth/link', {
    method: 'POST',
    headers: { origin: originOf(server), 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  expect(answer.status).toBe(200);
  return cookieIn(answer, 'sign-in') ?? '';
}
const linkMailsTo = (address: string): string[] =>
  mail
    .to(address)
    .map(({ raw }) => readMessage(raw).text)
    .flatMap((text) => /link=([\w-]{70})/.exec(text)?.[1] ?? []);
/** The token in the next mail with a link to this address. */
async function nextLink(address: string, before: number): Promise<string> {
  await expect.poll(() => linkMailsTo(address).length, { timeout: 60_000, interval: 100 }).toBe(before + 1);
  return linkMailsTo(address).at(-1) ?? '';
}
const refusedCount = async (why: string): Promise<number> =>
  Number(
    (
      await server.test.admin(
        `SELECT count(*)::int AS count FROM events WHERE tenant_id = $1 AND kind = 'session.refused' AND data ->> 'why' = $2`,
        [server.id, why],
      )
    )[0]?.count,
  );
/** Statements of this server's database that wait for others. */
const waitingForLocks = async (): Promise<number> => {
  const { count } = await server.system().db.one<{ count: number }>(
    `SELECT count(DISTINCT l.pid)::int AS count FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE NOT l.granted AND a.datname = current_database()`,
  );
  return count;
};

beforeAll(async () => {
  mail = await startMailServer();
  server = await startTestServer({ config: { mail: { transport: mail.transport, from: 'countersign@mail.example', perMinute: 100_000 } } });
  scim = await connectScim(server, 'Any one app');
});
afterAll(async () => {
  await server.stop();
  await mail.close();
});

describe('an administrator whom a source pushes', () => {
  it('is not taken over: address, status and manager stay, the account comes in, and a claim waits', async () => {
    const victim = await server.makePerson('victim@x.example', ['SUPER_ADMINISTRATOR']);
    const id = await scim.addUser('victim', addressed('victim@x.example'));
    const changed = await scim.send(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'replace', path: 'emails', value: [{ value: 'thief@x.example' }] }),
    );
    expect(changed.status).toBe(200);
    expect(await userOf(victim.id)).toMatchObject({ email: 'victim@x.example', status: 'ENABLED' });
    const before = mail.taken.length;
    await askForLink('thief@x.example');
    await askForLink('victim@x.example');
    await nextLink('victim@x.example', 0);
    expect([mail.taken.length, mail.to('thief@x.example')]).toEqual([before + 1, []]);
    const [claim] = await claimsOn(victim.id);
    expect(claim).toMatchObject({
      state: 'PERSON_CLAIM_STATE_WAITING',
      kind: 'PERSON_CLAIM_KIND_MATCH',
      userEmail: 'victim@x.example',
      holdsRole: true,
      appId: scim.appId,
      appDisplayName: 'Any one app',
    });
    expect(wantedOf(claim)).toMatchObject({ email: 'thief@x.example' });
    const { body } = await admin('GET', `/api/v1/apps/${scim.appId}/users/${victim.id}/app_users`);
    expect(body.list.map((view: Loose) => view.appUser.username)).toEqual(['victim']);
  });

  it.each([
    ['in other case', 'CASE@X.EXAMPLE', 'case@x.example'],
    ['with the sign of Kelvin', '\u212aate@x.example', 'kate@x.example'],
    ['with spaces around', ' space@x.example ', 'space@x.example'],
  ])('%s is the same person, whose address is not replaced', async (_name, pushed, real) => {
    const victim = await server.makePerson(real, ['CAMPAIGN_ADMINISTRATOR']);
    const answer = await scim.send('POST', '/Users', { schemas: [urn.user], userName: freshName(), ...addressed(pushed) });
    expect([201, 409]).toContain(answer.status);
    expect((await userOf(victim.id)).email).toBe(real);
    expect(await claimsOn(victim.id)).toHaveLength(answer.status === 201 ? 1 : 0);
    const wanted = wantedOf((await claimsOn(victim.id))[0] ?? {});
    // A letter that merely looks the same is another address, which whoever accepts has to see.
    expect(wanted.email).toBe(pushed.startsWith('\u212a') ? pushed : undefined);
  });

  it.each([
    ['PUT', (id: string, email: string) => scim.send('PUT', `/Users/${id}`, { schemas: [urn.user], userName: email, active: false })],
    ['PATCH', (id: string) => scim.send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }))],
    ['PATCH without a path', (id: string) => scim.send('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: false } }))],
    ['DELETE', (id: string) => scim.send('DELETE', `/Users/${id}`)],
  ])('stays enabled, whatever %s says', async (_name, send) => {
    const email = `${freshName()}@x.example`;
    const victim = await server.makePerson(email, ['READ_ONLY_ADMINISTRATOR']);
    const id = await scim.addUser(email);
    expect([200, 204]).toContain((await send(id, email)).status);
    expect(await userOf(victim.id)).toMatchObject({ status: 'ENABLED', email });
  });

  it('gets no manager, no role and no other name from it, nor through a group', async () => {
    const victim = await server.makePerson('named@x.example', ['SUPER_ADMINISTRATOR']);
    const boss = await scim.addUser('boss', addressed('boss@x.example'));
    const id = await scim.addUser('named', addressed('named@x.example', { displayName: 'Other', roles: [{ value: 'x' }] }));
    const before = await userOf(victim.id);
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'add', path: `${urn.enterprise}:manager`, value: boss }));
    await scim.addGroup('Super Administrator', [id]);
    expect(await userOf(victim.id)).toEqual(before);
    const [claim] = await claimsOn(victim.id);
    expect(wantedOf(claim)).toMatchObject({ displayName: 'Other', managerId: expect.any(String) });
    const change = claim.changes.find((one: Loose) => one.attribute === 'managerId');
    expect([change.fromDisplayName, change.toDisplayName]).toEqual(['', (await userOf(change.to)).displayName]);
  });

  it('is not brought back where an administrator or a file disabled them', async () => {
    const gone = await server.makePerson('gone@x.example');
    await server.test.admin("UPDATE countersign.users SET status = 'DISABLED' WHERE tenant_id = $1 AND id = $2", [server.id, gone.id]);
    await scim.addUser('gone', addressed('gone@x.example', { active: true }));
    expect((await userOf(gone.id)).status).toBe('DISABLED');
    expect(wantedOf((await claimsOn(gone.id))[0])).toMatchObject({ status: 'ENABLED' });
    const all = await admin('POST', '/api/v1/person_claims/action/accept_all', { sourceId: scim.connectorId });
    expect(all.status).toBe(200);
    expect((await userOf(gone.id)).status).toBe('DISABLED');
  });
});

describe('a claim', () => {
  async function claimOn(roles: Parameters<TestServer['makePerson']>[1] = []): Promise<{ person: TestPerson; id: string; claim: Loose }> {
    const name = freshName();
    const person = await server.makePerson(`${name}@x.example`, roles);
    const id = await scim.addUser(name, addressed(`${name}@x.example`, { displayName: `${name} of the source` }));
    const [claim] = await claimsOn(person.id);
    return { person, id, claim };
  }

  it('that is accepted gives the person to the source, which changes them from then on', async () => {
    const { person, id, claim } = await claimOn();
    const accepted = await decide(claim.id, 'accept');
    expect(accepted).toMatchObject({
      status: 200,
      body: { claim: { state: 'PERSON_CLAIM_STATE_ACCEPTED', decidedById: server.admin.id, decidedAt: expect.any(String) } },
    });
    expect((await userOf(person.id)).displayName).toMatch(/of the source$/);
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }));
    expect((await userOf(person.id)).status).toBe('DISABLED');
    expect((await decide(claim.id, 'accept')).status).toBe(400);
    expect((await decide(claim.id, 'reject')).status).toBe(400);
  });

  it('that is rejected is not asked again, but can still be accepted', async () => {
    const { person, id, claim } = await claimOn();
    expect((await decide(claim.id, 'reject')).body.claim.state).toBe('PERSON_CLAIM_STATE_REJECTED');
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value: 'Clerk' }));
    expect((await claimsOn(person.id)).map((one) => [one.id, one.state])).toEqual([[claim.id, 'PERSON_CLAIM_STATE_REJECTED']]);
    expect((await userOf(person.id)).displayName).toBe(person.email.split('@')[0]);
    expect((await decide(claim.id, 'accept')).status).toBe(200);
  });

  it('that was rejected leaves the source free to push somebody of another address', async () => {
    const { person, id, claim } = await claimOn();
    await decide(claim.id, 'reject');
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'emails', value: [{ value: `new.${person.email}` }] }));
    expect((await userOf(person.id)).email).toBe(person.email);
    const { body } = await admin('POST', '/api/v1/search/users', { email: `new.${person.email}` });
    expect(body.list).toHaveLength(1);
  });

  it('is another one when the source says something else: nobody accepts what they did not see', async () => {
    const { person, id, claim } = await claimOn();
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'emails', value: [{ value: 'evil@x.example' }] }));
    expect((await decide(claim.id, 'accept')).status).toBe(404);
    expect((await userOf(person.id)).email).toBe(person.email);
    const [later] = await claimsOn(person.id);
    expect([later.id === claim.id, wantedOf(later).email]).toEqual([false, 'evil@x.example']);
    await scim.ok('DELETE', `/Users/${id}`, undefined, 204);
    expect(await claimsOn(person.id)).toEqual([]);
  });

  it('waits each time for people who hold a role, also for those whom the source made', async () => {
    const name = freshName();
    const id = await scim.addUser(name, addressed(`${name}@x.example`));
    const { body } = await admin('POST', '/api/v1/search/users', { email: `${name}@x.example` });
    const userId: string = body.list[0].user.id;
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value: 'Clerk' }));
    expect(await claimsOn(userId)).toEqual([]);
    const role = '000000000SuperAdministrator';
    expect((await admin('PUT', `/api/v1/users/${userId}/roles`, { roleIds: [role] })).status).toBe(200);
    await scim.ok(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'replace', path: 'title', value: 'Chief' }, { op: 'add', path: `${urn.enterprise}:employeeNumber`, value: `N-${name}` }),
    );
    expect(await userOf(userId)).toMatchObject({ status: 'ENABLED', jobTitle: 'Chief', employeeIds: [] });
    const [claim] = await claimsOn(userId);
    expect([claim.kind, wantedOf(claim)]).toEqual(['PERSON_CLAIM_KIND_CHANGE', { employeeId: `N-${name}` }]);
    // Taken back by the source; leaving is not asked about.
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'remove', path: `${urn.enterprise}:employeeNumber` }));
    expect(await claimsOn(userId)).toEqual([]);
    await scim.ok('DELETE', `/Users/${id}`, undefined, 204);
    expect(await claimsOn(userId)).toEqual([]);
    expect((await userOf(userId)).status).toBe('DISABLED');
    // What they held is given back to them, so it is asked about who they are until then.
    await scim.addUser(name, { displayName: name, ...addressed(`${name}@x.example`), [urn.enterprise]: { employeeNumber: `M-${name}` } });
    expect(await userOf(userId)).toMatchObject({ status: 'ENABLED', employeeIds: [] });
    expect(wantedOf((await claimsOn(userId))[0])).toEqual({ employeeId: `M-${name}` });
  });

  it('waits for what files know people by: a source does not have a file disable an administrator', async () => {
    const name = freshName();
    const id = await scim.addUser(name, addressed(`${name}@x.example`));
    const { body } = await admin('POST', '/api/v1/search/users', { email: `${name}@x.example` });
    const userId: string = body.list[0].user.id;
    expect((await admin('PUT', `/api/v1/users/${userId}/roles`, { roleIds: ['000000000SuperAdministrator'] })).status).toBe(200);
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'add', path: `${urn.enterprise}:employeeNumber`, value: `E-${name}` }));
    const file = `email,display_name,manager_email,department,job_title,employment_status,employee_id\n,Left,,,,TERMINATED,E-${name}\n`;
    expect((await sendFile(server, server.admin, '/api/v1/imports/people?source=hr', file)).status).toBe(200);
    expect(await userOf(userId)).toMatchObject({ status: 'ENABLED', displayName: name });
    expect(wantedOf((await claimsOn(userId))[0])).toEqual({ employeeId: `E-${name}` });
  });

  it('never disables the last Super Administrator', async () => {
    const other = await server.makeTenant('last');
    const source = await connectScim(other, 'Directory');
    await source.ok('POST', '/Users', { schemas: [urn.user], userName: 'last', ...addressed(other.admin.email), active: false }, 201);
    const { body } = await request(other, other.admin, 'GET', '/api/v1/person_claims');
    expect(body.waitingCount).toBe(1);
    const answer = await request(other, other.admin, 'POST', `/api/v1/person_claims/${body.list[0].id}/action/accept`, {});
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('last active Super Administrator')]);
  });

  it('is one for each source; neither keeps enabled whom the other one may disable', async () => {
    const second = await connectScim(server, 'Second app');
    const name = freshName();
    const id = await scim.addUser(name, addressed(`${name}@x.example`));
    const { body } = await admin('POST', '/api/v1/search/users', { email: `${name}@x.example` });
    const userId: string = body.list[0].user.id;
    await second.addUser(name, addressed(`${name}@x.example`));
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }));
    expect((await userOf(userId)).status).toBe('DISABLED');
    const [claim] = await claimsOn(userId);
    expect([claim.sourceId, wantedOf(claim).status]).toEqual([second.connectorId, undefined]);
  });

  it('is one, however many pushes come at once', async () => {
    const name = freshName();
    const victim = await server.makePerson(`${name}@x.example`, ['SUPER_ADMINISTRATOR']);
    const id = await scim.addUser(name, addressed(`${name}@x.example`));
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((letter) =>
        scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'emails', value: [{ value: `${letter}.${name}@x.example` }] })),
      ),
    );
    expect(await claimsOn(victim.id)).toHaveLength(1);
    expect((await userOf(victim.id)).email).toBe(`${name}@x.example`);
  });

  it('is gone with its source', async () => {
    const other = await connectScim(server, 'Short-lived');
    const person = await server.makePerson('left@x.example');
    const { waitingCount = 0 } = (await admin('GET', '/api/v1/person_claims')).body;
    await other.addUser('left', addressed('left@x.example', { displayName: 'Left behind' }));
    const [claim] = await claimsOn(person.id);
    expect((await admin('GET', '/api/v1/person_claims')).body.waitingCount).toBe(waitingCount + 1);
    expect((await admin('DELETE', `/api/v1/apps/${other.appId}/connectors/${other.connectorId}`, {})).status).toBe(200);
    expect(await claimsOn(person.id)).toEqual([]);
    expect((await admin('GET', '/api/v1/person_claims')).body.waitingCount ?? 0).toBe(waitingCount);
    expect((await decide(claim.id, 'accept')).status).toBe(404);
  });

  it('is accepted together with others that nobody has to look at', async () => {
    const easy = await claimOn();
    const hard = await claimOn(['READ_ONLY_ADMINISTRATOR']);
    const { body } = await admin('POST', '/api/v1/person_claims/action/accept_all', { sourceId: scim.connectorId });
    expect(body.acceptedCount).toBeGreaterThan(0);
    expect((await claimsOn(easy.person.id))[0].state).toBe('PERSON_CLAIM_STATE_ACCEPTED');
    expect((await claimsOn(hard.person.id))[0].state).toBe('PERSON_CLAIM_STATE_WAITING');
    expect((await admin('POST', '/api/v1/person_claims/action/accept_all', { sourceId: 'none' })).status).toBe(404);
  });

  it('leaves its events', async () => {
    const { person, claim } = await claimOn();
    await decide(claim.id, 'reject');
    const rows = await server.test.admin(
      `SELECT kind FROM events WHERE tenant_id = $1 AND target_id = $2 AND kind LIKE 'person_claim%' ORDER BY id`,
      [server.id, person.id],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['person_claim.made', 'person_claim.rejected']);
  });
});

describe('an address that changes', () => {
  it('ends sessions and links by mail, stops new links for a day, and is told to the old address', async () => {
    const name = freshName();
    const [oldAddress, newAddress] = [`${name}@x.example`, `${name}.new@x.example`];
    const id = await scim.addUser(name, addressed(oldAddress));
    const browser = await askForLink(oldAddress);
    const session = cookieIn(await openLink(server, await nextLink(oldAddress, 0), { cookie: browser })) ?? '';
    expect((await requestWith(server, session, 'GET', '/api/v1/auth/introspect')).status).toBe(200);
    const later = await askForLink(oldAddress);
    const open = await nextLink(oldAddress, 1);
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'emails', value: [{ value: newAddress }] }));
    expect((await requestWith(server, session, 'GET', '/api/v1/auth/introspect')).status).toBe(401);
    expect((await openLink(server, open, { cookie: later })).status).toBe(401);
    const refused = await refusedCount('address_changed');
    await askForLink(newAddress);
    await expect.poll(() => refusedCount('address_changed'), { timeout: 60_000 }).toBe(refused + 1);
    const told = (): string[] =>
      mail
        .to(oldAddress)
        .map(({ raw }) => readMessage(raw).text)
        .filter((text) => text.includes(newAddress));
    await expect.poll(() => told().length, { timeout: 60_000, interval: 100 }).toBe(1);
    expect(linkMailsTo(newAddress)).toEqual([]);
    // A day later it works again.
    await server.test.admin(`UPDATE address_changes SET changed_at = changed_at - interval '25 hours' WHERE tenant_id = $1`, [server.id]);
    await askForLink(newAddress);
    await nextLink(newAddress, 0);
  });

  it('reaches what began while the push waited for its turn', async () => {
    const name = freshName();
    const [oldAddress, newAddress] = [`${name}@x.example`, `${name}.new@x.example`];
    const id = await scim.addUser(name, addressed(oldAddress));
    const first = await askForLink(oldAddress);
    const token = await nextLink(oldAddress, 0);
    // Somebody changes roles, or imports people, for long.
    await server.test.admin('SELECT pg_advisory_lock(hashtextextended($1, 1))', [`countersign.roles.${server.id}`]);
    const pushed = scim.send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'emails', value: [{ value: newAddress }] }));
    await expect.poll(waitingForLocks).toBe(1);
    const session = cookieIn(await openLink(server, token, { cookie: first })) ?? '';
    const second = await askForLink(oldAddress);
    const later = await nextLink(oldAddress, 1);
    await server.test.admin('SELECT pg_advisory_unlock(hashtextextended($1, 1))', [`countersign.roles.${server.id}`]);
    expect((await pushed).status).toBe(200);
    expect((await requestWith(server, session, 'GET', '/api/v1/auth/introspect')).status).toBe(401);
    expect((await openLink(server, later, { cookie: second })).status).toBe(401);
  });

  it('is waited for by whoever signs in while it is being written', async () => {
    const name = freshName();
    const [oldAddress, newAddress] = [`${name}@x.example`, `${name}.new@x.example`];
    await scim.addUser(name, addressed(oldAddress));
    const browser = await askForLink(oldAddress);
    const token = await nextLink(oldAddress, 0);
    const refused = await refusedCount('address_changed');
    await server.test.admin('BEGIN');
    await server.test.admin(
      `UPDATE countersign.users SET email = $3, email_key = $3, updated_at = now() WHERE tenant_id = $1 AND email = $2`,
      [server.id, oldAddress, newAddress],
    );
    const opened = openLink(server, token, { cookie: browser });
    await askForLink(oldAddress);
    await expect.poll(waitingForLocks).toBe(2);
    await server.test.admin('COMMIT');
    expect((await opened).status).toBe(401);
    await expect.poll(() => refusedCount('address_changed'), { timeout: 60_000 }).toBe(refused + 1);
    expect(linkMailsTo(newAddress)).toEqual([]);
  });

  it('ends what a session by mail printed for itself', async () => {
    const name = freshName();
    const address = `${name}@x.example`;
    const id = await scim.addUser(name, addressed(address));
    const { body } = await admin('POST', '/api/v1/search/users', { email: address });
    const userId: string = body.list[0].user.id;
    await admin('PUT', `/api/v1/users/${userId}/roles`, { roleIds: ['000000000SuperAdministrator'] });
    const browser = await askForLink(address);
    const session = cookieIn(await openLink(server, await nextLink(address, 0), { cookie: browser })) ?? '';
    const print = async (): Promise<string> =>
      String((await requestWith(server, session, 'POST', `/api/v1/users/${userId}/sign_in_link`, {})).body.url).split('#link=')[1] ?? '';
    const second = cookieIn(await openLink(server, await print())) ?? '';
    const open = await print();
    expect((await requestWith(server, second, 'GET', '/api/v1/auth/introspect')).status).toBe(200);
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'emails', value: [{ value: `new.${address}` }] }));
    const [claim] = await claimsOn(userId);
    expect((await decide(claim.id, 'accept')).status).toBe(200);
    expect((await requestWith(server, second, 'GET', '/api/v1/auth/introspect')).status).toBe(401);
    expect((await openLink(server, open)).status).toBe(401);
  });

  it('by a file of people has the same consequences', async () => {
    const name = freshName();
    const head = 'email,display_name,manager_email,department,job_title,employment_status,employee_id';
    const file = (email: string): string => [head, `${email},${name},,,,ACTIVE,E-${name}`].join('\n');
    await sendFile(server, server.admin, '/api/v1/imports/people?source=hr', file(''));
    const sent = await sendFile(server, server.admin, '/api/v1/imports/people?source=hr', file(`${name}@x.example`));
    expect(sent.status).toBe(200);
    const { body } = await admin('POST', '/api/v1/search/users', { email: `${name}@x.example` });
    const userId: string = body.list[0].user.id;
    const cookie = await signIn(server, userId);
    expect((await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).status).toBe(200);
    const rows = await server.test.admin('SELECT old_address FROM address_changes WHERE tenant_id = $1 AND user_id = $2', [
      server.id,
      userId,
    ]);
    // A first address replaces none.
    expect(rows).toEqual([]);
  });
});
