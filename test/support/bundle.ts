/**
 * Evidence bundles taken apart and put together again, so that tests can forge them: the container byte for byte as the format demands, the lists of
 * hashes those of whatever is in it. Nothing here is the program's own code, which must not judge itself.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** A file of a bundle, unpacked, in the order of the container. */
export interface BundleFile {
  readonly name: string;
  readonly content: Buffer;
}

/** A file as the container has it. */
export interface PackedFile extends BundleFile {
  readonly packed: Buffer;
  readonly isStored: boolean;
}

/** Place of a file in the bytes of a container, from its header to the next. */
export interface Extent {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const closing = /^(?:hashes\.jsonl|manifest\.json|seal\/.*)$/;
const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** The files of a container that is whole. */
export function takeApart(container: Buffer): (PackedFile & Extent)[] {
  const end = container.length - 71 - 22 - 20 - 56;
  const directory = Number(container.readBigUInt64LE(end + 48));
  const files: (PackedFile & Extent)[] = [];
  for (let at = directory; at < end; ) {
    const length = container.readUInt16LE(at + 28);
    const name = container.toString('utf8', at + 46, at + 46 + length);
    const packed = Number(container.readBigUInt64LE(at + 46 + length + 12));
    const start = Number(container.readBigUInt64LE(at + 46 + length + 20));
    const data = start + 30 + length + 20;
    const bytes = container.subarray(data, data + packed);
    const isStored = container.readUInt16LE(at + 10) === 0;
    files.push({ name, content: isStored ? bytes : inflateRawSync(bytes), packed: bytes, isStored, start, end: data + packed + 24 });
    at += 46 + length + 28;
  }
  return files;
}

/** The content of one file of a bundle on disk. */
export function containedFile(path: string, name: string): Buffer {
  return takeApart(readFileSync(path)).find((file) => file.name === name)?.content ?? Buffer.alloc(0);
}

/** The objects of a file's lines; none where the file is not there. */
export function linesOf<Shape>(files: readonly BundleFile[], name: string): Shape[] {
  const text = files.find((file) => file.name === name)?.content.toString() ?? '';
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Shape);
}

/** The blocks of a file: each of at most `lines` lines, or the whole of what has none. */
function blocksOf({ name, content }: BundleFile, lines: number): Buffer[] {
  if (!name.endsWith('.jsonl')) {
    return [content];
  }
  const blocks: Buffer[] = [];
  let [start, count] = [0, 0];
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) {
    count += 1;
    if (count === lines) {
      blocks.push(content.subarray(start, at + 1));
      [start, count] = [at + 1, 0];
    }
  }
  return start < content.length ? [...blocks, content.subarray(start)] : blocks;
}

/** A container of these files with lists of hashes that fit them; the seal stays as it is. */
export function putTogether(files: readonly BundleFile[], lines = 1000): Buffer {
  const packed = new Map<string, Buffer>();
  const hashes: string[] = [];
  const listed: object[] = [];
  for (const file of files.filter(({ name }) => !closing.test(name))) {
    const blocks = blocksOf(file, lines);
    const pieces = blocks.map((block) => deflateRawSync(block, { finishFlush: constants.Z_FULL_FLUSH }));
    for (const [block, content] of blocks.entries()) {
      const own = file.name.endsWith('.jsonl') ? content.toString('latin1').split('\n').slice(0, -1) : [];
      const marks = own.map((line) => Buffer.from(sha256(Buffer.from(line, 'latin1')), 'hex').subarray(0, 2));
      hashes.push(
        `${JSON.stringify({
          block,
          bytes: content.length,
          lines: own.length,
          marks: Buffer.concat(marks).toString('base64'),
          packed: pieces[block]!.length,
          packedSha256: sha256(pieces[block]!),
          path: file.name,
          sha256: sha256(content),
        })}\n`,
      );
    }
    packed.set(file.name, Buffer.concat([...pieces, Buffer.of(3, 0)]));
    const root = sha256(Buffer.from(blocks.map(sha256).join(''), 'hex'));
    listed.push({ blocks: blocks.length, bytes: file.content.length, path: file.name, root });
  }
  const manifest = JSON.parse(files.find(({ name }) => name === 'manifest.json')!.content.toString()) as object;
  const made = new Map([
    ['hashes.jsonl', hashes.join('')],
    ['manifest.json', JSON.stringify({ ...manifest, files: listed, hashesSha256: sha256(hashes.join('')) })],
  ]);
  const whole = files.map(({ name, content }) => ({ name, content: made.has(name) ? Buffer.from(made.get(name)!) : content }));
  return writeContainer(
    whole.map((file) => ({ ...file, packed: packed.get(file.name) ?? file.content, isStored: !packed.has(file.name) })),
  );
}

/** Numbers one after the other, each as its width in bytes says, the lowest byte first. */
function numbers(...fields: readonly (readonly [width: number, value: number])[]): Buffer {
  return Buffer.concat(
    fields.map(([width, value]) => {
      const bytes = Buffer.alloc(width);
      bytes.writeUIntLE(value, 0, Math.min(width, 6));
      return bytes;
    }),
  );
}

/** A container of files that are packed already. */
export function writeContainer(files: readonly PackedFile[]): Buffer {
  const max = 0xffff_ffff;
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, packed, isStored } of files) {
    const length = Buffer.byteLength(name);
    const crc = crc32(content);
    const common = (extra: number, sum: number): Buffer =>
      numbers([2, 45], [2, 0x0808], [2, isStored ? 0 : 8], [2, 0], [2, 0x21], [4, sum], [4, max], [4, max], [2, length], [2, extra]);
    const piece = Buffer.concat([
      numbers([4, 0x04034b50]),
      common(20, 0),
      Buffer.from(name),
      numbers([2, 1], [2, 16], [8, 0], [8, 0]),
      packed,
      numbers([4, 0x08074b50], [4, crc], [8, packed.length], [8, content.length]),
    ]);
    directory.push(
      numbers([4, 0x02014b50], [2, 0x032d]),
      common(28, crc),
      numbers([2, 0], [2, 0], [2, 0], [4, 0x81a40000], [4, max]),
      Buffer.from(name),
      numbers([2, 1], [2, 24], [8, content.length], [8, packed.length], [8, at]),
    );
    pieces.push(piece);
    at += piece.length;
  }
  const central = Buffer.concat(directory);
  const count = files.length;
  const end = Buffer.concat([
    numbers([4, 0x06064b50], [8, 44], [2, 0x032d], [2, 45], [4, 0], [4, 0], [8, count], [8, count], [8, central.length], [8, at]),
    numbers([4, 0x07064b50], [4, 0], [8, at + central.length], [4, 1]),
    numbers([4, 0x06054b50], [2, 0], [2, 0], [2, 0xffff], [2, 0xffff], [4, max], [4, max], [2, 71]),
  ]);
  const whole = Buffer.concat([...pieces, central, end]);
  return Buffer.concat([whole, Buffer.from(`sha256:${sha256(whole)}`)]);
}
