/**
 * A small server that speaks LDAP, for what no slapd does: the specialities of Active Directory (members in ranges, its capabilities), and answers that are
 * wrong. It is no Active Directory: it answers as the public documentation says that one does.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { BerReader, PagedResultsControl, PresenceFilter, SearchRequest } from 'ldapts';

export interface FakeEntry {
  readonly dn: string;
  readonly [attribute: string]: string | readonly (string | Buffer)[] | undefined;
}

/** A search, as it came. */
export interface FakeQuery {
  readonly base: string;
  readonly filter: string;
  readonly attributes: readonly string[];
  /** Of the page before; '' on the first, undefined where no pages are asked for. */
  readonly cookie: string | undefined;
  /** True if the search has the control that keeps Active Directory from referring to other parts of its forest. */
  readonly isDomainScoped: boolean;
}

/** An answer to a search. */
export interface FakeAnswer {
  readonly entries?: readonly FakeEntry[];
  readonly references?: readonly string[];
  readonly code?: number;
  /** Of the next page; '' after the last. Null leaves the control away. */
  readonly cookie?: string | null;
  /** Bytes that take the place of the result. */
  readonly raw?: Buffer;
  /** True if the connection is closed in place of the result. */
  readonly closes?: boolean;
}

export interface FakeDirectory {
  readonly url: string;
  readonly queries: FakeQuery[];
  close(): Promise<void>;
}

const activeDirectory = '1.2.840.113556.1.4.800';

/** Encodes an element. */
export function tlv(tag: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const length =
    content.length < 0x80
      ? Buffer.from([content.length])
      : Buffer.from([0x84, ...[24, 16, 8, 0].map((bits) => (content.length >> bits) & 0xff)]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}

const integer = (value: number): Buffer =>
  tlv(0x02, Buffer.from([(value >> 24) & 0xff, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff]));
const message = (id: number, ...parts: readonly Buffer[]): Buffer => tlv(0x30, integer(id), ...parts);
const result = (tag: number, code: number): Buffer =>
  tlv(tag, tlv(0x0a, Buffer.from([code])), tlv(0x04), tlv(0x04, code === 0 ? '' : 'said\nso'));

function encodeEntry({ dn, ...attributes }: FakeEntry): Buffer {
  const list = Object.entries(attributes).map(([name, value]) => {
    const values = typeof value === 'string' ? [value] : (value ?? []);
    return tlv(0x30, tlv(0x04, name), tlv(0x31, ...values.map((one) => tlv(0x04, one))));
  });
  return tlv(0x64, tlv(0x04, dn), tlv(0x30, ...list));
}

function readQuery(reader: BerReader, id: number, isDomainScoped: boolean): FakeQuery {
  const request = new SearchRequest({ messageId: id, filter: new PresenceFilter({ attribute: 'objectClass' }) });
  request.parse(reader, []);
  const controls = request.controls ?? [];
  const paged = controls.find((control) => control instanceof PagedResultsControl);
  const { baseDN: base, attributes } = request;
  return {
    base,
    filter: request.filter.toString().toLowerCase(),
    attributes,
    cookie: paged?.value?.cookie?.toString(),
    isDomainScoped,
  };
}

/** Starts a server that says it is Active Directory and answers searches as it is told. Whoever signs in is welcome. */
export async function startFakeDirectory(answer: (query: FakeQuery) => FakeAnswer): Promise<FakeDirectory> {
  const queries: FakeQuery[] = [];
  const sockets = new Set<Socket>();
  const handle = (socket: Socket, bytes: Buffer): void => {
    const reader = new BerReader(bytes);
    reader.readSequence();
    const id = reader.readInt() ?? 0;
    const kind = reader.readSequence();
    if (kind === 0x60) {
      socket.write(message(id, result(0x61, 0)));
    } else if (kind === 0x63) {
      const query = readQuery(reader, id, bytes.includes('1.2.840.113556.1.4.1339'));
      const root = { dn: '', supportedControl: ['1.2.840.113556.1.4.319'], supportedCapabilities: [activeDirectory] };
      const given: FakeAnswer = query.base === '' ? { entries: [root], cookie: null } : answer(query);
      if (query.base !== '') {
        queries.push(query);
      }
      const { entries = [], references = [], code = 0, cookie = '' } = given;
      for (const entry of entries) {
        socket.write(message(id, encodeEntry(entry)));
      }
      for (const uri of references) {
        socket.write(message(id, tlv(0x73, tlv(0x04, uri))));
      }
      const value = tlv(0x30, integer(0), tlv(0x04, cookie ?? ''));
      const control = tlv(0xa0, tlv(0x30, tlv(0x04, '1.2.840.113556.1.4.319'), tlv(0x04, value)));
      if (given.closes === true) {
        socket.end();
      } else {
        socket.write(given.raw ?? message(id, result(0x65, code), ...(query.cookie === undefined || cookie === null ? [] : [control])));
      }
    }
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    // Each request fits into one packet on the loopback, or begins one: requests are small, and come one after the other.
    socket.on('data', (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; ) {
        const short = bytes[at + 1] as number;
        const count = short >= 0x80 ? short - 0x80 : 0;
        const length = 2 + count + (count === 0 ? short : bytes.readUIntBE(at + 2, count));
        handle(socket, bytes.subarray(at, at + length));
        at += length;
      }
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queries,
    close: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
