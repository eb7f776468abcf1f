/**
 * The database's own words for an operator: why a start or a command on the database itself failed, and the way out. Clients of the service never get
 * these (see src/db/translate-error.ts).
 */

const roomWay = 'make room on the disk of PostgreSQL';
const checkLogin = 'check the user and the password; in a URL, / ? # @ : and % in them are percent-encoded';
const makeDatabase = 'make it with createdb -E UTF8 -T template0, or mend the name in the URL';

/** Ways out by SQLSTATE, or by the code of Node and OpenSSL. */
const waysByCode: Readonly<Record<string, string>> = {
  '28P01': checkLogin,
  '28000': 'check the user and pg_hba.conf; where it asks for TLS, add ?sslmode=verify-full to the URL',
  '3D000': makeDatabase,
  '53300': 'lower --pool-size, end other clients, or raise max_connections or the limit of the role',
  '57P03': 'wait until it is ready and start again',
  '53100': roomWay,
  '42501': 'see Roles in docs/operations.md',
  '25006': 'give the URL of the primary, or end the read-only mode of the database',
  ENOTFOUND: 'mend the name of the host in the URL (one host, not several), or the resolver of this machine',
  EAI_AGAIN: 'mend the name of the host in the URL, or the resolver of this machine',
  ECONNREFUSED: 'start PostgreSQL there, or mend host and port in the URL',
  ETIMEDOUT: 'mend the host in the URL, or let this machine through the firewall to it',
  EHOSTUNREACH: 'mend the host in the URL, or the network of this machine',
  ENETUNREACH: 'mend the host in the URL, or the network of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'give the host in the URL by a name that is in its certificate',
  CERT_HAS_EXPIRED: 'renew the certificate of PostgreSQL',
};

/** Ways out that only the words show. */
const waysByWords: readonly (readonly [RegExp, string])[] = [
  [
    /unsupported startup parameter/,
    'take options and timeouts out of the URL and PGOPTIONS, or let the pooler ignore them (pgbouncer: ignore_startup_parameters)',
  ],
  // The first connection to a database, or the first after a start, writes it; that the disk is full is not among the words.
  [/could not write init file/, roomWay],
  // A pooler gives each of its refusals the same code.
  [/(?:password|SASL) authentication failed|no such user/, checkLogin],
  [/database "[^"]*" does not exist|no such database/, makeDatabase],
  [/is not currently accepting connections/, 'wait until its maintenance is over, or ALTER DATABASE ... ALLOW_CONNECTIONS true'],
  [/^SSL required/, 'add ?sslmode=verify-full to the URL'],
  [
    /server_login_retry|server login failed|bouncer config error|query_wait_timeout|server conn crashed|pgbouncer cannot connect/,
    'the pooler does not reach PostgreSQL: look into its log',
  ],
  [/no more connections allowed/, 'raise max_client_conn of the pooler'],
  [/does not support SSL/i, 'turn ssl on in PostgreSQL, or take sslmode out of the URL where the network is your own'],
  [/certificate|issuer/i, 'give the certificate of its authority as &sslrootcert=FILE in the URL'],
  [/^no such file|ENOENT/, 'mend the path in the URL'],
  [
    /timeout expired|timed out/,
    'mend host and port in the URL, let this machine through the firewall to it, or see whether the pooler there reaches PostgreSQL',
  ],
];

/** The first error in the chain of causes that is not one of ours: what PostgreSQL, the network or OpenSSL said. */
function findCause(error: unknown): Error | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 8; current = current.cause, depth++) {
    if (current.name !== 'AppError') {
      return current;
    }
  }
  return undefined;
}

/** What was said, and the way out where there is a known one; undefined where nothing outside of us failed. */
export function sayDatabase(error: unknown): string | undefined {
  const cause = findCause(error);
  if (cause === undefined) {
    return undefined;
  }
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  // Of several addresses of one host, each has its own error.
  const causes = cause instanceof AggregateError ? cause.errors.map((each: Error) => each.message) : [cause.message];
  const words = causes.filter((each) => each !== '').join(', ') || code;
  const way = waysByCode[code] ?? waysByWords.find(([pattern]) => pattern.test(words))?.[1];
  const state = /^[0-9A-Z]{5}$/.test(code) && way === undefined ? ` (${code})` : '';
  return `${words.replace(/; if the root CA .*$|\.$/, '')}${state}${way === undefined ? '' : `; ${way}`}`;
}
