/** Reads the configuration of `countersign serve` from its options (serve-options.ts), and says all that is wrong with it at once. */
import type { MailConfig } from '../lib/mail-config.ts';
import { listEmptyPlaces, listUnknownVariables, withoutServiceLinks } from './known-variables.ts';
import { type LogLevel, type OptionSpec, type ServeValues, serveOptions, variableName } from './serve-options.ts';

/** Everything a server needs to know; made once at start and passed on. */
export interface ServeConfig {
  /** Addresses to listen on; `localhost` is both 127.0.0.1 and ::1. */
  readonly host: string;
  /** 0 lets the system choose, which only tests ask for: a tenant's host has its port in it. */
  readonly port: number;
  /** Folder of the embedded database; undefined lets the database layer choose. */
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
  /** Bearer token that readers of /metrics must send; undefined: everybody may read it. */
  readonly metricsToken: string | undefined;
  /** True if the API browser is for everybody. */
  readonly opensDocs: boolean;
  /** Targets allowed beyond https on the internet: addresses, CIDR blocks, hosts, each with a port or none. */
  readonly allowOutbound: readonly string[];
  /** Mail delivery; undefined: not at all. */
  readonly mail: MailConfig | undefined;
  /** Target of links in mails, with {host} for the host of the tenant; undefined: to the tenant's host. */
  readonly publicUrl: string | undefined;
  /** Port that connectors reach us at without TLS, behind a proxy; undefined: only the TLS port. */
  readonly connectorPort: number | undefined;
  /** Host, with its port, that connectors reach us at; {host} stands for that of the tenant. Undefined: the tenant's. */
  readonly connectorHost: string | undefined;
  /** Jobs run at once in this process; 0: none, for processes that only answer requests. */
  readonly jobConcurrency: number;
  /** Folder that checkpoints of event logs are written to as well. */
  readonly checkpointDir: string | undefined;
  /** Folder with a folder of files for each tenant, which sources may fetch; undefined: none. */
  readonly importDir: string | undefined;
  /** Seconds in which a file has to stay the same before it is fetched. */
  readonly settleSeconds: number;
  /** File with the secret that keys of event logs follow from; undefined: each tenant's own, in the database. */
  readonly logSecretFile: string | undefined;
  /** File with the certificates that time stamps have to lead to; undefined: no time stamp server is believed. */
  readonly timeStampRootsFile: string | undefined;
  /** Policies that time stamps have to be made under, as object identifiers; empty: any. */
  readonly timeStampPolicies: readonly string[];
  /** Place of the key that wraps the keys of tenants. */
  readonly installationKey: InstallationKey;
  /** Folder with files of secrets that sources may name; undefined: none. */
  readonly secretsDir: string | undefined;
}

/** At most one is named; `text` is what the file would hold. */
type InstallationKey = Readonly<Record<'file' | 'text' | 'command', string | undefined>>;

