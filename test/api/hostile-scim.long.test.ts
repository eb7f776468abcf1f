/**
 * Hostile input at the SCIM service: bodies, filters and paths that no identity provider sends, too much of everything, and floods of wrong
 * tokens. What good requests do is in scim.test.ts.
 */
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import type { Logger } from '../../src/context.ts';
import { request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { connectScim, patch, type ScimAnswer, type ScimClient, sendScim, urn } from '../support/scim.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const errors: string[] = [];
const ignore = (): void => undefined;
const log: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: (fields, message) => {
    const { err, cause, detail } = fields as { err?: unknown; cause?: unknown; detail?: unknown };
    errors.push(`${message}: ${String(err)} ${String(cause)} ${String(detail)}`);
  },
  child: () => log,
};
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff',
    '__proto__',
    'constructor',
    "'; DROP TABLE users; --",
    '%',
    '\\',
    '$1',
    'x'.repeat(70_000),
    'urn:ietf:params:scim:schemas:core:2.0:User',
    [],
    {},
    [null],
    [[]],
    [{ value: '\0' }],
    [{ value: { value: {} } }],
    { value: '\ud800' },
    { '': '' },
  ),
  fc.jsonValue({ maxDepth: 4 }),
);
const names = [
  'schemas',
  'id',
  'externalId',
  'userName',
  'displayName',
  'name',
  'emails',
  'active',
  'members',
  'groups',
  'meta',
  'title',
  'roles',
  'x509Certificates',
  'password',
  'Operations',
  urn.enterprise,
  '__proto__',
  'filter',
  'count',
  'startIndex',
  'attributes',
];
const body = fc.oneof(nasty, fc.dictionary(fc.constantFrom(...names), nasty, { maxKeys: 6, noNullPrototype: true }));
const operation = fc.record({
  op: fc.oneof(fc.constantFrom('add', 'replace', 'remove', 'Add'), nasty),
  path: fc.oneof(
    fc.constantFrom(
      'userName',
      'emails[type eq "work"].value',
      'members[value eq "x"]',
      'members',
      'name.familyName',
      `${urn.enterprise}:manager`,
      'emails[',
      'emails[type eq "\0"]',
      'a.b.c.d',
      '',
      '__proto__.polluted',
      'constructor.prototype',
      '('.repeat(5000),
    ),
    nasty,
  ),
  value: nasty,
});

