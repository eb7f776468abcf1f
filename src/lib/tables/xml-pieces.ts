/**
 * XML from a stream, piece by piece and in bounded memory, for the files inside an Excel file. Which elements mean what is not here.
 */
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { XlsxError } from './xlsx-error.ts';

/** Hears of the elements; names come without their prefix. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** More than this between two tags is nothing an import reads, and would have to be kept whole. */
const maxBetweenTags = 1024 * 1024;
/** Deeper nesting than any file of ours has; each level is kept. */
const maxDepth = 64;
const byteOrderMark = 0xfeff;
const encodings: readonly string[] = ['utf-8', 'utf8', 'utf-16', 'utf-16le'];

/**
 * Reads a part of a file to its end, yielding after each piece, so that whoever listens can hand on what it heard. Throws an XlsxError for what is
 * not well-formed, has a document type, or is not UTF-8 or UTF-16.
 */
export async function* readXml(pieces: AsyncIterable<Buffer>, listener: XmlListener): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let sinceTag = 0;
  let depth = 0;
  parser.on('error', (error) => {
    throw new XlsxError(`the file is damaged: ${error.message.slice(0, 200)}`);
  });
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (!encodings.includes(encoding.toLowerCase())) {
      throw new XlsxError(`the file is in the encoding ${JSON.stringify(encoding.slice(0, 40))}; only UTF-8 and UTF-16 are read`);
    }
  });
  parser.on('doctype', () => {
    throw new XlsxError('the file has a document type, which no Excel file has');
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0;
    depth++;
    if (depth > maxDepth) {
      throw new XlsxError(`the file nests elements more than ${maxDepth} deep`);
    }
    listener.open(localName(name), attributes);
  });
  if (listener.text !== undefined) {
    const { text } = listener;
    parser.on('text', text);
    parser.on('cdata', text);
  }
  parser.on('closetag', ({ name }) => {
    sinceTag = 0;
    depth--;
    listener.close?.(localName(name));
  });
  let decoder: TextDecoder | undefined;
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true });
    sinceTag += piece.length;
    parser.write(decode(decoder, piece));
    if (sinceTag > maxBetweenTags) {
      throw new XlsxError(`the file has more than ${maxBetweenTags} bytes in one place`);
    }
    yield;
  }
  parser.write(decoder === undefined ? '' : decode(decoder));
  parser.close();
  yield;
}

/** XML is UTF-8 unless it says otherwise by its first bytes. */
function encodingOf(piece: Buffer): string {
  return piece.length >= 2 && (piece.readUInt16LE(0) === byteOrderMark || (piece[0] === 0x3c && piece[1] === 0)) ? 'utf-16le' : 'utf-8';
}

/** The text of a piece, of what is left at the end where there is none. Nothing is replaced: other bytes would become other names. */
function decode(decoder: TextDecoder, piece?: Buffer): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined });
  } catch {
    throw new XlsxError('the file is not UTF-8 or UTF-16');
  }
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}