/** The port at which the server itself is reached without TLS; undefined where it has TLS, or a proxy may end it. */
export function plainPortOf({ tls, trustProxy, port }: Pick<ServeConfig, 'tls' | 'trustProxy' | 'port'>): number | undefined {
  return tls === undefined && trustProxy.length === 0 ? port : undefined;
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
  environment: Readonly<Record<string, string | undefined>>,
): ServeConfig {
  const env = withoutServiceLinks(environment);
  const problems: string[] = [];
  const given: Record<string, unknown> = {};
  for (const option of serveOptions as readonly OptionSpec[]) {
    const variable = variableName(option.flag);
    const flag = flags[option.flag];
    const text = flag ?? (filled(env[variable]) || (option.otherVariable && filled(env[option.otherVariable])) || option.fallback);
    if (text === undefined) {
      continue;
    }
    if (flag?.trim() === '' && option.fallback !== '') {
      problems.push(`--${option.flag} needs a value`);
      continue;
    }
    try {
      given[option.flag] = option.read(text.trim());
    } catch (error) {
      const name = flag !== undefined ? `--${option.flag}` : filled(env[variable]) ? variable : (option.otherVariable ?? variable);
      problems.push(`${name} must be ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  // One that is absent in spite of its fallback is a problem that was said, and is thrown below.
  const values = given as ServeValues;
  problems.push(...listEmptyPlaces(env, { url: values['database-url'] !== undefined, directory: flags['data-dir'] !== undefined }));
  const namesDatabase = values['database-url'] !== undefined || values['data-dir'] !== undefined;
  problems.push(...listUnknownVariables(env, values['key-env'], namesDatabase));
  const certFile = values['tls-cert'];
  const keyFile = values['tls-key'];
  if ((certFile === undefined) !== (keyFile === undefined)) {
    problems.push('--tls-cert and --tls-key go together: one is missing');
  }
  if (values['database-owner-url'] !== undefined && values['database-url'] === undefined) {
    problems.push('--database-owner-url goes with --database-url, which is missing');
  }
  if ((values['tsa-policies'] ?? []).length > 0 && values['tsa-roots'] === undefined) {
    problems.push('--tsa-policies goes with --tsa-roots, which is missing: without roots no time stamp server is believed');
  }
  const installationKey = readInstallationKey(values, env, problems);
  const mail = readMail(values, problems);
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
  return {
    host: values['host'],
    port: values['port'],
    dataDir: values['data-dir'],
    databaseUrl: values['database-url'],
    databaseOwnerUrl: values['database-owner-url'],
    poolSize: values['pool-size'],
    statementTimeoutSeconds: values['statement-timeout'],
    tenantHost: values['tenant-host'],
    adminEmail: values['admin-email'],
    bootstrapFile: values['bootstrap-file'],
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined,
    trustProxy: values['trust-proxy'],
    tokenLifetimeSeconds: values['token-lifetime'],
    secretLabel: values['secret-label'],
    logLevel: values['log-level'],
    minimumEventYears: values['minimum-event-years'],
    maxReviewItems: values['max-review-items'],
    metricsToken: values['metrics-token'],
    opensDocs: values['public-docs'] === 'yes',
    allowOutbound: values['allow-outbound'],
    mail,
    publicUrl: values['public-url'],
    jobConcurrency: values['job-concurrency'],
    checkpointDir: values['checkpoint-dir'],
    importDir: values['import-dir'],
    settleSeconds: values['import-settle'],
    logSecretFile: values['log-secret-file'],
    connectorPort: values['connector-port'],
    connectorHost: values['connector-host'],
    timeStampRootsFile: values['tsa-roots'],
    timeStampPolicies: values['tsa-policies'],
    installationKey,
    secretsDir: values['secrets-dir'],
  };
}

/** White space is nothing, too: it comes from templates. */
function filled(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}

function readInstallationKey(values: ServeValues, env: Readonly<Record<string, string | undefined>>, problems: string[]): InstallationKey {
  const name = values['key-env'];
  const text = name === undefined ? undefined : env[name];
  if (name !== undefined && (text ?? '') === '') {
    problems.push(`--key-env names the variable ${name}, which is not set`);
  }
  const places = { file: values['key-file'], text, command: values['key-command'] };
  if (Object.values(places).filter((place) => place !== undefined).length > 1) {
    problems.push('--key-file, --key-env and --key-command exclude each other: the key has one place');
  }
  return places;
}

function readMail(values: ServeValues, problems: string[]): MailConfig | undefined {
  const server = values['smtp-url'];
  const folder = values['mail-dir'];
  const passwordFile = values['smtp-password-file'];
  const caFile = values['smtp-ca'];
  const name = values['smtp-name'];
  const from = values['mail-from'];
  if (server !== undefined && folder !== undefined) {
    problems.push('--smtp-url and --mail-dir exclude each other: mails go to a server or into a folder');
  }
  if (server === undefined && [passwordFile, caFile, name].some((given) => given !== undefined)) {
    problems.push('--smtp-password-file, --smtp-ca and --smtp-name go with --smtp-url, which is missing');
  }
  if (passwordFile !== undefined && server !== undefined && (server.user === '' || server.password !== '')) {
    problems.push('--smtp-password-file goes with a user and no password in --smtp-url');
  }
  if (server === undefined && folder === undefined) {
    return undefined;
  }
  if (from === undefined) {
    // One that is wrong has been said.
    if (!problems.some((problem) => /^(--mail-from|COUNTERSIGN_MAIL_FROM) /.test(problem))) {
      problems.push('--mail-from is missing: mails come from an address');
    }
    return undefined;
  }
  const transport =
    server === undefined
      ? ({ type: 'folder', folder: folder ?? '' } as const)
      : ({ type: 'smtp', server, passwordFile, caFile, name } as const);
  return { transport, from, perMinute: values['mail-rate'] };
}
