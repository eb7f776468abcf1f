/**
 * A picture of the screen as a PNG of at most 256 colours: a third of the size, and to the eye the same. Reads what Chromium writes: 8 bits a
 * channel, not interlaced.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Width, height and the bytes of red, green and blue of each pixel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Buffer;
}

/** The pixels of a PNG of a browser or of ours; throws for others. */
export function readPng(png: Buffer): Pixels {
  let [width, height, channels] = [0, 0, 0];
  let palette: Buffer | undefined;
  const parts: Buffer[] = [];
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const kind = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
      channels = { 2: 3, 3: 1, 6: 4 }[data[9] ?? 0] ?? 0;
      if (data[8] !== 8 || channels === 0 || data[12] !== 0) {
        throw new Error('not a PNG of 8 bits a channel');
      }
    } else if (kind === 'PLTE') {
      palette = data;
    } else if (kind === 'IDAT') {
      parts.push(data);
    }
    at += length + 12;
  }
  const lines = unfilter(inflateSync(Buffer.concat(parts)), width, height, channels);
  const colours = palette;
  const rgb =
    colours === undefined ? opaque(lines, channels) : Buffer.concat([...lines].map((index) => colours.subarray(index * 3, index * 3 + 3)));
  return { width, height, rgb };
}

/** Pixels without what says how opaque they are. */
function opaque(lines: Buffer, channels: number): Buffer {
  const rgb = Buffer.alloc((lines.length / channels) * 3);
  for (let pixel = 0; pixel * channels < lines.length; pixel++) {
    lines.copy(rgb, pixel * 3, pixel * channels, pixel * channels + 3);
  }
  return rgb;
}

/** Undoes the filters of the lines (RFC 2083, 6). */
function unfilter(raw: Buffer, width: number, height: number, channels: number): Buffer {
  const size = width * channels;
  const lines = Buffer.alloc(size * height);
  let above = Buffer.alloc(size);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (size + 1)] ?? 0;
    const line = Buffer.from(raw.subarray(y * (size + 1) + 1, (y + 1) * (size + 1)));
    for (let x = 0; x < size; x++) {
      const [left, up, corner] = x < channels ? [0, above[x] ?? 0, 0] : [line[x - channels] ?? 0, above[x] ?? 0, above[x - channels] ?? 0];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      line[x] = ((line[x] ?? 0) + guess) & 255;
    }
    line.copy(lines, y * size);
    above = line;
  }
  return lines;
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The colours of a picture by how often they come, the most frequent first. */
function countColours(rgb: Buffer): number[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < rgb.length; at += 3) {
    const colour = rgb.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour);
}

const distance = (one: number, other: number): number =>
  ((one >> 16) - (other >> 16)) ** 2 + (((one >> 8) & 255) - ((other >> 8) & 255)) ** 2 + ((one & 255) - (other & 255)) ** 2;

function nearest(colour: number, palette: readonly number[]): number {
  return palette.reduce((best, one, index) => (distance(one, colour) < distance(palette[best] ?? 0, colour) ? index : best), 0);
}

/** At most 256 colours that stand for all: the frequent ones that are far enough from each other, then the most frequent of the rest. */
function choosePalette(colours: readonly number[]): number[] {
  for (let gap = 0; ; gap += 12) {
    const chosen: number[] = [];
    for (const colour of colours) {
      if (chosen.every((one) => distance(one, colour) > gap)) {
        chosen.push(colour);
      }
    }
    if (chosen.length <= 256) {
      return chosen;
    }
  }
}

function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG of 8 bits a channel: of a kind by its number in the format, with the deflated lines, and its colours where it has some. */
export function writePng({
  width,
  height,
  kind,
  data,
  palette,
}: {
  width: number;
  height: number;
  kind: number;
  data: Buffer;
  palette?: Buffer;
}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, kind, 0, 0, 0], 8);
  const colours = palette === undefined ? [] : [chunk('PLTE', palette)];
  return Buffer.concat([signature, chunk('IHDR', header), ...colours, chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** The same picture in at most 256 colours. */
export function shrinkPng(png: Buffer): Buffer {
  const { width, height, rgb } = readPng(png);
  const colours = countColours(rgb);
  const chosen = choosePalette(colours);
  const indexOf = new Map(colours.map((colour) => [colour, nearest(colour, chosen)]));
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      lines[y * (width + 1) + 1 + x] = indexOf.get(rgb.readUIntBE((y * width + x) * 3, 3)) ?? 0;
    }
  }
  const palette = Buffer.from(chosen.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return writePng({ width, height, kind: 3, data: deflateSync(lines, { level: 9, memLevel: 9 }), palette });
}
