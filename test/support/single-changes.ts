/** Single changes of rows by a hand in the database: every column of the rows, whatever columns a table has. */
import type { TestServer } from './server.ts';

/** A row that may be changed. */
export interface ChangedRow {
  readonly table: string;
  /** Condition that finds it, with its values. */
  readonly where: string;
}

/** A column of a row. */
interface Cell extends ChangedRow {
  readonly column: string;
  readonly type: string;
  readonly isNullable: boolean;
  /** The values that a constraint permits; none where there is no such constraint. */
  readonly permitted: readonly string[];
}

/** A change that was made, and how it is taken back. */
export interface MadeChange {
  readonly words: string;
  takeBack(): Promise<void>;
}

/** Lists every column of these rows that a statement may set. */
export async function listCells(server: TestServer, rows: readonly ChangedRow[]): Promise<Cell[]> {
  const columns = await server.test.admin(
    `SELECT table_name, column_name, udt_name, is_nullable FROM information_schema.columns
     WHERE table_schema = 'countersign' AND is_generated = 'NEVER' AND identity_generation IS NULL`,
  );
  const constraints = await server.test.admin(
    `SELECT conrelid::regclass::text AS table_name, pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE contype = 'c'`,
  );
  const permitted = (table: string, column: unknown): string[] =>
    constraints.flatMap(({ table_name: of, text }) => {
      const [, named, values = ''] = /\(\((\w+) = ANY \(ARRAY\[(.*)\]\)\)\)/.exec(String(text)) ?? [];
      return String(of).endsWith(table) && named === column ? [...values.matchAll(/'([^']*)'/g)].map(([, value = '']) => value) : [];
    });
  return rows.flatMap((row) =>
    columns
      .filter((one) => one['table_name'] === row.table)
      .map((one) => ({
        ...row,
        column: String(one['column_name']),
        type: String(one['udt_name']),
        isNullable: one['is_nullable'] === 'YES',
        permitted: permitted(row.table, one['column_name']),
      })),
  );
}

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** Changes one character, adds one or takes one away. */
function changeText(random: () => number, text: string): string {
  const at = Math.floor(random() * text.length);
  const way = random();
  if (text === '' || way < 0.2) {
    return `${text.slice(0, at)}x${text.slice(at)}`;
  }
  const other = text[at] === 'a' ? 'b' : 'a';
  return way < 0.8 ? text.slice(0, at) + other + text.slice(at + 1) : text.slice(0, at) + text.slice(at + 1);
}

/** Changes one place in a value of JSON. */
function changeJson(random: () => number, value: unknown): unknown {
  if (typeof value === 'string') {
    return changeText(random, value);
  }
  if (typeof value === 'number') {
    return value + 1;
  }
  if (typeof value === 'boolean' || value === null) {
    return value === false;
  }
  if (Array.isArray(value)) {
    const at = Math.floor(random() * value.length);
    return value.length === 0 || random() < 0.1 ? [...value, 'x'] : value.with(at, changeJson(random, value[at]));
  }
  const members = Object.entries(value as object);
  const [name, one] = members.length === 0 || random() < 0.1 ? ['x', ''] : pick(random, members);
  return { ...(value as object), [name]: changeJson(random, one) };
}

/** Another value of a type, as text that PostgreSQL reads. */
function changeValue(random: () => number, type: string, value: string | null): string {
  const bytes = (hex: string): string => {
    const raw = Buffer.from(hex.slice(2), 'hex');
    const at = Math.floor(random() * raw.length);
    raw.writeUInt8(raw.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
    return `\\x${raw.toString('hex')}`;
  };
  switch (type) {
    case 'bytea':
      return value === null || value === '\\x' ? '\\x00' : bytes(value);
    case 'jsonb':
      return JSON.stringify(changeJson(random, JSON.parse(value ?? '{}')));
    case 'timestamptz':
      return new Date((value === null ? 1e12 : Date.parse(value)) + pick(random, [1, -1, 1000, -60_000, 86_400_000])).toISOString();
    case 'bool':
      return value === 't' || value === 'true' ? 'false' : 'true';
    case 'int2':
    case 'int4':
    case 'int8':
    case 'xid8':
      return String(Number(value ?? 0) + 1);
    case 'uuid':
      return changeUuid(random, value ?? '00000000-0000-0000-0000-000000000000');
    case 'text':
      return changeText(random, value ?? '');
    default:
      throw new Error(`how is a column of type ${type} changed?`);
  }
}

function changeUuid(random: () => number, value: string): string {
  const at = Math.floor(random() * 8);
  return value.slice(0, at) + (value[at] === '0' ? '1' : '0') + value.slice(at + 1);
}

/** Changes one cell by chance, with the triggers off; undefined where the database refuses the change by itself. */
export async function changeCell(
  server: TestServer,
  random: () => number,
  { table, where, column, type, isNullable, permitted }: Cell,
): Promise<MadeChange | undefined> {
  const run = async (statement: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> => {
    await server.test.admin('SET session_replication_role = replica');
    try {
      return await server.test.admin(statement, [...values]);
    } finally {
      await server.test.admin('SET session_replication_role = origin');
    }
  };
  const [before] = await run(`SELECT ctid::text AS place, ${column}::text AS value FROM countersign.${table} WHERE ${where}`, []);
  const value = before?.['value'] as string | null;
  const others = permitted.filter((one) => one !== value);
  const isTakenOut = isNullable && value !== null && random() < 0.15;
  const other = isTakenOut ? null : others.length > 0 ? pick(random, others) : changeValue(random, type, value);
  let places: Record<string, unknown>[];
  try {
    places = await run(`UPDATE countersign.${table} SET ${column} = $1::text::${type} WHERE ctid = $2::tid RETURNING ctid::text AS place`, [
      other,
      before?.['place'],
    ]);
  } catch (error) {
    // A constraint holds in spite of the superuser.
    if (/^2[23]/.test(String((error as { code?: string }).code))) {
      return undefined;
    }
    throw error;
  }
  const [changed] = places;
  return {
    words: `${table}.${column} (${where}): ${String(value).slice(0, 200)} -> ${String(other).slice(0, 200)}`,
    takeBack: async () => {
      await run(`UPDATE countersign.${table} SET ${column} = $1::text::${type} WHERE ctid = $2::tid`, [value, changed?.['place']]);
    },
  };
}
