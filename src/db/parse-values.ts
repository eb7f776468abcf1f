/**
 * JavaScript values from PostgreSQL's text values, for our connections only (nothing global is changed). The rules for store authors are in
 * types.ts; how parameters are written is pg's own business.
 */
import pg from 'pg';

const oid = {
  int8: 20,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  dateArray: 1182,
  timestampArray: 1115,
  int8Array: 1016,
  textArray: 1009,
} as const;

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError('a bigint beyond 2^53 was read as a number: select it as text');
  }
  return value;
}

const digits = (text: string, at: number): number => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;

/**
 * A time as our connections get it, in UTC: `2026-01-02 03:04:05.678901+00`. Lists read hundreds, and pg's parser takes any zone and era by
 * a regular expression. What does not look like this goes there.
 */
function parseTime(text: string): unknown {
  const { length } = text;
  if (length < 22 || length > 29 || text.charCodeAt(4) !== 0x2d || !text.endsWith('+00')) {
    return pg.types.getTypeParser(oid.timestamptz as number, 'text')(text);
  }
  const year = digits(text, 0) * 100 + digits(text, 2);
  const ms = length === 22 ? 0 : Number(text.slice(20, Math.min(23, length - 3)).padEnd(3, '0'));
  const time = Date.UTC(year, digits(text, 5) - 1, digits(text, 8), digits(text, 11), digits(text, 14), digits(text, 17), ms);
  return year < 100 ? pg.types.getTypeParser(oid.timestamptz as number, 'text')(text) : new Date(time);
}

const parseTextArray = pg.types.getTypeParser(oid.textArray as number, 'text') as (text: string) => (string | null)[];

/** date and timestamp have no zone: pg would read them in the zone of this machine, so they stay text. */
const parsers = new Map<number, (text: string) => unknown>([
  [oid.int8, parseInt8],
  [oid.int8Array, (text) => parseTextArray(text).map((item) => (item === null ? null : parseInt8(item)))],
  [oid.timestamptz, parseTime],
  [oid.date, (text) => text],
  [oid.timestamp, (text) => text],
  [oid.dateArray, (text) => parseTextArray(text)],
  [oid.timestampArray, (text) => parseTextArray(text)],
]);

/** The `types` of a pg client: int8 as number or an error, zoneless dates as text, everything else as pg does it. */
export const valueParsers: pg.CustomTypesConfig = {
  getTypeParser(id: number, format?: 'text' | 'binary') {
    const own = format === 'binary' ? undefined : parsers.get(id);
    // pg's declaration of the second overload wants 'binary'; both go the same way.
    return own ?? pg.types.getTypeParser(id, format as 'text');
  },
};
