/**
 * The URL of a database as an operator gave it: who logs in where, and a name for messages. What is between `://` and the host may be a password, so no
 * message holds any of it, however it is written.
 */
import type pg from 'pg';
import { AppError } from '../errors.ts';

/** A database to connect to. */
export interface Place {
  readonly config: pg.ClientConfig;
  /** Host, port and database: for messages. */
  readonly name: string;
}

/** Reads the value of an option. FAILED_PRECONDITION where it is not the URL of a PostgreSQL, or where a password in it cannot be told apart. */
export function readUrl(text: string, option: string): Place {
  const [, scheme = '', authority = '', rest = ''] = /^([^:/?#]*):\/\/([^/?#]*)(.*)$/s.exec(text.trim()) ?? [];
  if (scheme === '') {
    throw refuse(option, 'is not a URL such as postgres://user:password@host:5432/database');
  }
  if (!/^postgres(ql)?$/i.test(scheme)) {
    throw refuse(option, 'must begin with postgres:// or postgresql://');
  }
  // Behind the first of these, everything is a path to URL. An @ there means that the password went on.
  if (rest.includes('@')) {
    throw refuse(option, `has an @ behind the first / ? or #: ${encode}`);
  }
  const at = authority.lastIndexOf('@') + 1;
  // What libpq takes; the driver would ask for a host of that name.
  if (authority.slice(at).includes(',') || /[?&]host=[^&]*(,|%2c)/i.test(rest)) {
    throw refuse(option, 'names several hosts: give one name that leads to the primary, as those of managed services and of Patroni do');
  }
  // URL drops line ends and tabs, and pg encodes everything once more where it finds a % that encodes nothing.
  const who = encodeLonePercents(authority.slice(0, at)).replace(/\p{Cc}| /gu, encodeURIComponent);
  let url: URL;
  try {
    // A user without a host (the socket is in `host=`) is what PostgreSQL takes and URL does not.
    url = new URL(`${scheme}://${who}${authority.slice(at) || (at > 0 ? 'localhost' : '')}${encodeLonePercents(rest)}`);
    decodeURIComponent(url.username);
    decodeURIComponent(url.password);
    decodeURIComponent(url.pathname);
  } catch {
    // Not the error itself: it quotes the URL.
    throw refuse(option, `is not a URL such as postgres://user:password@host:5432/database: ${encode}`);
  }
  const name = `${url.searchParams.get('host') ?? (url.host || 'localhost')}${url.pathname}`;
  return { config: { connectionString: url.href }, name };
}

const encode =
  'percent-encode / ? # @ : and % in the user and the password (%2F %3F %23 %40 %3A %25), or leave the password out and give it as PGPASSWORD';

function encodeLonePercents(text: string): string {
  return text.replace(/%(?![0-9a-f]{2})/gi, '%25');
}

function refuse(option: string, reason: string): AppError {
  return new AppError('FAILED_PRECONDITION', `The value of ${option} ${reason}.`);
}
