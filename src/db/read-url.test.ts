/** URLs of databases: what is reached, and that no piece of a password is ever said. */
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../context.ts';
import { openDatabase } from './open.ts';
import { readUrl } from './read-url.ts';

/** What pg makes of it. */
function reach(url: string) {
  const { config, name } = readUrl(url, '--database-url');
  const { user, password, host, port, database } = new pg.Client(config);
  return { name, user, password, host, port, database };
}

function refusal(url: string): string {
  try {
    reach(url);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a password is taken as it stands where that can be told', () => {
  it.each(['pa@ss', 'pa:ss', 'pa%ss', '%', 'pa ss', 'pa\tss', 'päß😀', '[x]^|\\"`{}<>', '@@:@', 'p%2', 'x&y=z;'])('%s', (password) => {
    expect(reach(`postgres://user:${password}@host:1/db`)).toEqual({
      name: 'host:1/db',
      user: 'user',
      password,
      host: 'host',
      port: 1,
      database: 'db',
    });
  });
  it.each(['pa/ss', 'pa#ss', 'pa?ss', '12/ss', '12#ss', '12?ss', '1/a?b=c', 'a@b/c', 'a@b?c=d', '/', '?', '#', 'pa%ab'])(
    'encoded where it cannot: %s',
    (password) => {
      expect(refusal(`postgres://user:${password}@host:1/db`)).toMatch(/percent-encode .*PGPASSWORD\.$/);
      expect(reach(`postgres://user:${encodeURIComponent(password)}@host:1/db`)).toMatchObject({ password, host: 'host', database: 'db' });
    },
  );
});

it.each([
  ['postgres://host/db', 'host/db', { host: 'host', port: 5432, database: 'db' }],
  ['postgresql://user@host', 'host', { user: 'user', host: 'host' }],
  ['postgres:///db', 'localhost/db', { host: 'localhost', database: 'db' }],
  ['postgres://user@/db?host=%2Frun%2Fpg', '/run/pg/db', { user: 'user', host: '/run/pg', database: 'db' }],
  ['postgres://user:p@ss@/db?host=/run/pg', '/run/pg/db', { user: 'user', password: 'p@ss', host: '/run/pg', database: 'db' }],
  ['postgres://u:p@[::1]:5/a%20b?application_name=x', '[::1]:5/a%20b', { host: '::1', port: 5, database: 'a b' }],
  ['  postgres://u:p@host/db\n', 'host/db', { host: 'host', database: 'db' }],
])('reads %s', (url, name, reached) => {
  expect(reach(url)).toMatchObject({ name, ...reached });
});

it.each([
  ['nonsense', /is not a URL such as/],
  ['user:secret@host/db', /is not a URL such as/],
  ['mysql://user:secret@host/db', /must begin with postgres:\/\//],
  ['postgres://user:secret@host:port/db', /is not a URL such as/],
  ['postgres://user:secret@host/db?user=a@b', /has an @ behind the first/],
  ['postgres://user:secret@h1:5432,h2:5433/db', /names several hosts: give one name that leads to the primary/],
  ['postgres://user:secret@/db?host=h1,h2', /names several hosts/],
  ['postgres://user:secret@ho st/db', /is not a URL such as/],
])('refuses %s without saying a piece of it', (url, reason) => {
  expect(refusal(url)).toMatch(reason);
  expect(refusal(url)).not.toContain('secret');
});

const piece = fc.constantFrom(
  '/',
  '#',
  '?',
  '@',
  ':',
  '%',
  '%2',
  '%ab',
  '\\',
  '[',
  ']',
  '&',
  '=',
  ' ',
  '\t',
  '\n',
  '5432',
  'host=',
  '//',
  'ß',
);
const password = fc
  .array(fc.oneof(piece, fc.string({ minLength: 1, maxLength: 6, unit: 'binary' })), { maxLength: 8 })
  .map((all) => all.join(''));
/** Whatever the password is, a message is one of these. */
const sentences = [
  /^The value of --database-url \(COUNTERSIGN_DATABASE_URL, DATABASE_URL\) has an @ behind the first \/ \? or #: percent-encode [^\n]* PGPASSWORD\.$/,
  /^The value of --database-url \(COUNTERSIGN_DATABASE_URL, DATABASE_URL\) is not a URL such as postgres:\/\/user:password@host:5432\/database: percent-encode [^\n]* PGPASSWORD\.$/,
  /^The database at 127\.0\.0\.1:1\/db cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1; start PostgreSQL there, or mend host and port in the URL\.$/,
];

it('no message holds a piece of a password, whatever it is', async () => {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(password, async (secret) => {
      const opening = openDatabase({ databaseUrl: `postgres://user:${secret}@127.0.0.1:1/db`, log: silentLogger });
      const error = await opening.then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      );
      const which = sentences.findIndex((sentence) => sentence.test(error?.message ?? ''));
      expect(error?.message).toMatch(sentences[which] ?? /^one of the sentences$/);
      seen.add(which);
      // The cause is logged with all that it has.
      const cause = error?.cause as (Error & { input?: string }) | undefined;
      expect([cause?.message ?? 'connect ECONNREFUSED 127.0.0.1:1', cause?.input]).toEqual(['connect ECONNREFUSED 127.0.0.1:1', undefined]);
    }),
    { numRuns: 300, examples: [['pass'], ['pa/ss'], ['pa%ab']] },
  );
  expect(seen).toEqual(new Set([0, 1, 2]));
});
