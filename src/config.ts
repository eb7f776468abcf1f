/**
 * The options of `countersign serve`: one table from which come the flags, the environment variables, the checks and the table in
 * docs/operations.md. Which options other commands take stands with them in src/cli.
 */
import { type MailConfig, readSmtpUrl, type SmtpServer } from './lib/mail-config.ts';

/** Everything a server needs to know; made once at start and passed on. */
export interface ServeConfig {
  /** Addresses to listen on; `localhost` is both 127.0.0.1 and ::1. */
  readonly host: string;
  /** 0 lets the system choose, which only tests ask for: a tenant's host has its port in it. */
  readonly port: number;
  /** Where the embedded database lives; undefined lets the database layer choose. */
  readonly dataDir: string | undefined;
  /** An external PostgreSQL; wins over dataDir. */
  readonly databaseUrl: string | undefined;
  /** The same database as the role that owns the tables; only migrations use it. */
  readonly databaseOwnerUrl: string | undefined;
  readonly poolSize: number;
  readonly statementTimeoutSeconds: number;
  /** The first tenant's host, only used on an empty database; undefined means localhost with the port. */
  readonly tenantHost: string | undefined;
  /** Mail address of the first administrator, only used on an empty database. */
  readonly adminEmail: string;
  readonly bootstrapFile: string | undefined;
  /** Both or neither: PEM files. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Addresses and CIDR blocks of proxies whose X-Forwarded-* headers are trusted; empty: none. */
  readonly trustProxy: readonly string[];
  readonly tokenLifetimeSeconds: number;
  /** The label inside client secrets. */
  readonly secretLabel: string;
  readonly logLevel: LogLevel;
  /** The least that a tenant may set for how long events keep their content. */
  readonly minimumEventYears: number;
  /** The most items of one review; undefined: as many as there are. */
  readonly maxReviewItems: number | undefined;
  /** What whoever reads /metrics must send as a bearer token; undefined: everybody may read it. */
  readonly metricsToken: string | undefined;
  /** How mails leave; undefined: not at all. */
  readonly mail: MailConfig | undefined;
  /** Where links in mails lead, with {host} for the host of the tenant; undefined: to the tenant's host. */
  readonly publicUrl: string | undefined;
  /** How many jobs run at once in this process; 0: none, for processes that only answer requests. */
  readonly jobConcurrency: number;
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** One option: how it is written, what it is when absent, and how its text becomes a value. */
export interface OptionSpec {
  /** The flag without its dashes. */
  readonly flag: string;
  /** What the value is called in the help. */
  readonly value: string;
  readonly description: string;
  /** As text, where there is one. */
  readonly fallback?: string;
  /** Another environment variable that is read when its own is not set. */
  readonly otherVariable?: string;
  /** The value, or a throw with the end of the sentence "<flag> must be ...". */
  readonly read: (text: string) => unknown;
}

const asText = (text: string): string => text;

/** The options of `serve`, in the order of the help. */
export const serveOptions = [
  { flag: 'port', value: 'N', description: 'port to listen on', fallback: '8080', read: wholeNumber(1, 65_535) },
  { flag: 'host', value: 'ADDRESS', description: 'address to listen on; 0.0.0.0 or :: for all', fallback: 'localhost', read: asText },
  { flag: 'data-dir', value: 'DIR', description: 'directory of the embedded database', read: asText },
  {
    flag: 'database-url',
    value: 'URL',
    description: 'an external PostgreSQL 15 or later instead of the embedded one',
    otherVariable: 'DATABASE_URL',
    read: databaseUrl,
  },
  {
    flag: 'database-owner-url',
    value: 'URL',
    description: 'the same database as the role that owns the tables, for migrations',
    read: databaseUrl,
  },
  { flag: 'pool-size', value: 'N', description: 'the most database connections at once', fallback: '16', read: wholeNumber(2, 500) },
  { flag: 'statement-timeout', value: 'SECONDS', description: 'longest time of one statement', fallback: '30', read: wholeNumber(1, 3600) },
  {
    flag: 'tenant-host',
    value: 'HOST',
    description: 'on an empty database: the host of the first tenant, with its port (default: localhost:PORT)',
    read: asText,
  },
  {
    flag: 'admin-email',
    value: 'EMAIL',
    description: 'on an empty database: the first administrator',
    fallback: 'admin@localhost',
    read: mailAddress,
  },
  { flag: 'bootstrap-file', value: 'FILE', description: 'on an empty database: where the first credential is written', read: asText },
  { flag: 'tls-cert', value: 'FILE', description: 'certificate chain (PEM); together with --tls-key it serves https', read: asText },
  { flag: 'tls-key', value: 'FILE', description: 'private key of the certificate (PEM)', read: asText },
  {
    flag: 'trust-proxy',
    value: 'LIST',
    description: 'addresses or CIDR blocks of reverse proxies, separated by commas',
    fallback: '',
    read: addressList,
  },
  { flag: 'token-lifetime', value: 'SECONDS', description: 'how long access tokens live', fallback: '3600', read: wholeNumber(60, 86_400) },
  {
    flag: 'secret-label',
    value: 'LABEL',
    description: 'issuer label inside client secrets',
    fallback: 'conductorone.com',
    read: secretLabel,
  },
  {
    flag: 'job-concurrency',
    value: 'N',
    description: 'background jobs at once in this process; 0 runs none',
    fallback: '2',
    read: wholeNumber(0, 64),
  },
  {
    flag: 'minimum-event-years',
    value: 'YEARS',
    description: 'the least that a tenant may set for how long events keep their content',
    fallback: '7',
    read: wholeNumber(1, 100),
  },
  {
    flag: 'max-review-items',
    value: 'N',
    description: 'the most items of one review; without it as many as there are',
    read: wholeNumber(1, 1_000_000_000),
  },
  {
    flag: 'metrics-token',
    value: 'TOKEN',
    description: 'what whoever reads /metrics must send as a bearer token; without it everybody may read them',
    read: metricsToken,
  },
  {
    flag: 'smtp-url',
    value: 'URL',
    description: 'server that takes mail: smtp:// with STARTTLS or smtps://, with user and password where it wants them',
    read: readSmtpUrl,
  },
  {
    flag: 'smtp-password-file',
    value: 'FILE',
    description: 'file with the password for --smtp-url, in place of one in the URL',
    read: asText,
  },
  { flag: 'smtp-ca', value: 'FILE', description: 'certificates (PEM) by which the server of --smtp-url is verified', read: asText },
  { flag: 'mail-dir', value: 'DIR', description: 'folder that mails are written to, in place of a server', read: asText },
  { flag: 'mail-from', value: 'EMAIL', description: 'address that mails come from', read: mailAddress },
  {
    flag: 'mail-rate',
    value: 'N',
    description: 'the most mails of one tenant in a minute',
    fallback: '300',
    read: wholeNumber(1, 100_000),
  },
  {
    flag: 'public-url',
    value: 'URL',
    description: 'where links in mails lead; {host} stands for the host of the tenant (default: that host)',
    read: publicUrl,
  },
  { flag: 'log-level', value: 'LEVEL', description: `one of ${logLevels.join(', ')}`, fallback: 'info', read: oneOf(logLevels) },
] as const satisfies readonly OptionSpec[];

/** The environment variable of a flag: COUNTERSIGN_DATA_DIR for data-dir. */
export function variableOf(flag: string): string {
  return `COUNTERSIGN_${flag.replaceAll('-', '_').toUpperCase()}`;
}

/** Everything that is wrong with the options, one sentence each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * The configuration from flags (by their name without dashes) and environment; a flag wins over its variable, an empty variable
 * counts as not set. Throws ConfigError with all problems at once.
 */
export function readConfig(
  flags: Readonly<Record<string, string | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
): ServeConfig {
  const problems: string[] = [];
  const values = new Map<string, unknown>();
  for (const option of serveOptions as readonly OptionSpec[]) {
    const variable = variableOf(option.flag);
    const flag = flags[option.flag];
    const text = flag ?? (env[variable] || (option.otherVariable && env[option.otherVariable]) || option.fallback);
    if (text === undefined) {
      continue;
    }
    if (flag?.trim() === '' && option.fallback !== '') {
      problems.push(`--${option.flag} needs a value`);
      continue;
    }
    try {
      values.set(option.flag, option.read(text.trim()));
    } catch (error) {
      const name = flag !== undefined ? `--${option.flag}` : env[variable] ? variable : (option.otherVariable ?? variable);
      problems.push(`${name} must be ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const certFile = values.get('tls-cert') as string | undefined;
  const keyFile = values.get('tls-key') as string | undefined;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    problems.push('--tls-cert and --tls-key go together: one is missing');
  }
  if (values.has('database-owner-url') && !values.has('database-url')) {
    problems.push('--database-owner-url goes with --database-url, which is missing');
  }
  const mail = readMail(values, problems);
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
  return {
    host: values.get('host') as string,
    port: values.get('port') as number,
    dataDir: values.get('data-dir') as string | undefined,
    databaseUrl: values.get('database-url') as string | undefined,
    databaseOwnerUrl: values.get('database-owner-url') as string | undefined,
    poolSize: values.get('pool-size') as number,
    statementTimeoutSeconds: values.get('statement-timeout') as number,
    tenantHost: values.get('tenant-host') as string | undefined,
    adminEmail: values.get('admin-email') as string,
    bootstrapFile: values.get('bootstrap-file') as string | undefined,
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined,
    trustProxy: values.get('trust-proxy') as readonly string[],
    tokenLifetimeSeconds: values.get('token-lifetime') as number,
    secretLabel: values.get('secret-label') as string,
    logLevel: values.get('log-level') as LogLevel,
    minimumEventYears: values.get('minimum-event-years') as number,
    maxReviewItems: values.get('max-review-items') as number | undefined,
    metricsToken: values.get('metrics-token') as string | undefined,
    mail,
    publicUrl: values.get('public-url') as string | undefined,
    jobConcurrency: values.get('job-concurrency') as number,
  };
}

function readMail(values: ReadonlyMap<string, unknown>, problems: string[]): MailConfig | undefined {
  const server = values.get('smtp-url') as SmtpServer | undefined;
  const folder = values.get('mail-dir') as string | undefined;
  const passwordFile = values.get('smtp-password-file') as string | undefined;
  const caFile = values.get('smtp-ca') as string | undefined;
  const from = values.get('mail-from') as string | undefined;
  if (server !== undefined && folder !== undefined) {
    problems.push('--smtp-url and --mail-dir exclude each other: mails go to a server or into a folder');
  }
  if (server === undefined && (passwordFile !== undefined || caFile !== undefined)) {
    problems.push('--smtp-password-file and --smtp-ca go with --smtp-url, which is missing');
  }
  if (passwordFile !== undefined && server !== undefined && (server.user === '' || server.password !== '')) {
    problems.push('--smtp-password-file goes with a user and no password in --smtp-url');
  }
  if (server === undefined && folder === undefined) {
    return undefined;
  }
  if (from === undefined) {
    problems.push('--mail-from is missing: mails come from an address');
    return undefined;
  }
  const transport =
    server === undefined ? ({ type: 'folder', folder: folder ?? '' } as const) : ({ type: 'smtp', server, passwordFile, caFile } as const);
  return { transport, from, perMinute: values.get('mail-rate') as number };
}

/** Variables that look like ours and are none: most likely a misspelling, worth a warning. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set([
    ...serveOptions.map((option) => variableOf(option.flag)),
    'COUNTERSIGN_URL',
    'COUNTERSIGN_CLIENT_ID',
    'COUNTERSIGN_CLIENT_SECRET',
  ]);
  return Object.keys(env).filter((name) => name.startsWith('COUNTERSIGN_') && !name.startsWith('COUNTERSIGN_TEST_') && !known.has(name));
}

function metricsToken(text: string): string {
  if (!/^[\x21-\x7e]{16,200}$/.test(text)) {
    throw new Error('16 to 200 characters without spaces');
  }
  return text;
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new Error(`a whole number from ${least} to ${most}, not "${text}"`);
    }
    return value;
  };
}

function oneOf<T extends string>(allowed: readonly T[]): (text: string) => T {
  return (text) => {
    const value = allowed.find((one) => one === text.toLowerCase());
    if (value === undefined) {
      throw new Error(`one of ${allowed.join(', ')}, not "${text}"`);
    }
    return value;
  };
}

/** Not echoed where it is wrong: it may hold a password. A URL for a socket (no host) is allowed, which WHATWG's parser refuses. */
function databaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text)) {
    throw new Error('a URL such as postgresql://user:password@host:5432/database');
  }
  return text;
}

function publicUrl(text: string): string {
  const url = text.replace('{host}', 'host.example');
  if (!/^https?:\/\//.test(text) || !URL.canParse(url) || new URL(url).search !== '' || new URL(url).hash !== '') {
    throw new Error(`an http or https URL such as https://reviews.example.com or https://{host}, not "${text}"`);
  }
  return text.replace(/\/+$/, '');
}

function mailAddress(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) {
    throw new Error(`a mail address, not "${text}"`);
  }
  return text.toLowerCase();
}

function addressList(text: string): string[] {
  const list = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  for (const one of list) {
    if (!/^[0-9a-f.:]+(\/\d{1,3})?$/i.test(one) && !['loopback', 'linklocal', 'uniquelocal'].includes(one)) {
      throw new Error(`addresses or CIDR blocks separated by commas, not "${one}"`);
    }
  }
  return list;
}

function secretLabel(text: string): string {
  if (!/^[A-Za-z0-9.-]+$/.test(text)) {
    throw new Error(`letters, digits, dots and hyphens, not "${text}"`);
  }
  return text;
}
