/** What an operator reads where the database cannot be used, from real servers: the database's own words, and the way out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../test/support/certificate.ts';
import { runInProcess } from '../../../test/support/command-line.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { hasPostgres, type PostgresServer, startPostgres, writeOwn } from '../../../test/support/postgres-server.ts';

const secret = 'kept to itself';

describe.runIf(hasPostgres)('a database that cannot be used', { timeout: 240_000 }, () => {
  let server: PostgresServer;
  let plain: PostgresServer;
  let standby: PostgresServer;
  beforeAll(async () => {
    const hosts = [
      'hostssl tls all 127.0.0.1/32 scram-sha-256',
      'host postgres,main,busy,frozen,latin,ascii,bare,torn,here all 127.0.0.1/32 scram-sha-256',
      'host "missing" all 127.0.0.1/32 scram-sha-256',
    ];
    plain = await startPostgres([], hosts);
    server = await startPostgres(["ssl_cert_file = 'cert.pem'", "ssl_key_file = 'key.pem'"], hosts);
    const { certFile, keyFile } = makeCertificate(join(server.folder, 'data'), { isTrusted: false });
    writeOwn(certFile, readFileSync(certFile, 'utf8'));
    writeOwn(keyFile, readFileSync(keyFile, 'utf8'));
    await server.admin(
      'postgres',
      ...['main', 'tls', 'busy', 'frozen', 'bare', 'torn', 'closed'].map((name) => `CREATE DATABASE ${name}`),
      "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'",
      "CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'",
      `CREATE ROLE app LOGIN PASSWORD '${secret}'`,
      `CREATE ROLE one LOGIN PASSWORD '${secret}' CONNECTION LIMIT 0`,
      `CREATE ROLE off NOLOGIN PASSWORD '${secret}'`,
      'ALTER DATABASE frozen SET default_transaction_read_only = on',
      'ALTER SYSTEM SET ssl = on',
      'SELECT pg_reload_conf()',
    );
    for (const name of ['main', 'busy', 'latin', 'ascii', 'tls']) {
      await server.admin(name, 'CREATE SCHEMA countersign AUTHORIZATION app');
    }
    await server.admin(
      'torn',
      'CREATE SCHEMA countersign AUTHORIZATION app',
      'SET ROLE app',
      'CREATE FUNCTION countersign.current_tenant_id() RETURNS text LANGUAGE sql RETURN 1::text',
    );
    await plain.admin('postgres', `CREATE ROLE app LOGIN PASSWORD '${secret}'`, 'CREATE DATABASE main');
    expect(await migrate(server.url('app', secret, 'main'))).toMatchObject({ code: 0 });
    standby = await server.makeStandby();
  });
  afterAll(() => Promise.all([server, plain, standby].map((each) => each?.close())));

  const run = (command: string, url: string, ...more: string[]) =>
    runInProcess([...command.split(' '), '--database-url', url, ...more], { env: {} });
  const migrate = (url: string) => run('migrate', url);

  async function expectWords(url: string, words: RegExp): Promise<void> {
    const { code, stdout, stderr } = await migrate(url);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/went wrong on our side|not available at the moment/);
    expect(stderr).not.toContain(secret);
    // One line, unless a warning is before it.
    expect(
      stderr
        .replace(/^The role app serves .*\n/, '')
        .trim()
        .split('\n'),
    ).toHaveLength(1);
  }

  it.each<[string, () => string, RegExp]>([
    [
      'a wrong password',
      () => server.url('app', 'another', 'main'),
      /^countersign: The database at 127\.0\.0\.1:\d+\/main does not let Countersign in: password authentication failed for user "app"; check the user and the password/,
    ],
    [
      'a role that is not there',
      () => server.url('nobody', 'another', 'main'),
      /password authentication failed for user "nobody"; check the user/,
    ],
    [
      'a role that may not log in',
      () => server.url('off', secret, 'main'),
      /role "off" is not permitted to log in; check the user and pg_hba\.conf/,
    ],
    [
      'no entry in pg_hba.conf',
      () => server.url('app', secret, 'closed'),
      /no pg_hba\.conf entry for host "127\.0\.0\.1", user "app", database "closed", no encryption; check .*pg_hba\.conf; where it asks for TLS, add \?sslmode=verify-full/,
    ],
    [
      'a database that is not there',
      () => server.url('app', secret, 'missing'),
      /database "missing" does not exist; make it with createdb -E UTF8 -T template0/,
    ],
    ['too many connections', () => server.url('one', secret, 'main'), /too many connections for role "one"; lower --pool-size/],
    [
      'TLS that is asked for',
      () => server.url('app', secret, 'tls'),
      /no pg_hba\.conf entry .* no encryption; .* add \?sslmode=verify-full/,
    ],
    [
      'TLS that is not there',
      () => `${plain.url('app', secret, 'main')}?sslmode=verify-full`,
      /cannot be reached: The server does not support SSL connections; turn ssl on/,
    ],
    [
      'a certificate that nobody vouches for',
      () => `${server.url('app', secret, 'tls')}?sslmode=verify-full`,
      /self-signed certificate; give the certificate of its authority as &sslrootcert=FILE/,
    ],
    [
      'a file of certificates that is not there',
      () => `${server.url('app', secret, 'tls')}?sslmode=verify-full&sslrootcert=/nowhere.pem`,
      /ENOENT: no such file or directory, open '\/nowhere\.pem'; mend the path/,
    ],
    [
      'a host that is not known',
      () => `postgres://app:${encodeURIComponent(secret)}@host.invalid/main`,
      /The database at host\.invalid\/main cannot be reached: getaddrinfo (ENOTFOUND|EAI_AGAIN) host\.invalid; mend the name of the host/,
    ],
    [
      'a socket that is not there',
      () => `postgres://app@/main?host=/nowhere`,
      /The database at \/nowhere\/main cannot be reached: connect ENOENT \/nowhere\/\.s\.PGSQL\.5432; mend the path/,
    ],
    [
      'a role that may not create',
      () => server.url('app', secret, 'bare'),
      /The role app may not create the schema countersign\. Run as the owner of the database: CREATE SCHEMA/,
    ],
    [
      'another encoding',
      () => server.url('app', secret, 'latin'),
      /has the encoding LATIN1, which cannot hold every name; make another with createdb -E UTF8 -T template0/,
    ],
    ['no encoding', () => server.url('app', secret, 'ascii'), /has the encoding SQL_ASCII, .* createdb -E UTF8 -T template0/],
    [
      'a standby',
      () => standby.url('app', secret, 'main'),
      /The database at 127\.0\.0\.1:\d+\/main is a standby, which takes no changes; give the URL of the primary/,
    ],
    ['read-only mode', () => server.url('app', secret, 'frozen'), /takes no changes \(default_transaction_read_only is on/],
    [
      'a migration that fails',
      () => server.url('app', secret, 'torn'),
      /The migration 0001_foundation failed and was undone: function "current_tenant_id" already exists with same argument types \(42723\)\. Mend that/,
    ],
  ])('%s', (_, url, words) => expectWords(url(), words));

  it('nobody listens', async () => {
    const port = await freePort();
    await expectWords(
      `postgres://app@127.0.0.1:${port}/main`,
      new RegExp(`cannot be reached: connect ECONNREFUSED 127\\.0\\.0\\.1:${port}; start PostgreSQL there`),
    );
    // A name with several addresses has an error for each.
    await expectWords(`postgres://app@localhost:${port}/main`, /cannot be reached: connect ECONNREFUSED .*; start PostgreSQL there/);
  });

  it.each([
    'serve --port 65500',
    'migrate',
    'tenant list',
    'tenant create a.example.com --admin-email a@example.com',
    'user sign-in-link a@example.com --local',
    'credential create --local --for a@example.com',
    `backup --output ${join('/tmp', 'never')}`,
  ])('of every command on the database: %s', async (command) => {
    const { code, stderr } = await run(command, server.url('app', 'another', 'main'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/password authentication failed for user "app"; check the user/);
  });

  it('a permission that is missing, in the midst of a command', async () => {
    await server.admin('main', 'REVOKE SELECT ON countersign.tenants FROM app', 'ALTER TABLE countersign.tenants OWNER TO postgres');
    const { code, stderr } = await run('tenant list', server.url('app', secret, 'main'));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/permission denied|ALTER TABLE countersign\.tenants OWNER TO app|GRANT/),
    });
  });

  it('a backup is made from a standby, and from another encoding', async () => {
    for (const url of [standby.url('app', secret, 'main'), server.url('app', secret, 'latin')]) {
      const { stderr } = await run('backup', url, '--output', join(server.folder, `${Math.random()}.backup`));
      expect(stderr).not.toMatch(/is a standby|has the encoding/);
    }
  });
});
