/**
 * The container of a bundle: a zip file of which every byte outside of its members follows from their names, sizes and checksums. So nothing can
 * be hidden between them, and no two readers see different members.
 */
import { createHash, type Hash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import {
  centralHeader,
  commentLength,
  commentOf,
  descriptor,
  endRecords,
  localHeader,
  type SealedEntry,
} from '../lib/zip/sealed-headers.ts';
import { type Findings, UnreadableError } from './findings.ts';

/** A file in the container. */
export interface Member extends Omit<SealedEntry, 'offset'> {
  /** Place of its packed bytes. */
  readonly start: number;
}

/** Name under which findings outside of the members stand. */
export const containerName = 'the container';

/** Members that close the bundle; they are stored as they are. */
export const closingNames: readonly string[] = [
  'hashes.jsonl',
  'manifest.json',
  'seal/event.json',
  'seal/proof.tlog-proof',
  'seal/consistency.json',
  'seal/timestamp.tsr',
];

const closing = 56 + 20 + 22 + commentLength;
/** Where the records at the end begin, and with what. One of them may be damaged. */
const signatures = [
  [0, 0x0606_4b50],
  [56, 0x0706_4b50],
  [76, 0x0605_4b50],
] as const;
const descriptorLength = 24;
const maxDirectory = 1_048_576;
const maxMembers = 1000;
/** Bytes of a name that are read. Of an entry with more the header is never that of its name. */
const maxName = 1000;
const isName = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*(?:\.[a-z-]+)?$/i;

/** Reads so many bytes of an open file. Throws UnreadableError where it has fewer. Nothing else runs meanwhile, so it does not wait its turn. */
export function readAt(file: number, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const count = readSync(file, bytes, read, length - read, start + read);
    if (count === 0) {
      throw new UnreadableError('The file ends before its container does.');
    }
    read += count;
  }
  return bytes;
}

/** Returns the members in their order. Throws UnreadableError for what is no container of a bundle; names what is odd in one. */
export function readContainer(file: number, findings: Findings): Member[] {
  const { size } = fstatSync(file);
  if (size < closing) {
    throw new UnreadableError('The file is too short to be a bundle.');
  }
  const end = readAt(file, size - closing, closing);
  if (signatures.filter(([at, signature]) => end.readUInt32LE(at) === signature).length < 2) {
    throw new UnreadableError('The file is not the container of a bundle, or not all of it.');
  }
  const length = readNumber(end, 40);
  const start = readNumber(end, 48);
  // Where the records at the end are damaged, the directory still ends before them.
  const directoryStart = start + length === size - closing ? start : findDirectory(file, size - closing);
  const directoryLength = size - closing - directoryStart;
  const entries = readDirectory(readAt(file, directoryStart, directoryLength), findings);
  if (!end.subarray(0, -commentLength).equals(endRecords(entries.length, directoryLength, directoryStart))) {
    findings.damage(containerName, 'The records at its end are not those of its directory.');
  }
  checkComment(file, size, end.subarray(-commentLength), findings);
  return checkHeaders(file, entries, directoryStart, findings);
}

function readNumber(bytes: Buffer, at: number): number {
  const number = bytes.readBigUInt64LE(at);
  // Larger than any file is; no header that is written of it equals what was read.
  return number > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(number);
}

/** Place of the first header of the directory, looked for from the end. */
function findDirectory(file: number, end: number): number {
  const from = Math.max(0, end - maxDirectory);
  const tail = readAt(file, from, end - from);
  // The first of the central headers that names the first member of every bundle.
  const first = centralHeader({ name: 'README.html', isStored: false, offset: 0, crc: 0, bytes: 0, packed: 0 });
  const at = tail.lastIndexOf(first.subarray(0, 16));
  if (at < 0) {
    throw new UnreadableError('The file is not the container of a bundle: it has no directory.');
  }
  return from + at;
}

const centralSignature = Buffer.from('PK\x01\x02', 'latin1');
/** Bytes of an entry besides its name. */
const entryLength = 46 + 28;

