/** Zip files past 4 GB, as Python's reader sees them: the sizes that do not fit their place are where ZIP64 says. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, writeSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createZipWriter, emptyZip, type ZipState } from './zip-writer.ts';

const list = `
import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
json.dump([[i.filename, i.file_size, i.compress_size, i.header_offset] for i in z.infolist()] + [z.read('last').decode()], sys.stdout)
`;

describe('a zip', () => {
  it('of more than 4 GB is read by Python, with what stands behind it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zip-'));
    const path = join(folder, 'large.zip');
    const file = openSync(path, 'w');
    try {
      const pieces = new Map<number, Buffer>();
      const sink = async (number: number, content: Buffer): Promise<void> => void pieces.set(number, content);
      const first = createZipWriter(sink);
      first.open('first');
      await first.add(Buffer.from('content'));
      // As if 5 GB had been packed; the file has a hole where they would be.
      const hole = 5 * 1024 ** 3;
      const state = first.state() as ZipState & { open: NonNullable<ZipState['open']> };
      const writer = createZipWriter(sink, {
        ...state,
        open: { ...state.open, bytes: state.open.bytes + 2 * hole, packed: state.open.packed + hole },
      });
      await writer.close();
      writer.open('last');
      await writer.add(Buffer.from('the last one'));
      await writer.close();
      await writer.finish();
      let at = 0;
      for (const number of [...pieces.keys()].sort((a, b) => a - b)) {
        const content = pieces.get(number) as Buffer;
        writeSync(file, content, 0, content.length, at);
        at += content.length + (number === 1 ? hole : 0);
      }
      const [large, last, content] = JSON.parse(execFileSync('python3', ['-c', list, path], { encoding: 'utf8' })) as [
        number[],
        number[],
        string,
      ];
      expect(large.slice(0, 2)).toEqual(['first', 2 * hole + 7]);
      expect(large[2]).toBeGreaterThan(hole);
      expect(last[3]).toBeGreaterThan(hole);
      expect(content).toBe('the last one');
    } finally {
      closeSync(file);
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses a second open file, and content without one', async () => {
    const writer = createZipWriter(async () => undefined, emptyZip);
    await expect(writer.add(Buffer.alloc(1))).rejects.toThrow('no file of the zip is open');
    writer.open('one');
    expect(() => writer.open('two')).toThrow('one is still open');
  });
});