describe('hostile input at SCIM', () => {
  let server: TestServer;
  let provider: ScimClient;
  let userId: string;
  let groupId: string;

  beforeAll(async () => {
    server = await startTestServer({ log });
    provider = await connectScim(server, 'Provider');
    userId = await provider.addUser('good');
    groupId = await provider.addGroup('Team', [userId]);
  });
  afterAll(() => server.stop());

  /** Expects a client's mistake, or success, answered in the form of SCIM. */
  function expectHonest(what: string, { status, body: answer }: ScimAnswer): void {
    expect([what, status, status >= 500 ? errors.join() : '']).toEqual([what, status, '']);
    if (status >= 400) {
      // An address that cannot be read at all never gets as far as SCIM.
      expect(answer.schemas?.[0] ?? answer.message).toMatch(what.startsWith('unreadable') ? /./ : urn.error);
      expect(JSON.stringify(answer).length).toBeLessThan(10_000);
    }
  }

  it.each([
    ['POST', '/Users'],
    ['PUT', '/Users/USER'],
    ['POST', '/Groups'],
    ['PUT', '/Groups/GROUP'],
    ['PATCH', '/Users/USER'],
    ['PATCH', '/Groups/GROUP'],
    ['POST', '/Users/.search'],
  ])('any body at %s %s', async (method, path) => {
    const at = path.replace('USER', userId).replace('GROUP', groupId);
    await fc.assert(
      fc.asyncProperty(body, async (one) => expectHonest(JSON.stringify(one), await provider.send(method, at, one))),
      { numRuns: runs(15, 60) },
    );
    // What is nearly good goes deepest.
    const good = { schemas: [path.includes('Group') ? urn.group : urn.user], userName: 'other', displayName: 'Other' };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), nasty, async (name, value) => {
        const one = { ...good, userName: `u${Math.random()}`, displayName: `g${Math.random()}`, [name]: value };
        expectHonest(JSON.stringify(one).slice(0, 200), await provider.send(method, at, one));
      }),
      { numRuns: runs(15, 60) },
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('any operations of a PATCH', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 3 }), fc.boolean(), async (operations, isUser) => {
        const answer = await provider.send('PATCH', isUser ? `/Users/${userId}` : `/Groups/${groupId}`, patch(...operations));
        expectHonest(JSON.stringify(operations).slice(0, 300), answer);
      }),
      { numRuns: runs(40, 150) },
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('any filter, page and projection', async () => {
    const part = fc.constantFrom('userName', 'emails', '[', ']', '(', ')', 'eq', 'co', 'pr', 'and', 'or', 'not', '"x"', '"\\u0000"', '"\0"', '"%_"', '"\\', 'true', '1e999', '.', ':', urn.user, '\u{1f600}', "'", '--'); // biome-ignore format: one line of words
    const filter = fc.oneof(
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join(' ')),
      fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => text.isWellFormed()),
      fc.constantFrom(
        '('.repeat(2000),
        `userName eq "${'x'.repeat(3000)}"`,
        'not ('.repeat(400),
        `${'userName pr and '.repeat(400)}userName pr`,
        'x'.repeat(20_000),
      ),
    );
    await fc.assert(
      fc.asyncProperty(filter, fc.constantFrom('Users', 'Groups'), async (text, kind) => {
        if (text.length < 5000) {
          expectHonest(text.slice(0, 200), await provider.send('GET', `/${kind}?${new URLSearchParams({ filter: text })}`));
        }
        expectHonest(text.slice(0, 200), await provider.send('POST', `/${kind}/.search`, { filter: text }));
      }),
      { numRuns: runs(30, 120) },
    );
    for (const query of [
      'startIndex=-1',
      'startIndex=9007199254740991',
      'count=-5',
      'count=1e9',
      'count=x',
      'attributes=\0',
      'sortBy=userName',
      'filter=',
    ]) {
      expectHonest(query, await provider.send('GET', `/Users?${query}`));
    }
    // Wildcards of the database's own mean themselves; names made of anything above may hold them.
    const plain = await provider.addUser('good\\ish');
    for (const text of ['%', '_', '%oo%', 'g_od', '\\\\']) {
      const { body: found } = await provider.send(
        'GET',
        `/Users?${new URLSearchParams({ filter: `id eq "${plain}" and userName co "${text}"` })}`,
      );
      expect([text, found.totalResults]).toEqual([text, text === '\\\\' ? 1 : 0]);
    }
  });

  it('ids that cannot be', async () => {
    for (const id of [
      '%00',
      'a%00b',
      '%2F',
      '..%2F..',
      'x'.repeat(900),
      'x'.repeat(2000),
      '%F0%9F%98%80',
      '%27%3B--',
      '*',
      '%25',
      'a'.repeat(27),
      '%ED%A0%80',
    ]) {
      for (const kind of ['Users', 'Groups']) {
        for (const [method, sent] of [
          ['GET', undefined],
          ['PUT', { schemas: [kind === 'Users' ? urn.user : urn.group], userName: 'x', displayName: 'x' }],
          ['PATCH', patch({ op: 'replace', path: 'displayName', value: 'x' })],
          ['DELETE', undefined],
        ] as const) {
          const answer = await provider.send(method, `/${kind}/${id}`, sent);
          expectHonest(`${id.length > 1000 || id.startsWith('%ED') ? 'unreadable' : ''} ${method} ${id}`.trim(), answer);
          expect([400, 404, 405, 414]).toContain(answer.status);
        }
      }
    }
  });

  it('too much of everything', async () => {
    const begun = process.cpuUsage();
    const values = upTo(20_000).map((n) => ({ value: `u${n}` }));
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    for (const [method, path, sent] of [
      ['POST', '/Groups', { schemas: [urn.group], displayName: 'Many', members: values }],
      ['PATCH', `/Groups/${groupId}`, patch({ op: 'add', path: 'members', value: values })],
      ['PATCH', `/Groups/${groupId}`, patch(...upTo(10_000).map((n) => ({ op: 'add', path: 'members', value: [{ value: `u${n}` }] })))],
      ['PATCH', `/Users/${userId}`, patch(...upTo(5000).map(() => ({ op: 'replace', path: 'displayName', value: 'x' })))],
      ['POST', '/Users', { schemas: [urn.user], userName: 'many', emails: values }],
      ['POST', '/Users', { schemas: [urn.user], userName: 'wide', ...Object.fromEntries(upTo(50_000).map((n) => [`k${n}`, 1])) }],
      ['POST', '/Users', { schemas: [urn.user], userName: 'x'.repeat(900_000) }],
      ['POST', '/Users', `{"schemas":["${urn.user}"],"userName":"deep","x":${deep}}`],
      ['POST', '/Users', '['.repeat(500_000)],
      ['POST', '/Users', 'x'.repeat(1_100_000)],
    ] as const) {
      const answer = await provider.send(method, path, sent);
      expectHonest(`${method} ${path} ${JSON.stringify(sent).slice(0, 80)}`, answer);
      expect([path, JSON.stringify(sent).slice(0, 80), answer.status >= 400 ? 'refused' : answer.status]).toEqual([
        path,
        JSON.stringify(sent).slice(0, 80),
        'refused',
      ]);
    }
    // Processor time: other work on the machine takes none of it.
    expect(process.cpuUsage(begun).user).toBeLessThan(10_000_000);
  });

  it('a compressed body is refused, whatever it would become', async () => {
    const answer = await provider.send('POST', '/Users', '{}', { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(415);
  });

  describe('wrong tokens', () => {
    const wrong = (connectorId: string, n: number): string => `scim_${connectorId}.${String(n).padStart(43, 'A')}`;

    it('all get the same answer: of a connector that is there, of none, of another kind', async () => {
      const [file] = await server.test.admin(`SELECT id FROM sources WHERE tenant_id = $1 AND kind = 'FILE' LIMIT 1`, [server.id]);
      const texts = new Set<string>();
      for (const id of [provider.connectorId, 'a'.repeat(27), String(file?.['id'] ?? 'b'.repeat(27))]) {
        const { status, body: answer, headers } = await sendScim(server, wrong(id, 1), 'GET', '/Users');
        expect(headers.get('www-authenticate')).toContain('invalid_token');
        texts.add(`${status} ${answer.detail}`);
      }
      for (const token of [
        'x',
        'scim_',
        `${provider.token}x`,
        provider.token.toUpperCase(),
        provider.token.slice(0, -1),
        provider.token.replace('scim_', 'Scim_'),
      ]) {
        texts.add(await sendScim(server, token, 'GET', '/Users').then(({ status, body: answer }) => `${status} ${answer.detail}`));
      }
      expect(texts.size).toBe(1);
      expect([...texts][0]).toMatch(/^401 /);
    });

    it('reach no table but that of connectors, are counted, and change nothing', async () => {
      const locker = new pg.Client({ connectionString: server.test.url });
      await locker.connect();
      try {
        await locker.query('SET search_path = countersign');
        const { rows } = await locker.query<{ name: string }>(
          `SELECT relname AS name FROM pg_class WHERE relnamespace = 'countersign'::regnamespace AND relkind = 'r'
             AND relname NOT IN ('events', 'rate_windows') AND relname !~ '^logs?(_|$)' ORDER BY relname`,
        );
        const closed = ['users', 'personal_clients', 'accounts', 'scim_resources', 'grants', 'entitlements'];
        // Whoever reads the one or writes the other waits for these locks. A job in the middle of its work may be in the way at first.
        await until(async () => {
          await locker.query('ROLLBACK');
          await locker.query('BEGIN');
          await locker.query(`LOCK TABLE ${closed.join(', ')} IN ACCESS EXCLUSIVE MODE`);
          await locker.query(`LOCK TABLE ${rows.map(({ name }) => locker.escapeIdentifier(name)).join(', ')} IN SHARE MODE`);
        });
        for (const n of upTo(40)) {
          const { status } = await sendScim(server, wrong(provider.connectorId, n), 'GET', '/Users');
          expect([401, 429]).toContain(status);
        }
      } finally {
        await locker.end();
      }
    });

    it('in a flood are counted, become a few events, and stop nobody who has a good one', async () => {
      const other = await connectScim(server, 'Other provider');
      const statuses: number[] = [];
      const flood = upTo(300).map(async (n) => {
        const { status, headers } = await sendScim(server, wrong(n % 2 === 0 ? provider.connectorId : 'c'.repeat(27), n), 'GET', '/Users');
        statuses.push(status);
        if (status === 429) {
          expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        }
      });
      expect((await other.send('GET', '/Users')).status).toBe(200);
      await Promise.all(flood);
      expect(statuses.filter((status) => ![401, 429].includes(status))).toEqual([]);
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(50);
      expect((await other.send('GET', '/Users')).status).toBe(200);
      await expect
        .poll(
          async () =>
            (
              await server.test.admin(
                `SELECT count(*)::int AS count FROM events WHERE tenant_id = $1 AND kind = 'credential.token_refused'`,
                [server.id],
              )
            )[0]?.['count'],
        )
        .toBeGreaterThan(0);
      const [told] = await server.test.admin(
        `SELECT count(*)::int AS count FROM events WHERE tenant_id = $1 AND kind = 'credential.token_refused'`,
        [server.id],
      );
      expect(told?.['count']).toBeLessThan(10);
    });
  });

  it('was never at fault, and everything is as well as it was', async () => {
    expect(errors).toEqual([]);
    expect((await request(server, server.admin, 'GET', '/api/v1/apps')).status).toBe(200);
    await checkInventory(server.test.admin, server.id);
  });
});
