/** Filters of SCIM over HTTP: those of RFC 7644 section 3.4.2.2, those providers send, any filter against a plain evaluation, and refused ones. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import type { Loose } from '../support/api.ts';
import { connectScim, type ScimClient, urn } from '../support/scim.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let scim: ScimClient;
let ids: Record<string, string>;
beforeAll(async () => {
  server = await useTestServer();
  scim = await connectScim(server, 'Filtered');
  ids = {};
  const mail = (value: string, type: string, more: object = {}) => ({ value, type, ...more });
  for (const [userName, more] of [
    [
      'bjensen',
      {
        name: { familyName: "O'Malley", givenName: 'Barbara' },
        title: 'Tour Guide',
        userType: 'Employee',
        externalId: 'Ext-1',
        emails: [mail('bjensen@example.com', 'work', { primary: true }), mail('babs@jensen.org', 'home')],
        [urn.enterprise]: { department: 'Tours', employeeNumber: '701984' },
      },
    ],
    [
      'jsmith',
      {
        name: { familyName: 'Smith' },
        title: 'Manager',
        userType: 'Intern',
        emails: [mail('j@example.org', 'home')],
        ims: [{ value: 'smith@foo.com', type: 'xmpp' }],
      },
    ],
    ['John', { userType: 'Employee', active: false, emails: [mail('john@other.net', 'work')] }],
    ['nobody', { displayName: '100%_\\ "quoted" É' }],
  ] as const) {
    ids[userName] = await scim.addUser(userName, more);
  }
  await scim.ok('PATCH', `/Users/${ids['jsmith']}`, {
    Operations: [{ op: 'add', path: `${urn.enterprise}:manager`, value: { value: ids['bjensen'] } }],
  });
  ids['tours'] = await scim.addGroup('Tour Guides', [ids['bjensen'] ?? ''], { externalId: 'G-1' });
  ids['all'] = await scim.addGroup('Everybody', [ids['bjensen'] ?? '', ids['jsmith'] ?? '']);
});
afterAll(() => server.stop());

const list = (kind: 'Users' | 'Groups', filter: string) => scim.ok('GET', `/${kind}?filter=${encodeURIComponent(filter)}`);
const namesOf = async (filter: string, kind: 'Users' | 'Groups' = 'Users'): Promise<string[]> => {
  const { Resources, totalResults, itemsPerPage } = await list(kind, filter);
  expect([totalResults, itemsPerPage]).toEqual([Resources.length, Resources.length]);
  return Resources.map((one: Loose) => one.userName ?? one.displayName);
};

describe('filters of RFC 7644 section 3.4.2.2', () => {
  it.each<[string, string[]]>([
    ['userName Eq "john"', ['John']],
    ['Username eq "john"', ['John']],
    ['userName eq "bjensen"', ['bjensen']],
    ['name.familyName co "O\'Malley"', ['bjensen']],
    ['userName sw "J"', ['jsmith', 'John']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"', ['jsmith', 'John']],
    ['title pr', ['bjensen', 'jsmith']],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', ['bjensen', 'jsmith', 'John', 'nobody']],
    ['meta.lastModified ge "2011-05-13T04:42:34Z"', ['bjensen', 'jsmith', 'John', 'nobody']],
    ['meta.lastModified lt "2011-05-13T04:42:34Z"', []],
    ['meta.lastModified le "2011-05-13T04:42:34Z"', []],
    ['title pr and userType eq "Employee"', ['bjensen']],
    ['title pr or userType eq "Intern"', ['bjensen', 'jsmith']],
    ['schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"', ['bjensen', 'jsmith']],
    ['userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")', ['bjensen']],
    ['userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")', ['nobody']],
    ['userType eq "Employee" and (emails.type eq "work")', ['bjensen', 'John']],
    ['userType eq "Employee" and emails[type eq "work" and value co "@example.com"]', ['bjensen']],
    ['emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]', ['bjensen', 'jsmith']],
  ])('%s', async (filter, names) => {
    expect(await namesOf(filter)).toEqual(names);
  });
});

describe('filters of providers', () => {
  it.each<[string, string[]]>([
    ['externalId eq "Ext-1"', ['bjensen']],
    ['externalId eq "ext-1"', []],
    ['emails[type eq "work"].value eq "x"', []],
    ['emails[primary eq true]', ['bjensen']],
    ['emails[primary eq false and type eq "home"]', ['bjensen', 'jsmith']],
    ['emails[type eq "work" and value eq "BABS@jensen.org"]', []],
    ['emails[not (type eq "work")]', ['bjensen', 'jsmith']],
    [`${urn.enterprise}:department eq "tours"`, ['bjensen']],
    [`${urn.enterprise}:employeeNumber eq "701984"`, ['bjensen']],
    ['active eq false', ['John']],
    ['active eq "False"', ['John']],
    ['not (active eq true)', ['John']],
    ['title eq null', ['John', 'nobody']],
    ['title ne null', ['bjensen', 'jsmith']],
    ['displayName co "%_\\\\ \\"q"', ['nobody']],
    ['displayName ew "é"', ['nobody']],
    ['userName gt "john"', ['jsmith', 'nobody']],
    ['userName eq "x" or userName eq "y"', []],
  ])('%s', async (filter, names) => {
    if (filter.includes('].')) {
      // A path of PATCH, not a filter.
      const { status, body } = await scim.send('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect([status, body.scimType]).toEqual([400, 'invalidFilter']);
      return;
    }
    expect(await namesOf(filter)).toEqual(names);
  });

  it('a manager, a group of a user and a member of a group, asked for beside an id as a check', async () => {
    const [babs, smith, tours, all] = [ids['bjensen'], ids['jsmith'], ids['tours'], ids['all']];
    expect(await namesOf(`id eq "${smith}" and manager eq "${babs}"`)).toEqual(['jsmith']);
    expect(await namesOf(`${urn.enterprise}:manager.value eq "${babs}"`)).toEqual(['jsmith']);
    expect(await namesOf(`id eq "${babs}" and manager eq "${smith}"`)).toEqual([]);
    expect(await namesOf(`groups eq "${all}"`)).toEqual(['bjensen', 'jsmith']);
    expect(await namesOf(`groups[value eq "${tours}"] and not (groups.value eq "${tours}")`)).toEqual([]);
    expect(await namesOf(`id eq "${tours}" and members eq "${babs}"`, 'Groups')).toEqual(['Tour Guides']);
    expect(await namesOf(`id eq "${tours}" and members eq "${smith}"`, 'Groups')).toEqual([]);
    expect(await namesOf(`members[value eq "${smith}"]`, 'Groups')).toEqual(['Everybody']);
    expect(await namesOf('displayName eq "TOUR GUIDES"', 'Groups')).toEqual(['Tour Guides']);
    expect(await namesOf('externalId eq "G-1"', 'Groups')).toEqual(['Tour Guides']);
  });

  it('stand in the body of a search, too', async () => {
    const search = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      attributes: ['userName'],
      filter: 'userName sw "j"',
    };
    const found = await scim.ok('POST', '/Users/.search', { ...search, startIndex: 2, count: 1 });
    expect(found).toMatchObject({ totalResults: 2, startIndex: 2, itemsPerPage: 1 });
    expect(found.Resources).toEqual([{ schemas: [urn.user], id: ids['John'], userName: 'John' }]);
    expect(
      (await scim.ok('POST', '/Groups/.search', { filter: 'displayName sw "t"', excludedAttributes: ['members', 'meta'] })).Resources,
    ).toEqual([{ schemas: [urn.group], id: ids['tours'], displayName: 'Tour Guides', externalId: 'G-1' }]);
  });
});

describe('filters that are refused', () => {
  it.each([
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq "x" and',
    '(userName eq "x"',
    'shoeSize eq "43"',
    'urn:acme:1.0:Thing:size eq "4"',
    'password eq "x"',
    'x509Certificates.value co "M"',
    'name pr',
    'active gt true',
    'active eq "perhaps"',
    'userName eq 5',
    'userName co true',
    'emails.primary co "t"',
    'meta.created gt "yesterday"',
    'meta.created gt "99999-01-01T00:00:00Z"',
    'meta.created co "2026-01-01T00:00:00Z"',
    'groups sw "x"',
    'members.value eq "x"',
    'name[familyName eq "x"]',
    'emails[ims[value eq "x"]]',
    'emails[shoeSize eq "x"]',
    'toString eq "x"',
    'constructor pr',
    'userName eq "a\\u0000b"',
    'userName eq "\\ud800"',
    `${'('.repeat(25)}title pr${')'.repeat(25)}`,
  ])('%s', async (filter) => {
    const { status, body } = await scim.send('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect([status, body.schemas, body.scimType, body.status]).toEqual([400, [urn.error], 'invalidFilter', '400']);
    expect(body.detail.length).toBeGreaterThan(10);
  });

  it('of groups, and the error says what can be searched', async () => {
    for (const filter of ['userName eq "x"', 'members co "x"', 'members.display eq "x"', 'schemas pr']) {
      const { status, body } = await scim.send('GET', `/Groups?filter=${encodeURIComponent(filter)}`);
      expect([status, body.scimType]).toEqual([400, 'invalidFilter']);
      expect(body.detail).toContain('What can be searched: id, displayName, externalId, members.value');
    }
    const search = await scim.send('POST', '/Users/.search', { filter: 5 });
    expect([search.status, search.body.scimType]).toEqual([400, 'invalidFilter']);
  });
});

/** A filter as a text, with what it says of a resource as the reply shows it. */
interface Sample {
  readonly text: string;
  readonly holds: (user: Loose) => boolean;
}

