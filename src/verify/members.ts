/** Members of a bundle by their lists of hashes: `manifest.json` has the members, `hashes.jsonl` their blocks of at most 1,000 lines. */
import { hash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { constants, crc32, inflateRawSync } from 'node:zlib';
import { readBase64 } from '../lib/log/signed-note.ts';
import { closingNames, containerName, type Member, readAt } from './container.ts';
import { type Findings, UnreadableError } from './findings.ts';
import { type Fields, readFields } from './fields.ts';

/** Facts that the manifest has of the bundle. */
export interface Manifest {
  readonly review: string;
  readonly tenant: string;
  readonly origin: string;
  readonly madeAt: string;
  readonly sha256: string;
}

interface Block {
  readonly lines: number;
  readonly bytes: number;
  readonly packed: number;
  readonly sha256: string;
  readonly packedSha256: string;
  /** Two bytes of the hash of each line, in base64; only to name the line that changed. */
  readonly marks: string;
}

/** Members whose bytes can be asked for. */
export interface Bundle {
  readonly manifest: Manifest;
  readonly findings: Findings;
  readonly has: (name: string) => boolean;
  /** The lines of a member, block by block; of a damaged one only those of its whole blocks. */
  readonly lines: (name: string) => Generator<readonly Buffer[]>;
  /** The whole content of a small member; undefined where it is absent or damaged. */
  readonly content: (name: string) => Buffer | undefined;
  /** Packed members that were not read yet. */
  readonly unread: () => string[];
}

const maxBlock = 64 * 1024 * 1024;
const maxLines = 1000;
const maxSmall = 16 * 1024 * 1024;
const maxHashes = 512 * 1024 * 1024;
/** An empty last block of deflate, which ends each packed member. */
const lastBlock = Buffer.of(3, 0);

/** Reads both lists. Throws UnreadableError where they are no lists of a bundle. */
export function readMembers(file: number, members: readonly Member[], findings: Findings): Bundle {
  const byName = new Map(members.map((member) => [member.name, member]));
  const stored = new Map<string, Buffer>();
  for (const name of closingNames) {
    const member = byName.get(name);
    if (member?.isStored === true) {
      stored.set(name, readStored(file, member, findings));
    } else if (member !== undefined) {
      throw new UnreadableError(`${name} is packed, and has to be stored as it is.`);
    } else if (name !== 'seal/timestamp.tsr') {
      throw new UnreadableError(`The bundle has no ${name}.`);
    }
  }
  const manifest = stored.get('manifest.json')!;
  const hashes = stored.get('hashes.jsonl')!;
  const fields = readFields(manifest.toString());
  if (fields === undefined || fields.text('format') !== 'countersign-evidence' || fields.whole('v') !== 1) {
    return refuse(findings, 'manifest.json', 'It is not the manifest of an evidence bundle of version 1.');
  }
  if (hash('sha256', hashes, 'hex') !== fields.text('hashesSha256')) {
    findings.damage('hashes.jsonl', 'It is not the list of hashes that the manifest names.');
  }
  const blocks = readBlocks(hashes, findings);
  const files = fields.list('files');
  checkFiles(files, members, blocks, findings);
  const deflated = members.filter(({ isStored }) => !isStored);
  for (const member of deflated) {
    checkEnd(file, member, blocks.get(member.name) ?? [], findings);
  }
  const readBlock = createReader(file, findings);
  const read = new Set<string>();
  return {
    manifest: {
      review: fields.text('review'),
      tenant: fields.text('tenant'),
      origin: fields.text('origin'),
      madeAt: fields.text('madeAt'),
      sha256: hash('sha256', manifest, 'hex'),
    },
    findings,
    has: (name) => byName.has(name),
    unread: () => deflated.map(({ name }) => name).filter((name) => !read.has(name)),
    *lines(name) {
      read.add(name);
      for (const content of readBlock(byName.get(name), blocks.get(name) ?? [])) {
        yield splitLines(content);
      }
    },
    content(name) {
      const member = byName.get(name);
      if (member === undefined || member.bytes > maxSmall) {
        return undefined;
      }
      const pieces: Buffer[] = [];
      read.add(name);
      if (stored.has(name)) {
        pieces.push(stored.get(name)!);
      } else {
        for (const content of readBlock(member, blocks.get(name) ?? [])) {
          pieces.push(content);
        }
      }
      return findings.isDamaged(name) ? undefined : Buffer.concat(pieces);
    },
  };
}

function refuse(findings: Findings, file: string, sentence: string): never {
  // The container may say which member was changed; that is more than that it cannot be read.
  if (findings.isDamaged(file)) {
    throw new DamagedError();
  }
  throw new UnreadableError(`${file}: ${sentence}`);
}

/** Ends the reading of a bundle whose lists of members are damaged: the findings say where. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

function readStored(file: number, member: Member, findings: Findings): Buffer {
  if (member.packed > (member.name === 'hashes.jsonl' ? maxHashes : maxSmall)) {
    throw new UnreadableError(`${member.name} has ${member.packed} bytes, more than is read.`);
  }
  const content = readAt(file, member.start, member.packed);
  if (crc32(content) !== member.crc) {
    findings.damage(member.name, 'Its bytes were changed: they do not have their checksum.');
  }
  return content;
}

/** The blocks of each member in their order. */
function readBlocks(hashes: Buffer, findings: Findings): Map<string, Block[]> {
  const blocks = new Map<string, Block[]>();
  for (const [index, line] of splitLines(hashes).entries()) {
    const fields = readFields(line.toString());
    const path = fields?.text('path') ?? '';
    const known = blocks.get(path) ?? [];
    const block = {
      lines: fields?.whole('lines') ?? -1,
      bytes: fields?.whole('bytes') ?? -1,
      packed: fields?.whole('packed') ?? -1,
      sha256: fields?.text('sha256') ?? '',
      packedSha256: fields?.text('packedSha256') ?? '',
      marks: fields?.text('marks') ?? '',
    };
    const isSound =
      fields?.whole('block') === known.length &&
      block.lines >= 0 &&
      block.lines <= maxLines &&
      block.bytes >= 0 &&
      block.bytes <= maxBlock &&
      block.packed >= 0 &&
      block.packed <= maxBlock &&
      /^[0-9a-f]{64}$/.test(block.sha256) &&
      block.marks.length <= 4 * maxLines;
    if (!isSound) {
      findings.damage('hashes.jsonl', 'It is not a block, or one that is out of its order.', index + 1);
      return blocks;
    }
    known.push(block);
    blocks.set(path, known);
  }
  return blocks;
}

/** Compares the members of the container with the files of the manifest and the blocks of the hashes. */
function checkFiles(
  files: readonly Fields[],
  members: readonly Member[],
  blocks: ReadonlyMap<string, readonly Block[]>,
  findings: Findings,
): void {
  const listed = files.map((one) => one.text('path'));
  for (const { name } of members) {
    if (!listed.includes(name) && !closingNames.includes(name)) {
      findings.damage(name, 'No manifest lists it: it was added to the bundle.');
    }
  }
  for (const path of blocks.keys()) {
    if (!listed.includes(path)) {
      findings.damage('hashes.jsonl', `It has hashes of ${path}, which the manifest does not list.`);
    }
  }
  for (const entry of files) {
    const path = entry.text('path');
    const member = members.find(({ name }) => name === path);
    const own = blocks.get(path) ?? [];
    const sum = own.reduce((total, { bytes }) => total + bytes, 0);
    if (member === undefined) {
      findings.damage(path, 'The manifest lists it, and the container does not have it.');
    } else if (member.isStored) {
      findings.damage(path, 'It is stored as it is; only the seal and the lists of hashes are.');
    } else if (member.bytes !== entry.whole('bytes') || entry.whole('blocks') !== own.length || sum !== member.bytes) {
      findings.damage(path, 'It does not have the size that the manifest names.');
    } else if (hash('sha256', Buffer.from(own.map(({ sha256 }) => sha256).join(''), 'hex'), 'hex') !== entry.text('root')) {
      findings.damage(path, 'Its hashes are not those of the manifest.');
    }
  }
  const order = members.map(({ name }) => name);
  const wanted = [...listed, ...closingNames.filter((name) => order.includes(name))];
  if (!findings.isDamaged(...order, ...listed) && order.join('\n') !== wanted.join('\n')) {
    findings.damage(containerName, 'Its members are not those of the manifest in their order.');
  }
}

/** After its blocks a packed member ends with an empty last block, and nothing else. */
function checkEnd(file: number, member: Member, blocks: readonly Block[], findings: Findings): void {
  const packed = blocks.reduce((sum, block) => sum + block.packed, 0);
  const isEnded = member.packed === packed + lastBlock.length && readAt(file, member.start + packed, lastBlock.length).equals(lastBlock);
  if (!isEnded) {
    findings.damage(member.name, 'Its packed bytes are not its blocks alone.');
  }
}

/** Reads the blocks of a member that are whole, and says of each other one what was changed in it. */
function createReader(file: number, findings: Findings) {
  return function* read(member: Member | undefined, blocks: readonly Block[]): Generator<Buffer> {
    let start = member?.start ?? 0;
    let firstLine = 1;
    let crc = 0;
    for (const [index, block] of blocks.entries()) {
      if (member === undefined) {
        return;
      }
      const isPlain = block.lines === 0;
      const packed = readAt(file, start, block.packed);
      const content = unpack(packed, block.bytes);
      const isWhole =
        content !== undefined &&
        hash('sha256', packed, 'hex') === block.packedSha256 &&
        hash('sha256', content, 'hex') === block.sha256 &&
        isUtf8OrBinary(member.name, content) &&
        (isPlain || splitLines(content).length === block.lines);
      if (isWhole) {
        crc = crc32(content, crc);
        yield content;
      } else {
        const line = content === undefined ? undefined : changedLine(content, block);
        const place = isPlain ? '' : ` (lines ${firstLine} to ${firstLine + block.lines - 1})`;
        findings.damage(
          member.name,
          `Its bytes were changed in block ${index}${place}: they do not have their hash.`,
          line === undefined ? undefined : firstLine + line,
        );
      }
      start += block.packed;
      firstLine += block.lines;
    }
    if (member !== undefined && crc !== member.crc && !findings.isDamaged(member.name)) {
      findings.damage(member.name, 'It does not have its checksum.');
    }
  };
}

function isUtf8OrBinary(name: string, content: Buffer): boolean {
  return name.endsWith('.pdf') || isUtf8(content);
}

/** Content of exactly so many bytes; undefined where the packed bytes do not make it, or are not all of it. */
function unpack(packed: Buffer, bytes: number): Buffer | undefined {
  try {
    const { buffer, engine } = inflateRawSync(packed, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: bytes + 1,
      chunkSize: Math.max(64, bytes + 1),
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    return buffer.length === bytes && engine.bytesWritten === packed.length ? buffer : undefined;
  } catch {
    return undefined;
  }
}

/** Index of the first line that does not have its mark; undefined where all do. */
function changedLine(content: Buffer, { marks, lines }: Block): number | undefined {
  const wanted = readBase64(marks);
  if (wanted?.length !== 2 * lines || lines === 0) {
    return undefined;
  }
  const found = splitLines(content).slice(0, lines);
  const index = found.findIndex(
    (line, at) =>
      !hash('sha256', line, 'buffer')
        .subarray(0, 2)
        .equals(wanted.subarray(2 * at, 2 * at + 2)),
  );
  return index < 0 ? (found.length < lines ? found.length - 1 : undefined) : index;
}

/** The lines of a text, each without the line feed that ends it. What follows the last line feed is a line, too. */
function splitLines(content: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < content.length; ) {
    const end = content.indexOf(10, start);
    lines.push(content.subarray(start, end < 0 ? content.length : end));
    start = end < 0 ? content.length : end + 1;
  }
  return lines;
}
