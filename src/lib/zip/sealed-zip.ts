/**
 * Writes the container of evidence in numbered pieces, like other zip files, with the sizes behind each member. Its comment is the hash of all
 * before it.
 */
import { crc32 } from 'node:zlib';
import { lastBlock, packBlock } from './parts.ts';
import { centralHeader, descriptor, endRecords, localHeader, type SealedEntry } from './sealed-headers.ts';
import type { PieceSink } from './zip-writer.ts';

/** Place of a writer between two pieces. */
export interface SealedZipState {
  /** Number of the next piece. */
  readonly pieces: number;
  readonly bytes: number;
  readonly entries: readonly SealedEntry[];
  readonly open: SealedEntry | null;
}

/** Writes the container, one member after another. */
export interface SealedZipWriter {
  state(): SealedZipState;
  open(name: string, isStored?: boolean): Promise<void>;
  /** Adds a block to the open member, and returns it as it stands in the file. */
  add(content: Buffer): Promise<Buffer>;
  close(): Promise<void>;
  /** Ends the file but for its comment, which is the text `commentOf` of the hash of all pieces. */
  finish(): Promise<void>;
}

/** The first state of a container. */
export const emptySealedZip: SealedZipState = { pieces: 0, bytes: 0, entries: [], open: null };

/** Goes on with a container where `from` left it. */
export function createSealedZip(sink: PieceSink, from: SealedZipState = emptySealedZip): SealedZipWriter {
  let state = from;
  const put = async (content: Buffer): Promise<void> => {
    const { pieces, bytes } = state;
    state = { ...state, pieces: pieces + 1, bytes: bytes + content.length };
    await sink(pieces, content);
  };
  const requireOpen = (): SealedEntry => {
    if (state.open === null) {
      throw new Error('no member of the container is open');
    }
    return state.open;
  };
  return {
    state: () => state,
    async open(name, isStored = false) {
      if (state.open !== null) {
        throw new Error(`${state.open.name} is still open`);
      }
      const entry = { name, isStored, offset: state.bytes, crc: 0, bytes: 0, packed: 0 };
      state = { ...state, open: entry };
      await put(localHeader(entry));
    },
    async add(content) {
      const open = requireOpen();
      const packed = open.isStored ? content : packBlock(content);
      state = {
        ...state,
        open: { ...open, crc: crc32(content, open.crc), bytes: open.bytes + content.length, packed: open.packed + packed.length },
      };
      await put(packed);
      return packed;
    },
    async close() {
      const open = requireOpen();
      const end = open.isStored ? Buffer.alloc(0) : lastBlock;
      const entry = { ...open, packed: open.packed + end.length };
      state = { ...state, entries: [...state.entries, entry], open: null };
      await put(Buffer.concat([end, descriptor(entry)]));
    },
    async finish() {
      const { bytes, entries } = state;
      const directory = Buffer.concat(entries.map(centralHeader));
      await put(Buffer.concat([directory, endRecords(entries.length, directory.length, bytes)]));
    },
  };
}
