/** Attributes of profiles over HTTP: given a type, converted, searched by value in pages, and taken back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const path = '/api/v1/profile_attributes';
const count = 30;
const two = (number: number): string => String(number).padStart(2, '0');
/** Person n: level n, remote for even n, joined on day n + 1, site in three spellings; person 29 has none of it. */
const people = ['email,display_name,manager_email,department,job_title,employment_status,level,remote,joined,site,mixed']
  .concat(
    Array.from({ length: count }, (_, n) =>
      n === 29
        ? `p29@types.example,Person 29,,,,ACTIVE,,,,,`
        : `p${two(n)}@types.example,Person ${two(n)},,,,ACTIVE,${n}.50,${n % 2 === 0 ? 'Yes' : 'no'},2026-01-${two(n + 1)},${['Berlin', 'BERLIN', 'Zürich'][n % 3]},${n < 3 ? 'many' : n}`,
    ),
  )
  .join('\n');
const grants = ['account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at,floor']
  .concat(Array.from({ length: 12 }, (_, n) => `a${two(n)},p${two(n)}@types.example,USER,ENABLED,role,R,member,,,${n}`))
  .join('\n');

describe('profile attributes over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  const admin = (method: string, to: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, to, body);
  const type = (name: string, kind: string, subject = 'user') =>
    admin('PUT', `${path}/${subject}/${encodeURIComponent(name)}`, { type: `PROFILE_ATTRIBUTE_TYPE_${kind}` });
  const search = (body: object) =>
    admin('POST', '/api/v1/search/profile_attributes', { subject: 'PROFILE_SUBJECT_USER', pageSize: 100, ...body });
  const names = async (body: object): Promise<string[]> => (await search(body)).body.list.map((match: Loose) => match.displayName);
  const profileOf = async (n: number): Promise<Loose> =>
    (await admin('POST', '/api/v1/search/users', { email: `p${two(n)}@types.example` })).body.list[0].user.profile;

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other.example');
    expect((await sendFile(server, server.admin, '/api/v1/imports/people', people)).status).toBe(200);
    expect((await sendFile(server, server.admin, '/api/v1/imports/grants?app=Types', grants)).status).toBe(200);
  });
  afterAll(() => server.stop());

  it('are text until they have a type, and then stored and shown as that', async () => {
    expect(await profileOf(3)).toMatchObject({ level: '3.50', remote: 'no', joined: '2026-01-04' });
    expect(violatedFields(await search({ name: 'level', equals: '3.5' }))).toEqual(['name']);
    const set = await type('level', 'NUMBER');
    expect(set.body.attribute).toMatchObject({
      subject: 'PROFILE_SUBJECT_USER',
      name: 'level',
      type: 'PROFILE_ATTRIBUTE_TYPE_NUMBER',
      createdAt: expect.any(String),
    });
    expect((await type('level', 'NUMBER')).body).toEqual(set.body);
    await type('remote', 'BOOLEAN');
    await type('joined', 'DATE');
    await type('site', 'TEXT');
    await type('floor', 'NUMBER', 'account');
    expect(await profileOf(3)).toMatchObject({ level: 3.5, remote: false, joined: '2026-01-04' });
    const { list } = (await admin('GET', path)).body;
    expect(list.map(({ subject, name }: Loose) => [subject, name])).toEqual([
      ['PROFILE_SUBJECT_ACCOUNT', 'floor'],
      ['PROFILE_SUBJECT_USER', 'joined'],
      ['PROFILE_SUBJECT_USER', 'level'],
      ['PROFILE_SUBJECT_USER', 'remote'],
      ['PROFILE_SUBJECT_USER', 'site'],
    ]);
    expect((await admin('GET', `${path}?subject=PROFILE_SUBJECT_ACCOUNT`)).body.list).toHaveLength(1);
    const events = await server
      .system()
      .db.rows<{ data: Loose }>(`SELECT data FROM events WHERE tenant_id = $1 AND target_id = 'USER/level'`, [server.id]);
    expect(events.map(({ data }) => data)).toEqual([{ before: null, after: 'NUMBER', converted: 29 }]);
  });

  it('refuse a type that values do not fit, with their number and some of them', async () => {
    const { status, body } = await type('mixed', 'NUMBER');
    expect(status).toBe(400);
    expect(body.message).toMatch(/^3 values do not fit: "many" of [0-9A-Za-z]{27}, /);
    expect((await type('site', 'DATE')).body.message).toMatch(/^29 values do not fit.* and others/);
    expect(await profileOf(5)).toMatchObject({ mixed: '5' });
    expect((await admin('PUT', `${path}/user/level`, {})).status).toBe(400);
    expect((await admin('PUT', `${path}/nobody/level`, { type: 'PROFILE_ATTRIBUTE_TYPE_TEXT' })).status).toBe(404);
    expect(violatedFields(await type('x'.repeat(129), 'TEXT'))).toEqual(['name']);
  });

  it('are searched by value, by several and by range', async () => {
    const person = (...numbers: number[]) => numbers.map((n) => `Person ${two(n)}`);
    expect(await names({ name: 'level', equals: '7.5' })).toEqual(person(7));
    expect(await names({ name: 'level', oneOf: ['9.5', '2.50', '2.5', '1000'] })).toEqual(person(2, 9));
    expect(await names({ name: 'level', from: '3.5', to: '6.5' })).toEqual(person(3, 4, 5));
    expect(await names({ name: 'joined', from: '2026-01-28' })).toEqual(person(27, 28));
    expect(await names({ name: 'joined', to: '2026-01-03' })).toEqual(person(0, 1));
    expect(await names({ name: 'remote', equals: 'yes' })).toEqual(person(...Array.from({ length: 15 }, (_, n) => n * 2)));
    expect((await names({ name: 'site', equals: 'berlin' })).length).toBe(20);
    expect(await names({ name: 'site', equals: 'zürich' })).toContain('Person 02');
    expect((await names({ name: 'level' })).length).toBe(29);
    const { list } = (await search({ subject: 'PROFILE_SUBJECT_ACCOUNT', name: 'floor', from: '10' })).body;
    expect(list).toMatchObject([
      { displayName: 'a10', value: 10, appId: expect.stringMatching(/^[0-9A-Za-z]{27}$/) },
      { displayName: 'a11', value: 11 },
    ]);
  });

  it.each([
    [{ name: 'level', equals: 'high' }, ['equals']],
    [{ name: 'level', equals: '' }, ['equals']],
    [{ name: 'level', oneOf: ['1', 'x', 'y'] }, ['oneOf[1]', 'oneOf[2]']],
    [{ name: 'level', equals: '1', from: '2' }, ['equals']],
    [{ name: 'site', from: 'a' }, ['from']],
    [{ name: 'remote', to: 'yes' }, ['to']],
    [{ name: 'joined', from: 'yesterday', to: '2026-02-30' }, ['from', 'to']],
    [{ name: 'nothing' }, ['name']],
    [{ name: 'level', subject: 'PROFILE_SUBJECT_UNSPECIFIED' }, ['subject']],
    [{ name: 'level', subject: 'PROFILE_SUBJECT_ACCOUNT' }, ['name']],
  ])('are not searched for %j', async (body, fields) => {
    const answer = await search(body);
    expect(answer.status).toBe(400);
    expect(violatedFields(answer)).toEqual(fields);
  });

  it('are found in pages, each once and in order', async () => {
    for (const body of [{ name: 'site', oneOf: ['Berlin', 'Zürich'] }, { name: 'level', from: '0' }, { name: 'remote' }]) {
      const whole = (await search(body)).body.list;
      const seen: Loose[] = [];
      let pageToken = '';
      do {
        const page = (await search({ ...body, pageSize: 10, pageToken })).body;
        seen.push(...page.list);
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      expect(seen).toEqual(whole);
      expect(whole).toHaveLength(29);
    }
  });

  it('follow what imports say afterwards, and hold them to the type', async () => {
    const changed = people
      .replace('Person 07,,,,ACTIVE,7.50,', 'Person 07,,,,ACTIVE,70,')
      .replace(/^p08.*$/m, 'p08@types.example,Person 08,,,,ACTIVE,,,,,8');
    expect((await sendFile(server, server.admin, '/api/v1/imports/people?allow_removals=true', changed)).status).toBe(200);
    expect(await names({ name: 'level', equals: '70' })).toEqual(['Person 07']);
    expect(await names({ name: 'level', equals: '7.5' })).toEqual([]);
    expect(await names({ name: 'level', equals: '8.5' })).toEqual([]);
    expect(await profileOf(7)).toMatchObject({ level: 70, remote: false });
    const wrong = await sendFile(
      server,
      server.admin,
      '/api/v1/imports/people',
      people.replace('Person 09,,,,ACTIVE,9.50,', 'Person 09,,,,ACTIVE,nine,'),
    );
    expect(wrong.status).toBe(400);
    expect(violatedFields(wrong)).toEqual(['line 11, level']);
    expect(JSON.stringify(wrong.body)).toMatch(/nine.* is no NUMBER/);
    const wrongAccount = grants.replace('member,,,7', 'member,,,seventh');
    expect(violatedFields(await sendFile(server, server.admin, '/api/v1/imports/grants?app=Types', wrongAccount))).toEqual([
      'line 9, floor',
    ]);
    const moved = grants.replace('member,,,7', 'member,,,70');
    expect((await sendFile(server, server.admin, '/api/v1/imports/grants?app=Types', moved)).status).toBe(200);
    const floors = (await search({ subject: 'PROFILE_SUBJECT_ACCOUNT', name: 'floor', from: '11' })).body.list;
    expect(floors.map(({ value }: Loose) => value)).toEqual([11, 70]);
    // The same file again changes nobody: what is stored is what it says.
    await sendFile(server, server.admin, '/api/v1/imports/people', people);
    const again = await sendFile(server, server.admin, '/api/v1/imports/people', people);
    const before = await server.system().db.rows('SELECT id, updated_at FROM users WHERE tenant_id = $1 ORDER BY id', [server.id]);
    await sendFile(server, server.admin, '/api/v1/imports/people', people);
    expect(again.status).toBe(200);
    expect(await server.system().db.rows('SELECT id, updated_at FROM users WHERE tenant_id = $1 ORDER BY id', [server.id])).toEqual(before);
  });

  it('become texts again when the type is taken away', async () => {
    expect(await admin('DELETE', `${path}/user/remote`)).toEqual({ status: 200, body: {} });
    expect((await admin('DELETE', `${path}/user/remote`)).status).toBe(404);
    expect(await profileOf(4)).toMatchObject({ remote: 'true', level: 4.5, joined: '2026-01-05' });
    expect((await search({ name: 'remote', equals: 'yes' })).status).toBe(400);
    const rows = await server.system().db.rows(`SELECT 1 FROM profile_values WHERE tenant_id = $1 AND name = 'remote'`, [server.id]);
    expect(rows).toEqual([]);
  });

  it("are a tenant's own", async () => {
    expect((await request(other, other.admin, 'GET', path)).body.list).toEqual([]);
    expect((await request(other, other.admin, 'DELETE', `${path}/user/level`)).status).toBe(404);
    await request(other, other.admin, 'PUT', `${path}/user/level`, { type: 'PROFILE_ATTRIBUTE_TYPE_NUMBER' });
    const theirs = await request(other, other.admin, 'POST', '/api/v1/search/profile_attributes', {
      subject: 'PROFILE_SUBJECT_USER',
      name: 'level',
    });
    expect(theirs.body.list).toEqual([]);
  });
});
