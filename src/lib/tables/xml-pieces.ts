/**
 * XML from a stream, piece by piece and in bounded memory, for the files inside an Excel file. Elements are known by their namespaces: those of other
 * formats, and what stands in extensions and alternatives for newer programs, are passed over. Which elements mean what is not here.
 */
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { XlsxError } from './xlsx-error.ts';

/** Hears of the elements of the format itself; names come without their prefix. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** More than this between two tags is nothing an import reads, and would have to be kept whole. */
const maxBetweenTags = 1024 * 1024;
/** Deeper nesting than any file of ours has; each level is kept. */
const maxDepth = 64;
/** The namespaces of what is read: sheets as ECMA-376 has them in its two editions, and relations. Files of small programs have none. */
const ownNamespaces: ReadonlySet<string> = new Set([
  '',
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
  'http://schemas.openxmlformats.org/package/2006/relationships',
]);
/** Elements that hold what newer programs add, in namespaces of theirs and in ours. */
const additions: ReadonlySet<string> = new Set(['extLst', 'AlternateContent']);

const byteOrderMark = 0xfeff;
const encodings: readonly string[] = ['utf-8', 'utf8', 'utf-16', 'utf-16le'];

/**
 * Reads a part of a file to its end, yielding after each piece, so that whoever listens can hand on what it heard. Throws an XlsxError for what is
 * not well-formed, has a document type, or is not UTF-8 or UTF-16.
 */
export async function* readXml(pieces: AsyncIterable<Buffer>, listener: XmlListener): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const names = createNames();
  let sinceTag = 0;
  let depth = 0;
  /** The depth of the element that is passed over; 0 for none. */
  let passedOver = 0;
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
    names.enter(attributes, depth);
    const local = passedOver > 0 ? undefined : names.ownName(name);
    if (local !== undefined && !additions.has(local)) {
      listener.open(local, attributes);
    } else if (passedOver === 0) {
      passedOver = depth;
    }
  });
  if (listener.text !== undefined) {
    const { text } = listener;
    const hear = (piece: string): void => {
      if (passedOver === 0) {
        text(piece);
      }
    };
    parser.on('text', hear);
    parser.on('cdata', hear);
  }
  parser.on('closetag', ({ name }) => {
    sinceTag = 0;
    if (passedOver === 0) {
      listener.close?.(names.ownName(name) ?? name);
    } else if (passedOver === depth) {
      passedOver = 0;
    }
    names.leave(depth);
    depth--;
  });
  let decoder: TextDecoder | undefined;
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true });
    sinceTag += piece.length;
    const text = decode(decoder, piece);
    names.see(text);
    parser.write(text);
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

interface Names {
  /** To be told of the text before its elements come. */
  see(text: string): void;
  /** An element begins or ends at this depth. */
  enter(attributes: Readonly<Record<string, string>>, depth: number): void;
  leave(depth: number): void;
  /** The name of an element of the format without its prefix; undefined for one of another namespace. */
  ownName(name: string): string | undefined;
}

/** Prefixes that are of other formats, and the depth from which on. One that is nowhere declared is taken for ours. */
interface Scope {
  readonly depth: number;
  readonly foreign: ReadonlySet<string>;
}

const declares = 'xmlns';

/**
 * Resolves prefixes. Declarations are looked for only where the text has the word, at the beginning of a part as a rule: a sheet has millions of
 * elements, and a parser that looks at the attributes of each takes twice as long.
 */
function createNames(): Names {
  const scopes: Scope[] = [];
  let foreign: ReadonlySet<string> = new Set();
  /** True if names without a prefix are. */
  let isForeign = false;
  let mayDeclare = false;
  let hadBefore = false;
  let hasElement = true;
  let end = '';
  return {
    see(text) {
      const has = text.includes(declares) || (end + text.slice(0, declares.length)).includes(declares);
      // A tag may have begun in the text before.
      mayDeclare = has || hadBefore || (mayDeclare && !hasElement);
      hadBefore = has;
      hasElement = false;
      end = text.slice(-declares.length);
    },
    enter(attributes, depth) {
      hasElement = true;
      if (!mayDeclare) {
        return;
      }
      let inside: Set<string> | undefined;
      for (const [name, uri] of Object.entries(attributes)) {
        if (name === declares || name.startsWith(`${declares}:`)) {
          inside ??= new Set(foreign);
          const prefix = name.slice(declares.length + 1);
          if (ownNamespaces.has(uri)) {
            inside.delete(prefix);
          } else {
            inside.add(prefix);
          }
        }
      }
      if (inside !== undefined) {
        foreign = inside;
        isForeign = foreign.has('');
        scopes.push({ depth, foreign });
      }
    },
    leave(depth) {
      if (scopes[scopes.length - 1]?.depth === depth) {
        scopes.pop();
        foreign = scopes[scopes.length - 1]?.foreign ?? new Set();
        isForeign = foreign.has('');
      }
    },
    ownName(name) {
      const colon = name.indexOf(':');
      if (colon < 0) {
        return isForeign ? undefined : name;
      }
      return foreign.has(name.slice(0, colon)) ? undefined : name.slice(colon + 1);
    },
  };
}
