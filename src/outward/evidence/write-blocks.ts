/** Blocks of a bundle: what is put into the container, and the line of hashes that is noted for each. */
import { hash } from 'node:crypto';
import type { Context } from '../../context.ts';
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import type { SealedZipWriter } from '../../lib/zip/sealed-zip.ts';
import { insertChunk } from '../reports/index.ts';

/** The hashes of a block, a line of hashes.jsonl. */
export interface BlockHash {
  readonly path: string;
  readonly block: number;
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Of its bytes in the container. */
  readonly packed: number;
  readonly packedSha256: string;
  /** Two bytes of the hash of each line, in base64: they name the line that differs, and prove nothing. */
  readonly marks: string;
}

const markLength = 2;

/** Puts a block into the open member of the container and returns its hashes; of a member without lines, `lines` is its text or its bytes. */
export async function writeBlock(
  zip: SealedZipWriter,
  path: string,
  block: number,
  lines: readonly string[] | Buffer,
  isOfLines: boolean,
): Promise<BlockHash> {
  const texts = Buffer.isBuffer(lines) ? [] : lines;
  const content = Buffer.isBuffer(lines) ? lines : Buffer.from(isOfLines ? `${texts.join('\n')}\n` : texts.join(''), 'utf8');
  const packed = await zip.add(content);
  const marks = isOfLines ? Buffer.concat(texts.map((line) => hash('sha256', line, 'buffer').subarray(0, markLength))) : Buffer.alloc(0);
  return {
    path,
    block,
    lines: isOfLines ? texts.length : 0,
    bytes: content.length,
    sha256: hash('sha256', content, 'hex'),
    packed: packed.length,
    packedSha256: hash('sha256', packed, 'hex'),
    marks: marks.toString('base64'),
  };
}

/** The number of a piece that holds the hashes of blocks until the manifest is written: none of the file's own. */
export const noteNumber = (note: number): number => -1 - note;

/** Notes the hashes of blocks beside the pieces of the file. */
export async function insertNote(context: Context, reportId: string, note: number, blocks: readonly BlockHash[]): Promise<void> {
  const text = blocks.map((block) => `${canonicalJson(block)}\n`).join('');
  await insertChunk(context, reportId, noteNumber(note), Buffer.from(text));
}
