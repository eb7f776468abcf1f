/** Options of `serve`: where values come from, which are refused and with what sentence. */
import { describe, expect, it } from 'vitest';
import { ConfigError, plainPortOf, readConfig } from './read-config.ts';
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
  it('knows a port without TLS where neither the server nor a proxy has any', () => {
    const tls = { certFile: 'a', keyFile: 'b' };
    expect([
      plainPortOf({ port: 8080, tls: undefined, trustProxy: [] }),
      plainPortOf({ port: 8080, tls, trustProxy: [] }),
      plainPortOf({ port: 8080, tls: undefined, trustProxy: ['10.0.0.0/8'] }),
    ]).toEqual([8080, undefined, undefined]);
  });
  it('counts an empty variable as not set', () => {
    expect(readConfig({}, { COUNTERSIGN_PORT: '', COUNTERSIGN_ADMIN_EMAIL: ' ' })).toMatchObject({
      port: 8080,
      adminEmail: 'admin@localhost',
    });
  });
  it('refuses an empty variable of the database: it would start on an empty one elsewhere', () => {
    const refusal = (name: string) => `${name} is set and empty; give it a value, or take it away to use the embedded database`;
    expect(problemsOf({}, { COUNTERSIGN_DATABASE_URL: '', COUNTERSIGN_DATA_DIR: '/data' })).toEqual([refusal('COUNTERSIGN_DATABASE_URL')]);
    expect(problemsOf({}, { DATABASE_URL: ' ' })).toEqual([refusal('DATABASE_URL')]);
    expect(problemsOf({}, { COUNTERSIGN_DATA_DIR: '' })).toEqual([refusal('COUNTERSIGN_DATA_DIR')]);
    expect(problemsOf({ 'data-dir': '/data' }, { COUNTERSIGN_DATA_DIR: '' })).toEqual([]);
    expect(problemsOf({}, { COUNTERSIGN_DATABASE_URL: 'postgres://a@b/c', DATABASE_URL: '', COUNTERSIGN_DATA_DIR: '' })).toEqual([]);
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
  it('takes policies of time stamps with roots, not alone, and names the one that is no identifier', () => {
    const roots = { 'tsa-roots': 'roots.pem' };
    expect(readConfig({ ...roots, 'tsa-policies': '1.3.6.1.4.1.99999.1.1, 0.4.0.2023.1.1' }, {}).timeStampPolicies).toEqual([
      '1.3.6.1.4.1.99999.1.1',
      '0.4.0.2023.1.1',
    ]);
    expect(readConfig(roots, { COUNTERSIGN_TSA_POLICIES: '2.999' }).timeStampPolicies).toEqual(['2.999']);
    expect(readConfig({}, {}).timeStampPolicies).toEqual([]);
    expect(problemsOf({ 'tsa-policies': '2.999' })).toEqual([
      '--tsa-policies goes with --tsa-roots, which is missing: without roots no time stamp server is believed',
    ]);
    for (const wrong of ['1', '1.40', '3.1', '1.2.03', '1.2.', 'policy', '1.2 1.3']) {
      expect(problemsOf({ ...roots, 'tsa-policies': `1.2.3,${wrong}` })).toEqual([
        `--tsa-policies must be object identifiers such as 1.3.6.1.4.1.99999.1, separated by commas, not "${wrong}"`,
      ]);
    }
  });
  it.each([
    ['reviews.example.com', 'reviews.example.com'],
    ['Größe.example', 'xn--gre-6ka8i.example'],
    ['[192.0.2.7]', '[192.0.2.7]'],
    ['[IPv6:2001:db8::7]', '[IPv6:2001:db8::7]'],
  ])('takes the name %s for mail servers as %s', (text, name) => {
    const flags = { 'smtp-name': text, 'smtp-url': 'smtp://relay', 'mail-from': 'a@b.example' };
    expect(readConfig(flags, {}).mail?.transport).toMatchObject({ name });
  });
  it.each(['a b', '-x.example', '1.2.3.4', '[1.2.3]', '[2001:db8::7]', 'x\r\nMAIL'])('takes no name %j for mail servers', (name) => {
    const flags = { 'smtp-name': name, 'smtp-url': 'smtp://relay', 'mail-from': 'a@b.example' };
    expect(problemsOf(flags)).toEqual([
      `--smtp-name must be a domain name such as reviews.example.com, or an address in brackets such as [192.0.2.7] or [IPv6:2001:db8::7], not "${name}"`,
    ]);
  });
  it.each([
    ['hunter2', 'hunter2'],
    ['hun%ter2', 'hun%ter2'],
    ['%', '%'],
    ['hun@ter:2', 'hun@ter:2'],
    ['1%232%2Fter%3F', '1#2/ter?'],
  ])('takes the password %s in the URL of a mail server', (text, password) => {
    const flags = { 'smtp-url': `smtp://me@corp.example:${text}@relay:25`, 'mail-from': 'a@b.example' };
    expect(readConfig(flags, {}).mail?.transport).toMatchObject({
      server: { host: 'relay', port: 25, user: 'me@corp.example', password },
    });
  });
  it.each(['12#ter2', '12?ter2', '12/ter2', 'hun#ter2', 'hun?ter2', 'hun/ter2', 'hun%ffter2'])(
    'refuses the password %s there, and does not repeat it',
    (password) => {
      expect(problemsOf({ 'smtp-url': `smtp://me:${password}@relay:25`, 'mail-from': 'a@b.example' })).toEqual([
        '--smtp-url must be a URL such as smtps://user:password@smtp.example.com or smtp://relay.example.com:587: percent-encode / ? # @ : and % in the password (%2F %3F %23 %40 %3A %25), or give it with --smtp-password-file',
      ]);
    },
  );
  it.each([
    ['https://REVIEWS.example:443/', 'https://reviews.example'],
    ['http://reviews.example:8080', 'http://reviews.example:8080'],
    ['https://größe.example', 'https://xn--gre-6ka8i.example'],
    ['https://{host}:8443//', 'https://{host}:8443'],
    ['https://reviews-{host}', 'https://reviews-{host}'],
    ['https://host.invalid', 'https://host.invalid'],
  ])('takes %s for links as %s', (text, url) => {
    expect(readConfig({ 'public-url': text }, {}).publicUrl).toBe(url);
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
    [{ 'admin-email': 'nobody' }, '--admin-email must be a mail address such as reviews@example.com, not "nobody"'],
    [{ 'admin-email': '"a@b.example"' }, '--admin-email must be a mail address such as reviews@example.com, not ""a@b.example""'],
    [{ 'admin-email': "'a@b.example'" }, '--admin-email must be a mail address such as reviews@example.com, not "\'a@b.example\'"'],
    [{ 'admin-email': 'A <a@b.example>' }, '--admin-email must be a mail address such as reviews@example.com, not "A <a@b.example>"'],
    [
      { 'smtp-url': 'smtp://relay', 'mail-from': 'Reviews <a@b.example>' },
      '--mail-from must be a mail address such as reviews@example.com, not "Reviews <a@b.example>"',
    ],
    [{ 'secret-label': 'a:b' }, '--secret-label must be letters, digits, dots and hyphens, not "a:b"'],
    [
      { 'public-url': 'https://reviews.example.com/countersign/' },
      '--public-url must be without the path /countersign/: the console and the API are at the root of a host, so give Countersign a host of its own',
    ],
    [
      { 'public-url': 'https://user:hunter2@reviews.example.com' },
      '--public-url must be without user and password: everybody who gets a mail would read them',
    ],
    ...['https://{HOST}', 'https://{host}.{host}', 'https://{tenant}.example'].map((url): [object, string] => [
      { 'public-url': url },
      `--public-url must be an http or https URL such as https://reviews.example.com or https://{host}, not "${url}"`,
    ]),
    ...['0.0.0.0/0', '::/0', '10.1.2.3/00'].map((block): [object, string] => [
      { 'trust-proxy': `::1,${block}` },
      `--trust-proxy must be the networks of your proxies, not "${block}": then clients could write any address and host into X-Forwarded headers`,
    ]),
    [{ 'trust-proxy': 'everybody' }, '--trust-proxy must be addresses or CIDR blocks separated by commas, not "everybody"'],
    [{ 'trust-proxy': '1' }, '--trust-proxy must be addresses or CIDR blocks separated by commas, not "1"'],
    [{ 'trust-proxy': '10.0.0' }, '--trust-proxy must be addresses or CIDR blocks separated by commas, not "10.0.0"'],
    [{ 'trust-proxy': '10.0.0.0/33' }, '--trust-proxy must be addresses or CIDR blocks separated by commas, not "10.0.0.0/33"'],
    [{ 'trust-proxy': '::1,true' }, '--trust-proxy must be addresses or CIDR blocks separated by commas, not "true"'],
    [{ 'trust-proxy': 'fe80::/129' }, '--trust-proxy must be addresses or CIDR blocks separated by commas, not "fe80::/129"'],
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
  it('refuses a variable that is none of ours, and names the one that was meant', () => {
    expect(problemsOf({}, { COUNTERSIGN_PROT: '1', COUNTERSIGN_DATABASE_ULR: 'x', COUNTERSIGN_DATADIR: '/data', PATH: 'y' })).toEqual([
      'COUNTERSIGN_PROT is no variable of countersign; did you mean COUNTERSIGN_PORT?',
      'COUNTERSIGN_DATABASE_ULR is no variable of countersign; did you mean COUNTERSIGN_DATABASE_URL?',
      'COUNTERSIGN_DATADIR is no variable of countersign; did you mean COUNTERSIGN_DATA_DIR?',
    ]);
    expect(problemsOf({}, { COUNTERSIGN_KEY: 'secret' })).toEqual([
      'COUNTERSIGN_KEY is no variable of countersign; take it away, or see countersign serve --help',
    ]);
  });
  it('refuses a variable that names a file in place of a value, and one in lower case', () => {
    expect(problemsOf({ 'data-dir': '/data' }, { COUNTERSIGN_DATABASE_URL_FILE: '/run/x', countersign_port: '1' })).toEqual([
      'COUNTERSIGN_DATABASE_URL_FILE is no variable of countersign: no file stands for a variable; set COUNTERSIGN_DATABASE_URL itself',
      'countersign_port is no variable of countersign; did you mean COUNTERSIGN_PORT?',
    ]);
    const env = { DATABASE_URL_FILE: '/run/x' };
    expect(problemsOf({}, env)).toEqual(['DATABASE_URL_FILE is not read: no file stands for a variable; set DATABASE_URL itself']);
    expect(problemsOf({ 'data-dir': '/data' }, env)).toEqual([]);
  });
  it('takes the variables of the command line, of the compose file and the one of --key-env', () => {
    const env = { COUNTERSIGN_URL: 'x', COUNTERSIGN_APP_PASSWORD: 'x', COUNTERSIGN_TEST_RUNS: '1', COUNTERSIGN_KEY: 'k' };
    expect(problemsOf({ 'key-env': 'COUNTERSIGN_KEY' }, env)).toEqual([]);
  });
  it.each(['DATABASE_ULR', 'DATABSE_URL', 'DATABASE_URI', 'DATABASEURL'])(
    'refuses %s with a database in it where none is named',
    (name) => {
      const env = { [name]: 'postgres://a:hunter2@b/c' };
      expect(problemsOf({}, env)).toEqual([`${name} is not read, and names a database; did you mean DATABASE_URL?`]);
      expect(problemsOf({ 'data-dir': '/data' }, env)).toEqual([]);
      expect(problemsOf({}, { ...env, DATABASE_URL: 'postgres://a@b/c' })).toEqual([]);
      expect(problemsOf({}, { [name]: 'mysql://a@b/c' })).toEqual([]);
    },
  );
  it('passes over the variables that Kubernetes sets for a Service of our name', () => {
    const links = (name: string): Record<string, string> => ({
      [`${name}_SERVICE_HOST`]: '10.0.0.1',
      [`${name}_SERVICE_PORT`]: '80',
      [`${name}_SERVICE_PORT_HTTP`]: '80',
      [`${name}_PORT`]: 'tcp://10.0.0.1:80',
      [`${name}_PORT_80_TCP`]: 'tcp://10.0.0.1:80',
      [`${name}_PORT_80_TCP_PROTO`]: 'tcp',
      [`${name}_PORT_80_TCP_PORT`]: '80',
      [`${name}_PORT_80_TCP_ADDR`]: '10.0.0.1',
    });
    expect(readConfig({}, { ...links('COUNTERSIGN'), ...links('COUNTERSIGN_WEB') }).port).toBe(8080);
    expect(problemsOf({}, { COUNTERSIGN_PORT: 'http://10.0.0.1:80' })).toHaveLength(1);
  });
});
