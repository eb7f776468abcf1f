/**
 * How PostgreSQL's text values become JavaScript values, for our connections only (nothing global is changed).
 * The rules for store authors are in types.ts; how parameters are written is pg's own business.
 */
import pg from 'pg';

const oid = { int8: 20, date: 1082, timestamp: 1114, dateArray: 1182, timestampArray: 1115, int8Array: 1016, textArray: 1009 } as const;

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError('a bigint beyond 2^53 was read as a number: select it as text');
  }
  return value;
}

const parseTextArray = pg.types.getTypeParser(oid.textArray as number, 'text') as (text: string) => (string | null)[];

/** date and timestamp have no zone: pg would read them in the zone of this machine, so they stay text. */
const parsers = new Map<number, (text: string) => unknown>([
  [oid.int8, parseInt8],
  [oid.int8Array, (text) => parseTextArray(text).map((item) => (item === null ? null : parseInt8(item)))],
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
