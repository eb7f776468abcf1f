/**
 * The options of `countersign serve`: one table from which come the flags, the environment variables, the checks and the table in
 * docs/operations.md. Which options other commands take stands with them in src/cli.
 */
import { readSmtpName, readSmtpUrl } from '../lib/mail-config.ts';
import {
  addressList,
  connectorHost,
  databaseUrl,
  identifierList,
  mailAddress,
  metricsToken,
  oneOf,
  outboundList,
  publicUrl,
  secretLabel,
  variable,
  wholeNumber,
} from '../lib/read-options.ts';

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** One option: how it is written, what it is when absent, and how its text becomes a value. */
export interface OptionSpec {
  /** The flag without its dashes. */
  readonly flag: string;
  /** Name of the value in the help. */
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
    flag: 'log-secret-file',
    value: 'FILE',
    description: 'secret that the keys of event logs follow from, kept outside the database; without it each tenant has its own in there',
    read: asText,
  },
  {
    flag: 'checkpoint-dir',
    value: 'DIR',
    description:
      'folder that signed checkpoints of event logs are written to every hour, best on storage of others or that cannot be changed',
    read: asText,
  },
  {
    flag: 'import-dir',
    value: 'DIR',
    description:
      'folder with a folder for each tenant, named by its host without the port, whose files sources may fetch; nothing in it is changed',
    read: asText,
  },
  {
    flag: 'import-settle',
    value: 'SECONDS',
    description: 'how long a file in there has to stay the same before it is fetched',
    fallback: '30',
    read: wholeNumber(0, 3600),
  },
  {
    flag: 'tsa-roots',
    value: 'FILE',
    description: 'certificates (PEM) that time stamps have to lead to; without it no time stamp server is believed',
    read: asText,
  },
  {
    flag: 'tsa-policies',
    value: 'LIST',
    description: 'policies that time stamps have to be made under, as object identifiers separated by commas (default: any)',
    fallback: '',
    read: identifierList,
  },
  {
    flag: 'key-file',
    value: 'FILE',
    description: 'key that secrets of sources are sealed with, kept outside the database; without one none are stored',
    read: asText,
  },
  { flag: 'key-env', value: 'NAME', description: 'environment variable that holds that key, in place of a file', read: variable },
  {
    flag: 'key-command',
    value: 'COMMAND',
    description: 'command that wraps and unwraps that key by a key service, in place of a file',
    read: asText,
  },
  {
    flag: 'secrets-dir',
    value: 'DIR',
    description: 'folder with secrets that sources may name as fromFile, in a folder for each host',
    read: asText,
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
    description: 'what whoever reads /metrics must send as a bearer token; without it they are for this machine alone',
    read: metricsToken,
  },
  {
    flag: 'public-docs',
    value: 'YES|NO',
    description: 'yes: everybody may open the API browser at /docs, not this machine alone',
    fallback: 'no',
    read: oneOf(['yes', 'no']),
  },
  {
    flag: 'allow-outbound',
    value: 'LIST',
    description:
      'hosts, addresses or CIDR blocks of your own network that identity providers and time stamp servers may be at, separated by commas',
    fallback: '',
    read: outboundList,
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
  {
    flag: 'smtp-name',
    value: 'NAME',
    description: 'name that the server of --smtp-url is greeted with (default: the domain of --mail-from)',
    read: readSmtpName,
  },
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
  {
    flag: 'connector-port',
    value: 'N',
    description: 'port for connectors behind a proxy that speaks HTTP/2 without TLS to it; with --tls-cert they use --port',
    read: wholeNumber(1, 65_535),
  },
  {
    flag: 'connector-host',
    value: 'HOST',
    description: 'where connectors reach this service, with its port; {host} stands for the host of the tenant (default: that host)',
    read: connectorHost,
  },
  { flag: 'log-level', value: 'LEVEL', description: `one of ${logLevels.join(', ')}`, fallback: 'info', read: oneOf(logLevels) },
] as const satisfies readonly OptionSpec[];

type Option = (typeof serveOptions)[number];

/** Value of each option by its flag; one without a fallback may be absent. */
export type ServeValues = {
  readonly [O in Option as O['flag']]: ReturnType<O['read']> | (O extends { readonly fallback: string } ? never : undefined);
};

/** The environment variable of a flag: COUNTERSIGN_DATA_DIR for data-dir. */
export function variableName(flag: string): string {
  return `COUNTERSIGN_${flag.replaceAll('-', '_').toUpperCase()}`;
}
