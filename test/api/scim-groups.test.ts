/** Groups of SCIM over HTTP: the examples of RFC 7644, what providers send, what becomes of members as grants, many at once, and several writers. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processorTimeOf } from '../support/processor-time.ts';
import { runs } from '../support/runs.ts';
import { type Answer, type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { connectScim, patch, type ScimClient, urn } from '../support/scim.ts';
import { addCrowd } from '../support/scim-crowd.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let scim: ScimClient;
const users: string[] = [];
const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await admin(method, path, body);
  expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 200, undefined]);
  return answer.body;
};
const membersOf = async (id: string): Promise<string[]> =>
  ((await scim.ok('GET', `/Groups/${id}`)).members ?? []).map((one: Loose) => one.value).sort();
const eventsOf = (kind: string) =>
  server.test.admin('SELECT data FROM events WHERE tenant_id = $1 AND kind = $2 ORDER BY id', [server.id, kind]) as Promise<
    { data: Loose }[]
  >;
/** The entitlement of a group's members, as the catalog shows it. */
const entitlementOf = async (displayName: string): Promise<Loose> => {
  const { list } = await ok('POST', '/api/v1/search/entitlements', { appIds: [scim.appId], pageSize: 100 });
  return list.map((view: Loose) => view.appEntitlement).find((one: Loose) => one.displayName === `${displayName} member`);
};

beforeAll(async () => {
  server = await useTestServer();
  scim = await connectScim(server, 'Grouped');
  for (let index = 0; index < 12; index++) {
    users.push(await scim.addUser(`user${index}`, { emails: [{ value: `user${index}@example.com`, primary: true }] }));
  }
});
afterAll(async () => {
  await checkInventory(server.test.admin, server.id);
  await server.stop();
});
const user = (index: number): string => users[index] ?? '';

