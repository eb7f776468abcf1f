/**
 * A zip file written in numbered pieces, by whoever is killed and goes on: the state between two pieces is plain JSON, and the same content makes
 * the same bytes. The pieces in the order of their numbers are the file. Reading is lib/tables/zip-parts.ts.
 */
import { crc32 } from 'node:zlib';
import { firstDay, lastBlock, max16, max32, pack, packBlock } from './parts.ts';

/** Takes a piece of the file; the numbers count from 0, and each comes once, not always in order. */
export type PieceSink = (number: number, content: Buffer) => Promise<void>;

/** A file in the zip that is written. */
interface ZipEntry {
  readonly name: string;
  /** Place of its header. */
  readonly offset: number;
  readonly crc: number;
  readonly bytes: number;
  readonly packed: number;
}

/** Place of a writer between two pieces. */
export interface ZipState {
  /** Number of the next piece. */
  readonly pieces: number;
  /** Bytes so far, without what belongs to the open file. */
  readonly bytes: number;
  readonly entries: readonly ZipEntry[];
  /** The file that is being written; its header waits at the number `header` until its size is known. */
  readonly open: (ZipEntry & { readonly header: number }) | null;
}

/** Writes a zip file, one file in it after another. */
export interface ZipWriter {
  state(): ZipState;
  open(name: string): void;
  /** Adds content to the open file. */
  add(content: Buffer): Promise<void>;
  close(): Promise<void>;
  /** Ends the zip; nothing may be added after it. */
  finish(): Promise<void>;
}

/** The first state of a zip. */
export const emptyZip: ZipState = { pieces: 0, bytes: 0, entries: [], open: null };

/** Goes on with a zip where `state` left it. */
export function createZipWriter(sink: PieceSink, from: ZipState = emptyZip): ZipWriter {
  let state = from;
  const put = async (content: Buffer): Promise<void> => {
    const { pieces } = state;
    state = { ...state, pieces: pieces + 1 };
    await sink(pieces, content);
  };
  const requireOpen = () => {
    if (state.open === null) {
      throw new Error('no file of the zip is open');
    }
    return state.open;
  };
  return {
    state: () => state,
    open(name) {
      if (state.open !== null) {
        throw new Error(`${state.open.name} is still open`);
      }
      state = {
        ...state,
        pieces: state.pieces + 1,
        open: { name, offset: state.bytes, crc: 0, bytes: 0, packed: 0, header: state.pieces },
      };
    },
    async add(content) {
      const open = requireOpen();
      const packed = packBlock(content);
      const crc = crc32(content, open.crc);
      state = { ...state, open: { ...open, crc, bytes: open.bytes + content.length, packed: open.packed + packed.length } };
      await put(packed);
    },
    async close() {
      const { header, ...open } = requireOpen();
      const entry = { ...open, packed: open.packed + lastBlock.length };
      const head = writeHeader(entry);
      state = { ...state, bytes: entry.offset + head.length + entry.packed, entries: [...state.entries, entry], open: null };
      await put(lastBlock);
      await sink(header, head);
    },
    async finish() {
      await put(writeDirectory(state));
    },
  };
}

/** Fields that both headers of a file share; `wide` are the numbers that are too large for their place and stand behind the name. */
function commonOf(entry: ZipEntry, wide: readonly number[]): { fields: Buffer; name: Buffer; extra: Buffer } {
  const name = Buffer.from(entry.name, 'utf8');
  const extra = wide.length === 0 ? Buffer.alloc(0) : pack([2, 1], [2, 8 * wide.length], ...wide.map((value) => [8, value] as const));
  const areWide = isWide(entry);
  const fields = pack(
    [2, wide.length === 0 ? 20 : 45],
    // Names are UTF-8.
    [2, 0x0800],
    [2, 8],
    [2, 0],
    [2, firstDay],
    [4, entry.crc],
    [4, areWide ? max32 : entry.packed],
    [4, areWide ? max32 : entry.bytes],
    [2, name.length],
    [2, extra.length],
  );
  return { fields, name, extra };
}

const isWide = ({ bytes, packed }: ZipEntry): boolean => bytes >= max32 || packed >= max32;

function writeHeader(entry: ZipEntry): Buffer {
  const { fields, name, extra } = commonOf(entry, isWide(entry) ? [entry.bytes, entry.packed] : []);
  return Buffer.concat([pack([4, 0x0403_4b50]), fields, name, extra]);
}

function writeDirectory({ bytes, entries }: ZipState): Buffer {
  const records = entries.map((entry) => {
    const isFar = entry.offset >= max32;
    const wide = [...(isWide(entry) ? [entry.bytes, entry.packed] : []), ...(isFar ? [entry.offset] : [])];
    const { fields, name, extra } = commonOf(entry, wide);
    const place = pack([2, 0], [2, 0], [2, 0], [4, 0], [4, isFar ? max32 : entry.offset]);
    return Buffer.concat([pack([4, 0x0201_4b50], [2, wide.length === 0 ? 20 : 45]), fields, place, name, extra]);
  });
  const directory = Buffer.concat(records);
  const count = entries.length;
  const isLarge = bytes >= max32 || count >= max16;
  const large = isLarge
    ? [
        pack([4, 0x0606_4b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, count], [8, count], [8, directory.length], [8, bytes]),
        pack([4, 0x0706_4b50], [4, 0], [8, bytes + directory.length], [4, 1]),
      ]
    : [];
  const short = Math.min(count, max16);
  const end = pack([4, 0x0605_4b50], [2, 0], [2, 0], [2, short], [2, short], [4, directory.length], [4, Math.min(bytes, max32)], [2, 0]);
  return Buffer.concat([directory, ...large, end]);
}
