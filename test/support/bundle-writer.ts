/** Writes bundles of evidence of any size, block by block: the members and the lists of their hashes, whatever is in them. */
import { createHash, hash } from 'node:crypto';
import { appendFileSync, closeSync, openSync, writeSync } from 'node:fs';
import { canonicalJson } from '../../src/lib/log/canonical-json.ts';
import { createSealedZip } from '../../src/lib/zip/sealed-zip.ts';

const linesPerBlock = 1000;

/** Blocks of a member: of lines, or the whole of a text. */
function* blocksOf(lines: Iterable<string> | string): Generator<readonly [lines: readonly string[], content: Buffer]> {
  if (typeof lines === 'string') {
    yield [[], Buffer.from(lines)];
    return;
  }
  let block: string[] = [];
  for (const line of lines) {
    block.push(line);
    if (block.length === linesPerBlock) {
      yield [block, Buffer.from(`${block.join('\n')}\n`)];
      block = [];
    }
  }
  if (block.length > 0) {
    yield [block, Buffer.from(`${block.join('\n')}\n`)];
  }
}

/** Begins a bundle at a path. `hashes` and `files` are what the lists at its end have to hold. */
export function openBundle(path: string) {
  const file = openSync(path, 'w');
  const whole = createHash('sha256');
  const zip = createSealedZip(async (_, piece) => {
    whole.update(piece);
    for (let written = 0; written < piece.length; ) {
      written += writeSync(file, piece, written);
    }
  });
  const hashes: string[] = [];
  const files: { readonly path: string; readonly bytes: number; readonly blocks: number; readonly root: string }[] = [];
  return {
    hashes,
    files,
    async write(name: string, lines: Iterable<string> | string): Promise<void> {
      await zip.open(name);
      const root = createHash('sha256');
      let [block, bytes] = [0, 0];
      for (const [own, content] of blocksOf(lines)) {
        const packed = await zip.add(content);
        const sha256 = hash('sha256', content, 'hex');
        const marks = Buffer.concat(own.map((line) => hash('sha256', line, 'buffer').subarray(0, 2))).toString('base64');
        const [size, packedSha256] = [content.length, hash('sha256', packed, 'hex')];
        hashes.push(
          `${canonicalJson({ path: name, block, lines: own.length, bytes: size, sha256, packed: packed.length, packedSha256, marks })}\n`,
        );
        root.update(Buffer.from(sha256, 'hex'));
        block += 1;
        bytes += size;
      }
      await zip.close();
      files.push({ path: name, bytes, blocks: block, root: root.digest('hex') });
    },
    async store(name: string, content: string): Promise<void> {
      await zip.open(name, true);
      await zip.add(Buffer.from(content));
      await zip.close();
    },
    async finish(): Promise<void> {
      await zip.finish();
      closeSync(file);
      appendFileSync(path, `sha256:${whole.digest('hex')}`);
    },
  };
}