describe('groups', () => {
  it('of RFC 7643 section 8.4 come back with their members', async () => {
    const sent = {
      schemas: [urn.group],
      id: 'e9e30dba-f08f-4109-8486-d5c6a331660a',
      displayName: 'Tour Guides',
      members: [
        { value: user(0), $ref: `https://example.com/v2/Users/${user(0)}`, display: 'Babs Jensen' },
        { value: user(1), display: 'Mandy Pepperidge' },
      ],
    };
    const { status, body, headers } = await scim.send('POST', '/Groups', sent);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${server.url}/scim/v2/Groups/${body.id}`);
    expect(body).toEqual({
      schemas: [urn.group],
      id: body.id,
      displayName: 'Tour Guides',
      members: [0, 1].map((index) => ({
        value: user(index),
        $ref: `${server.url}/scim/v2/Users/${user(index)}`,
        display: `user${index}`,
        type: 'User',
      })),
      meta: {
        resourceType: 'Group',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: headers.get('location'),
        version: 'W/"1"',
      },
    });
    expect(body.id).not.toBe(sent.id);
    expect((await scim.ok('GET', `/Users/${user(0)}`)).groups).toEqual([
      { value: body.id, $ref: body.meta.location, display: 'Tour Guides', type: 'direct' },
    ]);
  });

  it('are changed as in RFC 7644 section 3.5.2', async () => {
    const id = await scim.addGroup('Examples', [user(0)]);
    const send = (...operations: object[]) => scim.ok('PATCH', `/Groups/${id}`, patch(...operations), 204);
    await send({ op: 'add', path: 'members', value: [{ display: 'Babs Jensen', $ref: `../Users/${user(1)}`, value: user(1) }] });
    expect(await membersOf(id)).toEqual([user(0), user(1)]);
    await send({ op: 'add', path: 'members', value: [{ value: user(1) }] });
    expect(await membersOf(id)).toEqual([user(0), user(1)]);
    await send({ op: 'remove', path: `members[value eq "${user(0)}"]` });
    expect(await membersOf(id)).toEqual([user(1)]);
    await send({ op: 'remove', path: `members[value eq "${user(0)}"]` });
    await send(
      { op: 'remove', path: `members[value eq "${user(1)}"]` },
      { op: 'add', path: 'members', value: [{ value: user(2) }, { value: user(3) }] },
    );
    expect(await membersOf(id)).toEqual([user(2), user(3)]);
    await send({ op: 'replace', path: 'members', value: [{ value: user(4) }, { value: user(5) }] });
    expect(await membersOf(id)).toEqual([user(4), user(5)]);
    await send({ op: 'remove', path: 'members' });
    expect(await membersOf(id)).toEqual([]);
  });

  it('are changed in the forms that Microsoft Entra sends', async () => {
    const id = await scim.addGroup('Entra', [], { externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159' });
    const send = (...operations: object[]) => scim.ok('PATCH', `/Groups/${id}`, patch(...operations), 204);
    await send({ op: 'Add', path: 'members', value: [{ $ref: null, value: user(0) }] });
    await send({ op: 'Add', path: 'members', value: [{ $ref: null, value: user(1) }] });
    await send({ op: 'Remove', path: 'members', value: [{ $ref: null, value: user(0) }] });
    await send({ op: 'Replace', path: 'displayName', value: '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName' });
    const found = await scim.ok('GET', `/Groups/${id}?excludedAttributes=members`);
    expect(found).toMatchObject({ displayName: '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName' });
    expect(found.members).toBeUndefined();
    expect(await membersOf(id)).toEqual([user(1)]);
    const filter = encodeURIComponent('displayName eq "1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName"');
    const { totalResults, Resources } = await scim.ok('GET', `/Groups?excludedAttributes=members&filter=${filter}`);
    expect([totalResults, Resources[0].id]).toEqual([1, id]);
  });

  it('are changed in the forms that Okta sends', async () => {
    const id = await scim.addGroup('Okta', [user(0)]);
    await scim.ok('PATCH', `/Groups/${id}`, patch({ op: 'replace', value: { id, displayName: 'Okta renamed' } }), 204);
    expect(await scim.ok('GET', `/Groups/${id}`)).toMatchObject({ id, displayName: 'Okta renamed' });
    await scim.ok('PUT', `/Groups/${id}`, {
      schemas: [urn.group],
      id,
      displayName: 'Okta',
      members: [{ value: user(2), display: 'user2' }],
    });
    expect(await membersOf(id)).toEqual([user(2)]);
    await scim.ok('PUT', `/Groups/${id}`, { schemas: [urn.group], displayName: 'Okta' });
    expect(await membersOf(id)).toEqual([]);
    const { body } = await scim.send(
      'PATCH',
      `/Groups/${id}?attributes=displayName`,
      patch({ op: 'replace', path: 'displayName', value: 'Shown' }),
    );
    expect(body).toEqual({ schemas: [urn.group], id, displayName: 'Shown' });
  });

  it('refuse what is no member, by its id, and leave everything as it was', async () => {
    const id = await scim.addGroup('Strict', [user(0)]);
    const beside = await connectScim(server, 'Beside the groups');
    const stranger = await beside.addUser('stranger');
    const theirs = await beside.addGroup('Theirs', [stranger]);
    const cases: [object, number, string][] = [
      [patch({ op: 'add', path: 'members', value: [{ value: user(1) }, { value: stranger }] }), 400, 'invalidValue'],
      [patch({ op: 'add', path: 'members', value: [{ value: 'nobody' }] }), 400, 'invalidValue'],
      [patch({ op: 'add', path: 'members', value: [{ value: id }] }), 400, 'invalidValue'],
      [patch({ op: 'add', path: 'members', value: [{ value: id, type: 'Group' }] }), 400, 'invalidValue'],
      [patch({ op: 'add', path: 'members', value: [5] }), 400, 'invalidValue'],
      [patch({ op: 'add', path: 'members', value: [{ $ref: 'x' }] }), 400, 'invalidValue'],
      [patch({ op: 'add', path: `members[value eq "${user(1)}"]`, value: {} }), 400, 'invalidPath'],
      [patch({ op: 'remove', path: 'members[display eq "user0"]' }), 400, 'invalidFilter'],
      [patch({ op: 'replace', path: 'members.display', value: 'x' }), 400, 'mutability'],
      [patch({ op: 'remove', path: 'displayName' }), 400, 'mutability'],
      [patch({ op: 'replace', path: 'id', value: 'x' }), 400, 'mutability'],
      [
        patch({ op: 'add', path: 'members', value: [{ value: user(1) }] }, { op: 'replace', path: 'displayName', value: '' }),
        400,
        'invalidValue',
      ],
      [patch({ op: 'replace', path: 'displayName', value: 'x'.repeat(1001) }), 400, 'invalidValue'],
    ];
    for (const [body, status, scimType] of cases) {
      const answer = await scim.send('PATCH', `/Groups/${id}`, body);
      expect([JSON.stringify(body), answer.status, answer.body?.scimType]).toEqual([JSON.stringify(body), status, scimType]);
    }
    expect(await membersOf(id)).toEqual([user(0)]);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const body = method === 'PUT' ? { displayName: 'x' } : method === 'PATCH' ? patch({ op: 'remove', path: 'members' }) : undefined;
      expect((await scim.send(method, `/Groups/${theirs}`, body)).status).toBe(404);
    }
    expect((await scim.send('GET', `/Groups/${user(0)}`)).status).toBe(404);
    expect((await scim.send('GET', `/Users/${id}`)).status).toBe(404);
  });

  it('are distinguished by name, or by what the provider calls them', async () => {
    const id = await scim.addGroup('Same');
    const again = await scim.send('POST', '/Groups', { displayName: ' Same ' });
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness']);
    const other = await scim.addGroup('Same', [], { externalId: 'other' });
    expect(other).not.toBe(id);
    expect((await scim.send('PUT', `/Groups/${other}`, { displayName: 'Same' })).status).toBe(409);
    expect((await scim.ok('PUT', `/Groups/${id}`, { displayName: 'same' })).displayName).toBe('same');
  });
});

describe('members as grants', () => {
  it('are in the inventory, its history and its feed, by SCIM', async () => {
    const id = await scim.addGroup('Granted', [user(6), user(7)]);
    const entitlement = await entitlementOf('Granted');
    expect(entitlement).toMatchObject({ grantCount: '2', appId: scim.appId });
    const path = `/api/v1/apps/${scim.appId}/grants?entitlement_id=${entitlement.id}&include_ended=true`;
    const list = async (): Promise<Loose[]> => (await ok('GET', path)).list.map((view: Loose) => view.grant);
    expect(await list()).toMatchObject(
      [6, 7].map((index) => ({
        isDerived: false,
        isDirect: true,
        connectorId: scim.connectorId,
        account: { displayName: `user${index}` },
        owner: { email: `user${index}@example.com` },
        appearedCause: 'GRANT_CHANGE_CAUSE_SCIM',
        vanishedCause: 'GRANT_CHANGE_CAUSE_UNSPECIFIED',
      })),
    );
    await scim.ok('PATCH', `/Groups/${id}`, patch({ op: 'remove', path: `members[value eq "${user(6)}"]` }), 204);
    expect((await list()).map((grant) => [grant.account.displayName, grant.vanishedCause])).toEqual([
      ['user6', 'GRANT_CHANGE_CAUSE_SCIM'],
      ['user7', 'GRANT_CHANGE_CAUSE_UNSPECIFIED'],
    ]);
    const ref = { appId: scim.appId, id: entitlement.id };
    const feed = await ok('POST', '/api/v1/grants/feed', { appEntitlementRefs: [ref] });
    expect(feed.list.map((view: Loose) => view.feed.eventType)).toEqual([
      'GRANT_EVENT_TYPE_REMOVED',
      'GRANT_EVENT_TYPE_ADDED',
      'GRANT_EVENT_TYPE_ADDED',
    ]);
    const past = await ok('POST', '/api/v1/search/past-grants', { appEntitlementRefs: [ref] });
    expect(past.list).toHaveLength(1);
    expect((await entitlementOf('Granted')).grantCount).toBe('1');
  });

  it('are not removed manually', async () => {
    const id = await scim.addGroup('By hand', [user(0)]);
    const entitlement = await entitlementOf('By hand');
    const grants = (await ok('GET', `/api/v1/apps/${scim.appId}/grants?entitlement_id=${entitlement.id}`)).list;
    const people = grants.map((view: Loose) => view.grant.owner.id);
    const taken = await admin('DELETE', `/api/v1/apps/${scim.appId}/entitlements/${entitlement.id}/users/${people[0]}`, {});
    expect(taken.status).not.toBe(200);
    expect(await membersOf(id)).toEqual([user(0)]);
  });

  it('end with the group, and come back with it under the same entitlement', async () => {
    const id = await scim.addGroup('Gone', [user(0), user(1)], { externalId: 'gone-1' });
    const entitlement = await entitlementOf('Gone');
    await scim.ok('DELETE', `/Groups/${id}`, undefined, 204);
    expect((await scim.send('GET', `/Groups/${id}`)).status).toBe(404);
    expect((await scim.send('DELETE', `/Groups/${id}`)).status).toBe(404);
    expect(await entitlementOf('Gone')).toBeUndefined();
    expect((await scim.ok('GET', `/Users/${user(0)}`)).groups.map((one: Loose) => one.value)).not.toContain(id);
    const again = await scim.addGroup('Gone again', [user(1)], { externalId: 'gone-1' });
    expect(again).not.toBe(id);
    expect(await entitlementOf('Gone again')).toMatchObject({ id: entitlement.id, grantCount: '1' });
  });

  it('end with the user, and say so in the version of the group', async () => {
    const leaver = await scim.addUser('group leaver');
    const id = await scim.addGroup('Left', [leaver, user(0)]);
    await scim.ok('DELETE', `/Users/${leaver}`, undefined, 204);
    const { members, meta } = await scim.ok('GET', `/Groups/${id}`);
    expect([members.map((one: Loose) => one.value), meta.version]).toEqual([[user(0)], 'W/"2"']);
    const { body } = await scim.send('PATCH', `/Groups/${id}`, patch({ op: 'add', path: 'members', value: [{ value: leaver }] }));
    expect(body.scimType).toBe('invalidValue');
  });

  it('are one revision and one event a request, and none where nothing changes', async () => {
    const count = async () =>
      (
        await server.test.admin(
          'SELECT (SELECT count(*)::int FROM events WHERE tenant_id = $1) AS events, (SELECT count(*)::int FROM inventory_revisions WHERE tenant_id = $1) AS revisions',
          [server.id],
        )
      )[0];
    const before = (await count()) as { events: number; revisions: number };
    const plus = (events: number, revisions: number) => ({ events: before.events + events, revisions: before.revisions + revisions });
    const id = await scim.addGroup('Counted', [user(0), user(1), user(2)]);
    expect(await count()).toEqual(plus(1, 1));
    const change = patch(
      { op: 'add', path: 'members', value: [{ value: user(3) }] },
      { op: 'remove', path: `members[value eq "${user(0)}"]` },
      { op: 'replace', path: 'displayName', value: 'Counted too' },
    );
    await scim.ok('PATCH', `/Groups/${id}`, change, 204);
    expect(await count()).toEqual(plus(2, 2));
    await scim.ok('PATCH', `/Groups/${id}`, change, 204);
    await scim.ok('PUT', `/Groups/${id}`, { displayName: 'Counted too', members: [1, 2, 3].map((index) => ({ value: user(index) })) });
    expect(await count()).toEqual(plus(2, 2));
    await scim.ok('DELETE', `/Groups/${id}`, undefined, 204);
    expect(await count()).toEqual(plus(3, 3));
    const { data } = (await eventsOf('scim.group_updated')).at(-1) ?? { data: undefined };
    expect(data).toMatchObject({
      appId: scim.appId,
      sourceId: scim.connectorId,
      scimId: id,
      displayName: 'Counted too',
      fields: ['displayName'],
      membersAdded: 1,
      membersRemoved: 1,
    });
  });

  it('are thousands in one request', async () => {
    const app = await connectScim(server, 'Crowd');
    const ids = await addCrowd(server, app, 'c', 3999);
    const first = ids[0] ?? '';
    let id = '';
    // Processor time of this process, not what others on the machine take: a look at all members for each of them took minutes.
    expect(
      await processorTimeOf(async () => {
        id = await app.addGroup('Crowd', ids);
      }),
    ).toBeLessThan(15_000);
    const found = await app.ok('GET', `/Groups/${id}`);
    expect(new Set(found.members.map((one: Loose) => one.value))).toEqual(new Set(ids));
    await app.ok('PATCH', `/Groups/${id}`, patch({ op: 'remove', path: `members[value eq "${first}"]` }), 204);
    await app.ok('PUT', `/Groups/${id}`, { displayName: 'Crowd', members: [{ value: first }] });
    expect((await app.ok('GET', `/Groups/${id}`)).members).toHaveLength(1);
  }, 300_000);
});

describe('several writers', () => {
  it('lose nothing of each other: every member of concurrent requests is there', async () => {
    const id = await scim.addGroup('Contended');
    const add = (index: number) =>
      scim.ok('PATCH', `/Groups/${id}`, patch({ op: 'add', path: 'members', value: [{ value: user(index) }] }), 204);
    await Promise.all(users.map((_, index) => add(index)));
    expect(await membersOf(id)).toEqual([...users].sort());
    const remove = (index: number) =>
      scim.ok('PATCH', `/Groups/${id}`, patch({ op: 'remove', path: `members[value eq "${user(index)}"]` }), 204);
    await Promise.all([
      ...users.slice(0, 6).map((_, index) => remove(index)),
      add(11),
      scim.ok('PATCH', `/Groups/${id}`, patch({ op: 'replace', path: 'displayName', value: 'Contended too' }), 204),
    ]);
    expect(await membersOf(id)).toEqual(users.slice(6).sort());
    expect((await scim.ok('GET', `/Groups/${id}`)).displayName).toBe('Contended too');
  });

  it('make one group of a name, and the others are reported', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => scim.send('POST', '/Groups', { displayName: 'Once' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('are held off by the version they know', async () => {
    const id = await scim.addGroup('Versioned', [user(0)]);
    const change = (index: number) =>
      scim.send('PATCH', `/Groups/${id}`, patch({ op: 'add', path: 'members', value: [{ value: user(index) }] }), { 'if-match': 'W/"1"' });
    const answers = await Promise.all([change(1), change(2), change(3)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 412, 412]);
    expect(await membersOf(id)).toHaveLength(2);
    expect((await scim.send('DELETE', `/Groups/${id}`, undefined, { 'if-match': 'W/"1"' })).status).toBe(412);
  });
});

describe('any sequence of changes of members', () => {
  const some = fc.uniqueArray(fc.nat(7), { maxLength: 4 });
  const operation = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'Add'), list: some, bare: fc.boolean() }),
    fc.record({ op: fc.constant('replace'), list: some, bare: fc.boolean() }),
    fc.record({
      op: fc.constantFrom('remove', 'Remove'),
      list: fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 3 }),
      bare: fc.boolean(),
    }),
    fc.record({ op: fc.constant('clear'), list: fc.constant<number[]>([]), bare: fc.boolean() }),
  );

  function write({ op, list, bare }: { op: string; list: number[]; bare: boolean }): object {
    const value = list.map((index) => ({ value: user(index) }));
    if (op === 'clear') {
      return bare ? { op: 'remove', path: 'members' } : { op: 'replace', path: 'members', value: [] };
    }
    if (op.toLowerCase() === 'remove') {
      return bare
        ? { op, path: 'members', value }
        : { op, path: `members[${list.map((index) => `value eq "${user(index)}"`).join(' or ')}]` };
    }
    return bare ? { op, value: { members: value } } : { op, path: 'members', value };
  }

  it('comes to what a plain set comes to', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }), async (requests) => {
        const id = await scim.addGroup(`Model ${Math.random()}`);
        const model = new Set<string>();
        for (const operations of requests) {
          for (const { op, list } of operations) {
            const ids = list.map(user);
            if (op === 'clear' || op === 'replace') {
              model.clear();
            }
            for (const one of ids) {
              op.toLowerCase() === 'remove' ? model.delete(one) : model.add(one);
            }
          }
          await scim.ok('PATCH', `/Groups/${id}`, patch(...operations.map(write)), 204);
          expect(await membersOf(id)).toEqual([...model].sort());
        }
      }),
      { numRuns: runs(8, 25) },
    );
  }, 300_000);
});
