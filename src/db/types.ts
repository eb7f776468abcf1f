/**
 * The database as the rest of the program sees it: two interfaces and nothing that runs.
 * Stores depend on these alone; who opens, pools and translates is in the files beside this one.
 *
 * Values as they arrive: timestamptz is a `Date` (milliseconds: write times from `context.now`, never `now()`, or a value read
 * back is not the value stored), date and timestamp are strings, json and jsonb are parsed, int8 and count(*) are `number`s
 * and one beyond 2^53 is an error (select `col::text` where that can be), numeric is a string, arrays are arrays.
 * Values as they are sent: an array becomes a PostgreSQL array, so an array meant for jsonb must go through JSON.stringify.
 */
import type { Readable, Writable } from 'node:stream';
import type { Sql } from 'sql-template-tag';

/** A wrapped key, and which key of the installation wrapped it. */
export interface WrappedKey {
  readonly kekId: string;
  readonly wrapped: string;
}

/** Wraps and unwraps. `about` says whose key it is: unwrapped as another's it is refused. */
export interface Keyring {
  /** The key in use. */
  readonly kekId: string;
  readonly wrap: (about: string, key: Buffer) => Promise<string>;
  /** Undefined where none of the keys wrapped it. */
  readonly unwrap: (about: string, wrapped: WrappedKey) => Promise<Buffer | undefined>;
}

/**
 * Secrets and roots of the operator that are kept outside the database, and what this process knows of the keys that follow from them. It goes
 * with every connection, so that whoever writes an event can vouch for it.
 */
export interface Vault {
  /** The log secrets, the one in use first; none where no file was given. */
  readonly logSecrets: readonly Buffer[];
  /** Time stamp servers that are believed. */
  readonly timeStamps: {
    /** Certificates (PEM) that time stamps have to lead to; empty where no file was given. */
    readonly pem: string;
    /** Object identifiers; with none every policy counts. */
    readonly policies: readonly string[];
  };
  /** Keys that wrap the keys of tenants; undefined where the operator gave none. */
  readonly keyring: Keyring | undefined;
  /** Folder with the operator's files of secrets, a folder for each host of a tenant in it; empty for none. */
  readonly secretsDir: string;
  /** Keys by tenant, as the module that derives them remembers them. */
  readonly remembered: Map<string, unknown>;
}

/** SQL as one tenant, or as nobody (`Database.system`). Every failure is an AppError, except those of a caller's own making. */
export interface Db {
  /**
   * All rows. A piece (src/lib/sql.ts) brings its values; a text that is always the same may take them beside it. With values (even none)
   * the text is prepared and reused; a text alone may hold several statements.
   */
  rows<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T[]>;
  /** The row, or undefined where there is none; more than one is INTERNAL. */
  maybe<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T | undefined>;
  /** The row; none or several is INTERNAL. */
  one<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T>;
  /** The values of the one column of all rows; several columns are INTERNAL, as with the two below. */
  column<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T[]>;
  /** The value of the one column of the row, or undefined where there is none. */
  maybeValue<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T | undefined>;
  /** The value of the one column of the row; none or several is INTERNAL. */
  value<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T>;
  /** Count of the affected rows. */
  run(sql: Sql | string, values?: readonly unknown[]): Promise<number>;
  /**
   * Runs `work` in one transaction (READ COMMITTED) and commits, or rolls back when it throws. Inside a transaction it is that
   * same transaction. The outermost one is run again, up to 3 times, on a serialization failure or deadlock: `work` must
   * have no effect outside the database. The `db` it is given is dead afterwards.
   */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** The sink of a `COPY ... FROM STDIN`; finished when its 'finish' comes. Only inside a transaction, nothing else meanwhile. */
  copyFrom(sql: string): Promise<Writable>;
  /** The rows of a `COPY ... TO STDOUT` as they come; read to the end before anything else is done. Only inside a transaction. */
  copyTo(sql: string): Promise<Readable>;
  /** Lets each statement of the transaction take so long from now on, 0 for as long as it takes: never by SQL of one's own. Only inside a transaction. */
  limitStatements(milliseconds: number): Promise<void>;
  readonly inTransaction: boolean;
  readonly vault: Vault;
}

/** Numbers of connections, of free ones, and of callers that wait for one. */
export interface PoolStats {
  /** The most connections there may be. */
  readonly size: number;
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

/** An open database. One per process; passed on, never imported. */
export interface Database {
  /** As this tenant: row-level security shows and takes its rows only. An empty id throws. */
  tenant(tenantId: string): Db;
  /** As no tenant: only for the tables outside row-level security (tenants and hosts, the queue, migrations, import staging); the others raise. */
  system(): Db;
  /**
   * As the role that owns the tables, over one connection that ends with `work`: only for migrations and what goes with them. Absent where
   * this process has no way to act as that role.
   */
  asOwner?<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Calls `onNotify` with each payload on the channel. Notifications are lost while the connection is: `onReconnect` is called
   * each time it is back, and then whatever they report must be read again. Resolves when listening, to a function that stops it.
   */
  listen(channel: string, onNotify: (payload: string) => void, onReconnect: () => void): Promise<() => Promise<void>>;
  stats(): PoolStats;
  /** Rejects with UNAVAILABLE and the reason, for an operator, where nothing can be changed: no answer, a standby, a read-only mode. */
  checkWritable(): Promise<void>;
  /** Ends all connections after what runs in them; the last process that uses an embedded server stops it. */
  close(): Promise<void>;
  /** For an operator's eyes: 'embedded in DIR' or 'HOST/DATABASE', and the server's version. */
  readonly description: string;
}
