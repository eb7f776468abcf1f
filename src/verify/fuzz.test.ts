/** One byte of the sample changed at random, many times: it is always found, and the file that holds it named. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { takeApart } from '../../test/support/bundle.ts';
import { createRandom } from '../../test/support/random.ts';
import { tries } from '../../test/support/runs.ts';
import { seedOfRun } from '../../test/support/seed.ts';
import { UnreadableError, verifyBundle } from './index.ts';

const sample = readFileSync(join(import.meta.dirname, '../../test/vectors/evidence/sample.evidence.zip'));
const files = takeApart(sample);
const folder = mkdtempSync(join(tmpdir(), 'bundle-fuzz-'));
const path = join(folder, 'changed.zip');

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Bytes that are changed. COUNTERSIGN_FUZZ_RUNS asks for more: 10,000 take three minutes. */
const count = Number(process.env['COUNTERSIGN_FUZZ_RUNS'] ?? tries(120, 2_500));

/** The file that a byte belongs to: to its content, its headers or its entry in the directory. */
function ownerOf(offset: number): string {
  let entry = files.at(-1)!.end;
  for (const { name, start, end } of files) {
    const length = 74 + Buffer.byteLength(name);
    if ((offset >= start && offset < end) || (offset >= entry && offset < entry + length)) {
      return name;
    }
    entry += length;
  }
  return 'the container';
}

/** Names of all that does not hold of the sample with one byte changed, and the sentence where it cannot be read at all. */
async function namedWith(offset: number, byte: number): Promise<string[]> {
  const changed = Buffer.from(sample);
  changed[offset] = byte;
  writeFileSync(path, changed);
  try {
    return (await verifyBundle(path)).findings.map(({ file }) => file);
  } catch (error) {
    if (error instanceof UnreadableError) {
      return [error.message];
    }
    throw error;
  }
}

it('finds each changed byte and names its file', { timeout: 3_600_000 }, async () => {
  const random = createRandom(seedOfRun);
  const draw = (count: number): number => Math.floor(random() * count);
  const missed: string[] = [];
  for (let run = 0; run < count; run++) {
    const offset = draw(sample.length);
    const byte = sample[offset]! ^ (1 + draw(255));
    const owner = ownerOf(offset);
    const named = await namedWith(offset, byte);
    if (!named.some((name) => name === owner || name.includes(owner))) {
      missed.push(`byte ${offset} of ${owner}: ${named.join('; ') || 'nothing'}`);
    }
  }
  expect(missed).toEqual([]);
});
