/** Reads the texts of a PDF file that we wrote, page by page, without the library that wrote it. */
import { inflateSync } from 'node:zlib';

/** A page: its texts in the order in which they were drawn. */
export type PdfPage = readonly string[];

interface PdfObject {
  readonly head: string;
  readonly stream: string;
}

/** The pages of a file. */
export function readPdf(file: Buffer): PdfPage[] {
  const objects = readObjects(file);
  const fonts = new Map<string, ReadonlyMap<string, string>>();
  const pages: PdfObject[] = [];
  for (const { head } of objects.values()) {
    for (const [, name = '', id = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const cmap = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.head ?? '')?.[1] ?? '';
      fonts.set(name, readCmap(objects.get(cmap)?.stream ?? ''));
    }
  }
  const kids = [...objects.values()].find(({ head }) => /\/Type \/Pages\b/.test(head))?.head ?? '';
  for (const [, id = ''] of (/\/Kids \[([^\]]*)\]/.exec(kids)?.[1] ?? '').matchAll(/(\d+) 0 R/g)) {
    const content = /\/Contents (\d+) 0 R/.exec(objects.get(id)?.head ?? '')?.[1] ?? '';
    pages.push(objects.get(content) ?? { head: '', stream: '' });
  }
  return pages.map(({ stream }) => readTexts(stream, fonts));
}

function readObjects(file: Buffer): Map<string, PdfObject> {
  const text = file.toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const found of text.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) {
    const begin = found.index + found[0].length;
    const rest = text.slice(begin, text.indexOf('endobj', begin));
    const at = rest.indexOf('stream\n');
    const head = at === -1 ? rest : rest.slice(0, at);
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
    const isPacked = head.includes('/FlateDecode') && !head.includes('/Length1') && !head.includes('CIDFontType0C');
    const raw = file.subarray(begin + at + 'stream\n'.length, begin + at + 'stream\n'.length + length);
    objects.set(found[1] ?? '', { head, stream: at === -1 ? '' : (isPacked ? inflateSync(raw) : raw).toString('latin1') });
  }
  return objects;
}

/** Glyphs, in hex, and the texts that they show. */
function readCmap(cmap: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [, first = '', list = ''] of cmap.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g)) {
    for (const [index, [, units = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      const glyph = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0');
      const codes = units.replaceAll(' ', '').match(/.{4}/g) ?? [];
      texts.set(glyph, String.fromCharCode(...codes.map((code) => Number.parseInt(code, 16))));
    }
  }
  return texts;
}

function readTexts(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const texts: string[] = [];
  let font: ReadonlyMap<string, string> = new Map();
  for (const [, name, shown = ''] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (name !== undefined) {
      font = fonts.get(name) ?? new Map();
      continue;
    }
    const glyphs = [...shown.matchAll(/<([0-9a-f]*)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
    texts.push(glyphs.map((glyph) => font.get(glyph) ?? '\ufffd').join(''));
  }
  return texts;
}
