/** The cells of a table, from the fields that its columns name: an enum's value without its prefix, a number that is absent as 0, yes or no. */
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { enumPrefix } from './send-request.ts';

type Members<T> = NonNullable<T> extends readonly unknown[] | string | number | boolean ? never : keyof NonNullable<T> & string;

/** A member of a record, or a member of one of its members: `user.email`. */
export type Path<T> = { [K in keyof T & string]: K | `${K}.${Members<T[K]>}` }[keyof T & string];

/** Content of a column: a field, what to say where it is empty, a field in lower case, or what a function makes of the record. */
export type Cell<T, N> = Path<T> | readonly [Path<T>, string] | { readonly lower: Path<T> } | ((one: T, names: N) => string | undefined);

/** The cells of each record. */
export function tableCells<T, N>(message: DescMessage, columns: readonly Cell<T, N>[], records: readonly T[], names: N): string[][] {
  const readers = columns.map((cell): ((one: T) => string) => {
    if (typeof cell === 'function') {
      return (one) => cell(one, names) ?? '';
    }
    if (typeof cell === 'string') {
      return readerOf(message, cell);
    }
    if ('lower' in cell) {
      const read = readerOf(message, cell.lower);
      return (one) => read(one).toLowerCase();
    }
    const read = readerOf(message, cell[0]);
    return (one) => read(one) || cell[1];
  });
  return records.map((one) => readers.map((read) => read(one)));
}

/** Reads the field at a path as text. */
function readerOf(message: DescMessage, path: string): (one: unknown) => string {
  const fields: DescField[] = [];
  for (const name of path.split('.')) {
    const within: DescMessage | undefined = fields.length === 0 ? message : fields.at(-1)?.message;
    const field = within?.fields.find(({ jsonName }) => jsonName === name);
    if (field === undefined) {
      throw new TypeError(`${message.typeName} has no field ${path}`);
    }
    fields.push(field);
  }
  const last = fields.at(-1);
  const prefix = last?.enum === undefined ? '' : enumPrefix(last.enum);
  const isText = last?.scalar === undefined || last.scalar === ScalarType.STRING;
  return (one) => {
    const value = fields.reduce<unknown>((within, { jsonName }) => (within as Record<string, unknown> | undefined)?.[jsonName], one);
    return last?.scalar === ScalarType.BOOL ? (value === true ? 'yes' : 'no') : String(value ?? (isText ? '' : 0)).replace(prefix, '');
  };
}