describe('any filter', () => {
  const words = ['a', 'B', 'ab', 'É', 'z%', "o'x", '😀', '\\"'];
  const word = fc.constantFrom(...words);
  const user = fc.record(
    {
      title: word,
      displayName: word,
      externalId: word,
      active: fc.boolean(),
      name: fc.record({ familyName: word, givenName: word }, { requiredKeys: [] }),
      emails: fc.array(
        fc.record({ value: word, type: fc.constantFrom('work', 'home'), primary: fc.boolean() }, { requiredKeys: ['value'] }),
        {
          maxLength: 3,
        },
      ),
      [urn.enterprise]: fc.record({ department: word }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  );
  let client: ScimClient;
  let users: Loose[];
  beforeAll(async () => {
    client = await connectScim(server, 'Random');
    const samples = fc.sample(user, { numRuns: 50, seed: 3 });
    for (const [index, content] of samples.entries()) {
      await client.addUser(`u${index}${words[index % words.length]}`, content);
    }
    users = (await client.ok('GET', '/Users')).Resources;
    expect(users).toHaveLength(50);
  });

  const bytes = (text: string) => Buffer.from(text);
  function holds(found: string | undefined, operator: string, sought: string): boolean {
    if (operator === 'ne') {
      return found !== sought;
    }
    if (found === undefined) {
      return false;
    }
    const order = Buffer.compare(bytes(found), bytes(sought));
    const answers: Record<string, boolean> = {
      eq: found === sought,
      co: found.includes(sought),
      sw: found.startsWith(sought),
      ew: found.endsWith(sought),
      gt: order > 0,
      ge: order >= 0,
      lt: order < 0,
      le: order <= 0,
    };
    return answers[operator] ?? false;
  }

  type Read = (resource: Loose) => string | undefined;
  const texts: Record<string, Read> = {
    userName: (one) => one.userName.toLowerCase(),
    title: (one) => one.title?.toLowerCase(),
    DISPLAYNAME: (one) => one.displayName?.toLowerCase(),
    externalId: (one) => one.externalId,
    'name.familyName': (one) => one.name?.familyName?.toLowerCase(),
    [`${urn.enterprise}:department`]: (one) => one[urn.enterprise]?.department?.toLowerCase(),
  };
  const parts: Record<string, Read> = { value: (mail) => mail.value.toLowerCase(), type: (mail) => mail.type?.toLowerCase() };
  const operator = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'EQ', 'Co');
  const comparison = (from: Record<string, Read>) =>
    fc
      .record({ path: fc.constantFrom(...Object.keys(from)), operator, sought: word })
      .map(({ path, operator: written, sought }): Sample => {
        const isExact = path === 'externalId';
        return {
          text: `${path} ${written} ${JSON.stringify(sought)}`,
          holds: (one) => holds(from[path]?.(one), written.toLowerCase(), isExact ? sought : sought.toLowerCase()),
        };
      });
  const present = (from: Record<string, Read>) =>
    fc.constantFrom(...Object.keys(from)).map((path): Sample => ({ text: `${path} pr`, holds: (one) => from[path]?.(one) !== undefined }));
  const primary = fc.record({ is: fc.boolean(), written: fc.constantFrom('eq', 'ne') }).map(
    ({ is, written }): Sample => ({
      text: `primary ${written} ${is}`,
      holds: (mail) => ((mail.primary === true) === is) === (written === 'eq'),
    }),
  );

  /** Filters made of these by and, or, not and brackets; `and` binds more than `or`. */
  function combine(leaf: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
    return fc.letrec<{ filter: Sample }>((tie) => ({
      filter: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        leaf,
        fc.record({ left: tie('filter'), right: tie('filter'), isAnd: fc.boolean() }).map(({ left, right, isAnd }) => ({
          text: `(${left.text}) ${isAnd ? 'and' : 'OR'} (${right.text})`,
          holds: (one: Loose) => (isAnd ? left.holds(one) && right.holds(one) : left.holds(one) || right.holds(one)),
        })),
        fc.tuple(leaf, leaf, leaf).map(([first, second, third]) => ({
          text: `${first.text} or ${second.text} and ${third.text}`,
          holds: (one: Loose) => first.holds(one) || (second.holds(one) && third.holds(one)),
        })),
        tie('filter').map(({ text, holds: inner }) => ({ text: `not (${text})`, holds: (one: Loose) => !inner(one) })),
      ),
    })).filter;
  }

  const someMail = (isSo: (mail: Loose) => boolean) => (one: Loose) => (one.emails ?? []).some(isSo);
  const sameMail = combine(fc.oneof(comparison(parts), present(parts), primary)).map(
    (inner): Sample => ({ text: `emails[${inner.text}]`, holds: someMail(inner.holds) }),
  );
  const anyMail = comparison(parts).map((inner): Sample => ({ text: `emails.${inner.text}`, holds: someMail(inner.holds) }));
  const active = fc.boolean().map((is): Sample => ({ text: `active eq ${is}`, holds: (one) => (one.active !== false) === is }));
  const filter = combine(fc.oneof(comparison(texts), present(texts), sameMail, anyMail, active));

  it('finds whom a plain evaluation of it finds', async () => {
    await fc.assert(
      fc.asyncProperty(filter, async ({ text, holds: isSo }) => {
        fc.pre(text.length < 4000);
        const { Resources } = await client.ok('POST', '/Users/.search', { filter: text, attributes: ['userName'], count: 200 });
        expect(Resources.map((one: Loose) => one.userName)).toEqual(users.filter(isSo).map((one) => one.userName));
      }),
      { numRuns: runs(60, 300) },
    );
  }, 300_000);
});
