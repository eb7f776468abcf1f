/** Messages of connectors about entitlements and grants. Of a grant, what it is of is read from the columns beside it: newer files hold slim blobs. */
import { WireType } from '@bufbuild/protobuf/wire';
import { readAnnotation, readFields, readOne } from './wire.ts';

const purposes = ['', 'ASSIGNMENT', 'PERMISSION', 'OWNERSHIP'] as const;

/** Texts of an entitlement; `purpose` is a word of the contract or ''. */
export interface Entitlement {
  readonly name: string;
  readonly description: string;
  readonly purpose: string;
}

/** Reads an Entitlement; its slug is its name where it has no other. */
export function readEntitlement(data: Uint8Array): Entitlement {
  const found = { name: '', description: '', purpose: '' };
  let slug = '';
  readFields(data, (no, reader, type) => {
    if (no === 7 && type === WireType.Varint) {
      found.purpose = purposes[reader.int32()] ?? '';
      return true;
    }
    if (type !== WireType.LengthDelimited) {
      return false;
    }
    switch (no) {
      case 3:
        found.name = reader.string();
        return true;
      case 4:
        found.description = reader.string();
        return true;
      case 8:
        slug = reader.string();
        return true;
      default:
        return false;
    }
  });
  return found.name === '' ? { ...found, name: slug } : found;
}

/**
 * Reads the ids of the entitlements that a grant comes from; an empty list where it says nothing of them. Most say nothing, and there are millions: so
 * the fields before are stepped over without a reader.
 */
export function readSources(data: Uint8Array): readonly string[] {
  for (let at = 0; at < data.length; ) {
    const tag = data[at] as number;
    // Fields below 16 whose bytes are counted, of fewer than 128: anything else is for the reader.
    const length = data[at + 1];
    if (tag === sourcesTag || (tag & 0x87) !== WireType.LengthDelimited || length === undefined) {
      return findSources(data);
    }
    if (length < 0x80) {
      at += 2 + length;
    } else {
      const more = data[at + 2];
      if (more === undefined || more >= 0x80) {
        return findSources(data);
      }
      at += 3 + (length & 0x7f) + (more << 7);
    }
    if (at > data.length) {
      throw new RangeError('a message ends within a field');
    }
  }
  return nothing;
}

const sourcesNo = 5;
const sourcesTag = (sourcesNo << 3) | WireType.LengthDelimited;

function findSources(data: Uint8Array): readonly string[] {
  const list: string[] = [];
  readFields(data, (no, reader, type) => {
    if (no !== sourcesNo || type !== WireType.LengthDelimited) {
      return false;
    }
    readFields(reader.bytes(), (field, inner, kind) => {
      if (field !== 1 || kind !== WireType.LengthDelimited) {
        return false;
      }
      list.push(readOne(inner.bytes(), 1, WireType.LengthDelimited, (key) => key.string()) ?? '');
      return true;
    });
    return true;
  });
  return list;
}

const nothing: readonly string[] = [];

/** Reads the entitlements whose holders hold what is granted, of the annotation GrantExpandable of a grant; undefined where it has none. */
export function readExpandable(data: Uint8Array): readonly string[] | undefined {
  let found: readonly string[] | undefined;
  readFields(data, (no, reader, type) => {
    if (no !== 4 || type !== WireType.LengthDelimited) {
      return false;
    }
    const annotation = readAnnotation(reader.bytes());
    if (annotation.type === 'GrantExpandable') {
      found = readExpansion(annotation.value);
    }
    return true;
  });
  return found;
}

/** Reads the entitlements that a GrantExpandable names. */
export function readExpansion(data: Uint8Array): readonly string[] {
  const ids: string[] = [];
  readFields(data, (no, reader, type) => no === 1 && type === WireType.LengthDelimited && ids.push(reader.string()) > 0);
  return ids;
}
