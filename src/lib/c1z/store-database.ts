/**
 * Opens the database of a c1z, which anybody may have made: to be read alone, without views, virtual tables or computed columns, so that no statement
 * of ours runs one of theirs. A tree of pages may also be built so that a search never ends, so each row that a statement passes over calls a
 * function of ours: then the thread can be ended.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { C1zError } from './c1z-error.ts';

/** Tables that are read, with the columns that each must have. */
const tables = {
  v1_sync_runs: ['sync_id', 'started_at', 'ended_at', 'sync_token'],
  v1_resource_types: ['external_id', 'data', 'sync_id'],
  v1_resources: ['resource_type_id', 'external_id', 'parent_resource_type_id', 'parent_resource_id', 'data', 'sync_id'],
  v1_entitlements: ['resource_type_id', 'resource_id', 'external_id', 'data', 'sync_id'],
  v1_grants: ['entitlement_id', 'principal_resource_type_id', 'principal_resource_id', 'data', 'sync_id'],
} as const;

type Table = keyof typeof tables;

/** Most bytes of one value; a blob with a large profile is far below. */
const maxValueBytes = 16 * 1024 ** 2;
const maxObjects = 1000;
/** Most rows passed over and read. */
const maxRows = 20_000_000;

/** The database of a c1z. */
export interface C1zDatabase {
  /** Prepares a statement that answers its rows as lists; `others` in it is false, and is to be asked for each row that does not count. */
  prepare(sql: string): StatementSync;
  hasColumn(table: Table, column: string): boolean;
  /** An index that begins with these columns, quoted; undefined where there is none. */
  findIndex(table: Table, columns: readonly string[]): string | undefined;
  /** Counts rows that were read. Throws a C1zError over the limit. */
  countRow(): void;
  close(): void;
}

/** Opens and checks a database. Throws a C1zError where it is none of a c1z. */
export function openDatabase(path: string): C1zDatabase {
  const db = new DatabaseSync(path, {
    readOnly: true,
    enableForeignKeyConstraints: false,
    returnArrays: true,
    limits: { length: maxValueBytes, sqlLength: 1024 ** 2, attach: 0, column: 200, vdbeOp: 100_000 },
  });
  try {
    db.enableDefensive(true);
    db.exec('PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0');
    let rows = 0;
    const countRow = () => {
      if (++rows > maxRows) {
        throw new C1zError(`the file has more than ${maxRows} rows`);
      }
    };
    db.function('others', { deterministic: false, directOnly: true }, () => {
      countRow();
      return 0;
    });
    checkObjects(db);
    const columns = new Map(Object.keys(tables).map((table) => [table, checkColumns(db, table as Table)]));
    return {
      prepare: (sql) => db.prepare(sql),
      hasColumn: (table, column) => columns.get(table)?.has(column) === true,
      findIndex: (table, wanted) => findIndex(db, table, wanted),
      countRow,
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Each table must be one: a view can run for ever, and a virtual table does whatever its module does. */
function checkObjects(db: DatabaseSync): void {
  const types = new Map<string, string>();
  let count = 0;
  for (const row of db.prepare('SELECT type, name, rootpage, sql FROM sqlite_schema').iterate()) {
    const [type, name, rootPage, sql] = row as unknown as [unknown, unknown, unknown, unknown];
    if (++count > maxObjects) {
      throw new C1zError(`the database in the file has more than ${maxObjects} tables and indexes`);
    }
    if (type !== 'index') {
      const isTable = type === 'table' && Number(rootPage) > 0 && /^CREATE TABLE /i.test(String(sql));
      types.set(String(name).toLowerCase(), isTable ? 'table' : `a ${type === 'table' ? 'virtual table' : String(type)}`);
    }
  }
  for (const table of Object.keys(tables)) {
    const type = types.get(table);
    if (type !== 'table') {
      throw new C1zError(
        type === undefined ? `the database in the file has no table ${table}` : `${table} in the file is ${type}, not a table`,
      );
    }
  }
}

function checkColumns(db: DatabaseSync, table: Table): ReadonlySet<string> {
  const found = new Set<string>();
  for (const row of db.prepare(`PRAGMA table_xinfo(${table})`).all()) {
    const [, name, , , , , hidden] = row as unknown as unknown[];
    if (hidden !== 0) {
      throw new C1zError(`the table ${table} in the file has a computed column`);
    }
    found.add(String(name).toLowerCase());
  }
  for (const column of tables[table]) {
    if (!found.has(column)) {
      throw new C1zError(`the table ${table} in the file has no column ${column}`);
    }
  }
  return found;
}

function findIndex(db: DatabaseSync, table: Table, wanted: readonly string[]): string | undefined {
  for (const row of db.prepare(`PRAGMA index_list(${table})`).all()) {
    const [, name, , , isPartial] = row as unknown as unknown[];
    const quoted = `"${String(name).replaceAll('"', '""')}"`;
    const parts = db.prepare(`PRAGMA index_xinfo(${quoted})`).all() as unknown as unknown[][];
    if (isPartial === 0 && wanted.every((column, at) => parts[at]?.[2] === column && parts[at]?.[4] === 'BINARY')) {
      return quoted;
    }
  }
  return undefined;
}
