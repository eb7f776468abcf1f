/** Reading protobuf messages field by field: of a blob only what is asked for is looked at. Broken bytes throw, as the reader of the runtime does. */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** Most levels of values inside each other. */
const maxDepth = 20;

/** Calls `take` at each field; it returns true where it read the field, and false where the field is to be skipped. */
export function readFields(data: Uint8Array, take: (no: number, reader: BinaryReader, type: WireType) => boolean): void {
  const reader = new BinaryReader(data);
  while (reader.pos < reader.len) {
    const [no, type] = reader.tag();
    const at = reader.pos;
    if (!take(no, reader, type)) {
      reader.pos = at;
      skipField(reader, type, no);
    }
  }
}

/** Skips a field without making a view of its bytes. */
function skipField(reader: BinaryReader, type: WireType, no: number): void {
  if (type !== WireType.LengthDelimited) {
    reader.skip(type, no);
    return;
  }
  const length = reader.uint32();
  if (reader.pos + length > reader.len) {
    throw new RangeError('a message ends within a field');
  }
  reader.pos += length;
}

/** A google.protobuf.Any: the last part of its type's name, and its bytes. */
export interface Annotation {
  readonly type: string;
  readonly value: Uint8Array;
}

/** Reads a google.protobuf.Any. */
export function readAnnotation(data: Uint8Array): Annotation {
  let type = '';
  let value: Uint8Array = new Uint8Array();
  readFields(data, (no, reader, kind) => {
    if (kind !== WireType.LengthDelimited) {
      return false;
    }
    if (no === 1) {
      const url = reader.string();
      type = url.slice(Math.max(url.lastIndexOf('.'), url.lastIndexOf('/')) + 1);
    } else if (no === 2) {
      value = reader.bytes();
    } else {
      return false;
    }
    return true;
  });
  return { type, value };
}

/** Reads a google.protobuf.Timestamp as a text in UTC; '' for one that was never set, of a clock at zero, or outside the years 1970 to 9999. */
export function readTimestamp(data: Uint8Array): string {
  let seconds = 0;
  readFields(data, (no, reader, type) => {
    if (no !== 1 || type !== WireType.Varint) {
      return false;
    }
    seconds = Number(reader.int64());
    return true;
  });
  return seconds <= 0 || seconds > 253_402_300_799 ? '' : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** Reads the one field of a message that is a string, a number or a bool under this number, as `read` does; undefined where it has none. */
export function readOne<T>(data: Uint8Array, wanted: number, wire: WireType, read: (reader: BinaryReader) => T): T | undefined {
  let found: T | undefined;
  readFields(data, (no, reader, type) => {
    if (no !== wanted || type !== wire) {
      return false;
    }
    found = read(reader);
    return true;
  });
  return found;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Reads the members of a google.protobuf.Struct, each as one text: what is no single value as JSON, nothing as ''. */
export function readStruct(data: Uint8Array): Map<string, string> {
  const members = new Map<string, string>();
  for (const [name, value] of readMembers(data, 0)) {
    members.set(name, value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value));
  }
  return members;
}

function readMembers(data: Uint8Array, depth: number): Map<string, Json> {
  const members = new Map<string, Json>();
  readFields(data, (no, reader, type) => {
    if (no !== 1 || type !== WireType.LengthDelimited) {
      return false;
    }
    let name = '';
    let value: Json = null;
    readFields(reader.bytes(), (part, inner, kind) => {
      if (kind !== WireType.LengthDelimited || part > 2) {
        return false;
      }
      if (part === 1) {
        name = inner.string();
      } else {
        value = readValue(inner.bytes(), depth + 1);
      }
      return true;
    });
    members.set(name, value);
    return true;
  });
  return members;
}

function readValue(data: Uint8Array, depth: number): Json {
  if (depth > maxDepth) {
    throw new RangeError('values lie inside each other too deeply');
  }
  let value: Json = null;
  readFields(data, (no, reader, type) => {
    if (no === 2 && type === WireType.Bit64) {
      value = reader.double();
    } else if (no === 3 && type === WireType.LengthDelimited) {
      value = reader.string();
    } else if (no === 4 && type === WireType.Varint) {
      value = reader.bool();
    } else if (no === 5 && type === WireType.LengthDelimited) {
      value = Object.fromEntries(readMembers(reader.bytes(), depth));
    } else if (no === 6 && type === WireType.LengthDelimited) {
      const list: Json[] = [];
      readFields(
        reader.bytes(),
        (item, inner, kind) => item === 1 && kind === WireType.LengthDelimited && list.push(readValue(inner.bytes(), depth + 1)) > 0,
      );
      value = list;
    } else {
      return false;
    }
    return true;
  });
  return value;
}