function readDirectory(bytes: Buffer, findings: Findings): SealedEntry[] {
  if (bytes.length > maxDirectory) {
    throw new UnreadableError(`The directory of the container has more than ${maxDirectory} bytes.`);
  }
  const entries: SealedEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (entries.length === maxMembers || bytes.length - at < entryLength) {
      throw new UnreadableError(`The directory of the container cannot be read from its entry ${entries.length + 1} on.`);
    }
    const said = entryLength + bytes.readUInt16LE(at + 28);
    const next = bytes.indexOf(centralSignature, at + 46);
    // An entry whose length is damaged ends where the next begins.
    const whole = at + said <= bytes.length ? readEntry(bytes.subarray(at, at + said)) : undefined;
    const entry = whole?.isAsDemanded === true ? whole : readEntry(bytes.subarray(at, next < 0 ? bytes.length : next));
    if (!entry.isAsDemanded) {
      findings.damage(entry.name, 'Its entry in the directory of the container is not what the format demands.');
    }
    entries.push(entry);
    at += entry.length;
  }
  return entries;
}

function readEntry(bytes: Buffer): SealedEntry & { readonly length: number; readonly isAsDemanded: boolean } {
  const end = bytes.length - 28;
  const name = bytes.toString('utf8', 46, Math.min(end, 46 + maxName));
  const entry = {
    name,
    crc: bytes.readUInt32LE(16),
    isStored: bytes.readUInt16LE(10) === 0,
    bytes: readNumber(bytes, end + 4),
    packed: readNumber(bytes, end + 12),
    offset: readNumber(bytes, end + 20),
  };
  const isAsDemanded = isName.test(name) && bytes.equals(centralHeader(entry));
  return { ...entry, length: bytes.length, isAsDemanded };
}

function checkComment(file: number, size: number, comment: Buffer, findings: Findings): void {
  const digest = hashRange(file, 0, size - commentLength);
  if (comment.toString('latin1') !== commentOf(digest)) {
    findings.damage(containerName, 'Its bytes are not those whose SHA-256 is in its comment.');
  }
}

function hashRange(file: number, start: number, end: number): string {
  const digest: Hash = createHash('sha256');
  for (let at = start; at < end; at += maxDirectory) {
    digest.update(readAt(file, at, Math.min(maxDirectory, end - at)));
  }
  return digest.digest('hex');
}

/** Compares what stands before and after each member with what has to, so that the members follow each other without a gap. */
function checkHeaders(file: number, entries: readonly SealedEntry[], end: number, findings: Findings): Member[] {
  const members: Member[] = [];
  let at = 0;
  for (const entry of entries) {
    const { offset, ...described } = entry;
    const wanted = localHeader(entry);
    const isHere = hasBytes(file, at, wanted, end);
    // A member before that has a damaged size is named already; this one is where the directory says.
    const begin = isHere || offset > end ? at : offset;
    const start = begin + wanted.length;
    const member = { ...described, start, packed: Math.min(entry.packed, Math.max(0, end - start)) };
    const after = member.start + member.packed;
    const isFramed = (isHere || hasBytes(file, begin, wanted, end)) && hasBytes(file, after, descriptor(entry), end);
    if (!isFramed || offset !== begin || (begin !== at && !findings.isDamaged(members.at(-1)?.name ?? ''))) {
      findings.damage(entry.name, 'The headers around it are not what the format demands.');
      const own = readLocalName(file, begin, end);
      if (own !== entry.name && isName.test(own)) {
        findings.damage(own, `The directory of the container calls it ${entry.name}.`);
      }
    }
    if (members.some(({ name }) => name === entry.name)) {
      findings.damage(entry.name, 'The container has it twice.');
    }
    if (entry.isStored && entry.bytes !== entry.packed) {
      findings.damage(entry.name, 'It is stored as it is, and has another size than that.');
    }
    members.push(member);
    at = after + descriptorLength;
  }
  if (at !== end && !findings.isDamaged(members.at(-1)?.name ?? '')) {
    findings.damage(containerName, `Between its last member and its directory are ${end - at} bytes that belong to nothing.`);
  }
  return members;
}

/** The name in the header before a member; empty where there is none. */
function readLocalName(file: number, at: number, end: number): string {
  const head = at + 30 > end ? Buffer.alloc(30) : readAt(file, at, 30);
  const length = head.readUInt16LE(26);
  return at + 30 + length > end ? '' : readAt(file, at + 30, length).toString();
}

function hasBytes(file: number, at: number, wanted: Buffer, end: number): boolean {
  return at >= 0 && at + wanted.length <= end && readAt(file, at, wanted.length).equals(wanted);
}
