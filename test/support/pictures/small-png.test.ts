/** Pictures in 256 colours. */
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readPng, shrinkPng, writePng } from './small-png.ts';

/** A PNG of 2 by 2 pixels as a browser may write it: with a filter of its own in each line, and how opaque each pixel is. */
function filtered(): Buffer {
  const lines = Buffer.from(
    [
      // Each pixel by what stands left of it, then each by what stands above it.
      [1, 10, 20, 30, 255, 5, 5, 5, 0],
      [2, 1, 1, 1, 0, 1, 1, 1, 0],
    ].flat(),
  );
  return writePng({ width: 2, height: 2, kind: 6, data: deflateSync(lines) });
}

describe('a picture', () => {
  it('is read with its filters undone', () => {
    expect([...readPng(filtered()).rgb]).toEqual([10, 20, 30, 15, 25, 35, 11, 21, 31, 16, 26, 36]);
  });
  it('of few colours stays as it is', () => {
    const small = shrinkPng(filtered());
    expect(small.toString('latin1')).toContain('PLTE');
    expect(readPng(small)).toEqual(readPng(filtered()));
  });
  it('of many colours keeps each close to what it was', () => {
    const side = 40;
    const lines = Array.from({ length: side }, (_, y) => [0, ...Array.from({ length: side }, (_x, x) => [x * 6, y * 6, 128]).flat()]);
    const png = writePng({ width: side, height: side, kind: 2, data: deflateSync(Buffer.from(lines.flat())) });
    const [before, after] = [readPng(png).rgb, readPng(shrinkPng(png)).rgb];
    expect(new Set(Array.from({ length: side * side }, (_, at) => after.readUIntBE(at * 3, 3))).size).toBeLessThanOrEqual(256);
    expect(Math.max(...before.map((value, at) => Math.abs(value - (after[at] ?? 0))))).toBeLessThan(32);
  });
  it('of another kind is refused', () => {
    expect(() => readPng(writePng({ width: 1, height: 1, kind: 0, data: deflateSync(Buffer.from([0, 7])) }))).toThrow(/not a PNG/);
  });
});
