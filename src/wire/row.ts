/** Rows of messages: what services answer. `write.ts` spells one as JSON text, `reply.ts` as plain objects. */
import type { DescMessage, JsonObject, Message, MessageJsonType, MessageShape } from '@bufbuild/protobuf';
import type { Owned, Rows } from '../gen/rows.js';
import { timestamp } from './timestamps.ts';

/**
 * Content of a message as our rows hold it: times as Date, whole numbers as they are, enums with or without the prefix of their names. A row
 * that lacks a field of the message does not compile; null and undefined stand for the default, further members are not written. Of a message
 * that is known by its descriptor alone it is any object.
 */
export type Row<M extends Message> = M['$typeName'] extends keyof Rows ? Rows[M['$typeName']] : object;

/** The row of the message that a descriptor describes. */
export type RowOf<D extends DescMessage> = Row<MessageShape<D>>;

/** The JSON of the message that a descriptor describes, in which each member may be absent; any object where the message is not known. */
export type JsonOf<D extends DescMessage> = MessageJsonType<D> extends JsonObject ? MessageJsonType<D> : JsonObject;

/** What of a message a document keeps: all but the fields that no client writes. */
type Kept<D extends DescMessage> = Omit<
  RowOf<D>,
  MessageShape<D>['$typeName'] extends keyof Owned ? Owned[MessageShape<D>['$typeName']] : never
>;

/**
 * The row of what clients wrote of a message, from the document that keeps it: `{ ...keptRow(AppSchema, row.document), ...row }`. The fields that
 * are the server's are not in it, so that the compiler asks for them.
 */
export function keptRow<D extends DescMessage>(_desc: D, document: JsonOf<D>): Kept<D> {
  return document as unknown as Kept<D>;
}

/** A message of any type with its type: the row of google.protobuf.Any. */
export interface Packed {
  readonly desc: DescMessage;
  readonly row: object;
}

/** False for a message of any type that is kept as JSON, with its `@type`. */
export function isPacked(any: Packed | object): any is Packed {
  return !('@type' in any);
}

/** Begins the type URL of an Any. */
export const typePrefix = 'type.googleapis.com/';

/**
 * The time of a row as the wire spells it. A text that ends in Z keeps its digits; another is PostgreSQL's, and loses what is below a
 * millisecond.
 */
export function timeText(time: Date | string): string {
  if (typeof time !== 'string') {
    return timestamp(time);
  }
  if (!time.endsWith('Z')) {
    return timestamp(new Date(time));
  }
  return time.endsWith('.000Z') ? `${time.slice(0, -5)}Z` : time;
}

/** The spelling of each value of an enum, under its name and under the name without the prefix that all share. */
export function enumNames(desc: { readonly sharedPrefix?: string | undefined; readonly values: readonly { readonly name: string }[] }) {
  const prefix = desc.sharedPrefix?.toUpperCase() ?? '';
  const short = desc.values.map(({ name }) => [name.startsWith(prefix) ? name.slice(prefix.length) : name, name] as const);
  return new Map([...short, ...desc.values.map(({ name }) => [name, name] as const)]);
}
/** Fields of a message that the service never sets: `...unset('deletedAt')` says so, and the row compiles without them. */
export function unset<F extends string>(..._fields: readonly F[]): Readonly<Record<F, undefined>> {
  return nothing as Readonly<Record<F, undefined>>;
}

const nothing = Object.freeze({});
