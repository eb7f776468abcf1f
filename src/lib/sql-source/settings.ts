/** The settings of a database that is read by a statement, and what is wrong with them before anybody is asked. The password is a secret. */
import { isIP } from 'node:net';
import { findCertificateFault } from '../tables/certificates.ts';

/** Kind of database; MYSQL is MariaDB, too. */
export type SqlEngine = 'POSTGRESQL' | 'MYSQL';

/** Settings of a source of kind SQL. */
export interface SqlSettings {
  readonly engine: SqlEngine;
  /** A name or an address. */
  readonly host: string;
  /** 0 for the usual one. */
  readonly port: number;
  readonly database: string;
  readonly username: string;
  /** Certificates in PEM form that are trusted in place of the usual ones; at this machine they also ask for TLS. */
  readonly ca: string;
  readonly statement: string;
  /** True if the rows are people, false if they are grants. */
  readonly isPeople: boolean;
}

/** Something wrong with a setting: a part of a sentence, such as `must name a database`. */
export interface SettingFault {
  readonly field: keyof SqlSettings;
  readonly reason: string;
}

const maxStatementBytes = 65_536;
const maxNameLength = 255;
const usualPorts = { POSTGRESQL: 5432, MYSQL: 3306 } as const;

/** Returns the port that is meant, and whether it is the usual one. */
export function readPort({ engine, port }: Pick<SqlSettings, 'engine' | 'port'>): { readonly port: number; readonly isUsualPort: boolean } {
  const usual = usualPorts[engine];
  return { port: port === 0 ? usual : port, isUsualPort: port === 0 || port === usual };
}

/** True if a name or an address means this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** True if the connection is encrypted: always, but to this machine without certificates. */
export function usesTls({ host, ca }: Pick<SqlSettings, 'host' | 'ca'>): boolean {
  return !isLoopback(host) || ca !== '';
}

/** Settings before they were checked. */
interface SaidSettings extends Omit<SqlSettings, 'engine'> {
  readonly engine: SqlEngine | 'UNSPECIFIED';
}

/** Returns all that is wrong. */
export function findSettingFaults({ engine, host, port, database, username, ca, statement }: SaidSettings): SettingFault[] {
  const faults: SettingFault[] = [];
  const require = (isGood: boolean, field: keyof SqlSettings, reason: string): void => {
    if (!isGood) {
      faults.push({ field, reason });
    }
  };
  require(engine in usualPorts, 'engine', 'must be POSTGRESQL or MYSQL');
  // A path would be a socket of this machine.
  require(isIP(host) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9._-]{0,252})$/.test(host), 'host', 'must be a name or an address, without a port');
  // The driver would compare the certificate of an address with the name localhost.
  require(engine !== 'MYSQL' || isIP(host) === 0 || !usesTls({ host, ca }), 'host', 'must be the name that stands in the certificate');
  require(Number.isInteger(port) && port >= 0 && port <= 65_535, 'port', 'must be a port, or 0 for the usual one');
  for (const [field, value] of Object.entries({ database, username }) as ['database' | 'username', string][]) {
    require(value !== '' && value.length <= maxNameLength && !value.includes('\0'), field, `must have 1 to ${maxNameLength} characters`);
  }
  const caFault = findCertificateFault(ca);
  require(caFault === undefined, 'ca', caFault ?? '');
  require(statement.trim() !== '' && !statement.includes('\0'), 'statement', 'must be one SELECT statement');
  require(Buffer.byteLength(statement) <= maxStatementBytes, 'statement', `must not be longer than ${maxStatementBytes} bytes`);
  return faults;
}
