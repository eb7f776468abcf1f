/** Options of `serve`: where values come from, which are refused and with what sentence. */
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, unknownVariables } from './read-config.ts';
import { serveOptions, variableName } from './serve-options.ts';

function problemsOf(flags: Record<string, string>, env: Record<string, string> = {}): readonly string[] {
  try {
    readConfig(flags, env);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
}

describe('the configuration', () => {
  it('needs nothing', () => {
    expect(readConfig({}, {})).toMatchObject({
      host: 'localhost',
      port: 8080,
      dataDir: undefined,
      databaseUrl: undefined,
      tls: undefined,
      trustProxy: [],
      tokenLifetimeSeconds: 3600,
      secretLabel: 'conductorone.com',
      bootstrapFile: undefined,
      tenantHost: undefined,
      logLevel: 'info',
    });
  });
  it('takes every option from its variable, and a flag wins', () => {
    for (const option of serveOptions) {
      expect(variableName(option.flag)).toMatch(/^COUNTERSIGN_[A-Z_]+$/);
    }
    expect(readConfig({}, { COUNTERSIGN_PORT: '9000', COUNTERSIGN_DATA_DIR: '/data' })).toMatchObject({ port: 9000, dataDir: '/data' });
    expect(readConfig({ port: '9001' }, { COUNTERSIGN_PORT: '9000' }).port).toBe(9001);
  });
  it('counts an empty variable as not set', () => {
    expect(readConfig({}, { COUNTERSIGN_PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined });
  });
  it('reads DATABASE_URL too, after its own variable', () => {
    const DATABASE_URL = 'postgres://a@b/c';
    expect(readConfig({}, { DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
    expect(readConfig({}, { DATABASE_URL, COUNTERSIGN_DATABASE_URL: 'postgres://x@y/z' }).databaseUrl).toBe('postgres://x@y/z');
  });
  it('takes an owner of the tables with a database, not alone', () => {
    const urls = { 'database-url': 'postgres://a@b/c', 'database-owner-url': 'postgres://o@b/c' };
    expect(readConfig(urls, {}).databaseOwnerUrl).toBe('postgres://o@b/c');
    expect(readConfig(urls, { COUNTERSIGN_DATABASE_OWNER_URL: 'postgres://x@b/c' }).databaseOwnerUrl).toBe('postgres://o@b/c');
    expect(problemsOf({}, { COUNTERSIGN_DATABASE_OWNER_URL: 'postgres://o@b/c' })).toEqual([
      '--database-owner-url goes with --database-url, which is missing',
    ]);
  });
  it('splits the list of proxies', () => {
    expect(readConfig({ 'trust-proxy': '10.0.0.0/8, ::1' }, {}).trustProxy).toEqual(['10.0.0.0/8', '::1']);
  });
  it('takes both TLS files or none', () => {
    expect(readConfig({ 'tls-cert': 'c.pem', 'tls-key': 'k.pem' }, {}).tls).toEqual({ certFile: 'c.pem', keyFile: 'k.pem' });
    expect(problemsOf({ 'tls-cert': 'c.pem' })).toEqual(['--tls-cert and --tls-key go together: one is missing']);
  });
  it.each([
    [{ port: '70000' }, '--port must be a whole number from 1 to 65535, not "70000"'],
    [{ port: '-1' }, '--port must be a whole number from 1 to 65535, not "-1"'],
    [{ port: '8o80' }, '--port must be a whole number from 1 to 65535, not "8o80"'],
    [{ 'log-level': 'loud' }, '--log-level must be one of debug, info, warn, error, silent, not "loud"'],
    [{ 'admin-email': 'nobody' }, '--admin-email must be a mail address, not "nobody"'],
    [{ 'secret-label': 'a:b' }, '--secret-label must be letters, digits, dots and hyphens, not "a:b"'],
    [{ 'trust-proxy': 'everybody' }, '--trust-proxy must be addresses or CIDR blocks separated by commas, not "everybody"'],
    [{ 'data-dir': '' }, '--data-dir needs a value'],
  ])('refuses %o', (flags, sentence) => {
    expect(problemsOf(flags as Record<string, string>)).toEqual([sentence]);
  });
  it('names the variable where that is wrong, and tells all problems at once', () => {
    expect(problemsOf({}, { COUNTERSIGN_PORT: 'x', COUNTERSIGN_POOL_SIZE: '1' })).toEqual([
      'COUNTERSIGN_PORT must be a whole number from 1 to 65535, not "x"',
      'COUNTERSIGN_POOL_SIZE must be a whole number from 2 to 500, not "1"',
    ]);
  });
  it('does not repeat a database URL that is wrong: it may hold a password', () => {
    expect(problemsOf({}, { DATABASE_URL: 'mysql://root:hunter2@db/x' })).toEqual([
      'DATABASE_URL must be a URL such as postgresql://user:password@host:5432/database',
    ]);
  });
  it('knows which variables are no options of ours', () => {
    expect(unknownVariables({ COUNTERSIGN_PROT: '1', COUNTERSIGN_PORT: '1', COUNTERSIGN_URL: 'x', PATH: 'y' })).toEqual([
      'COUNTERSIGN_PROT',
    ]);
  });
});
