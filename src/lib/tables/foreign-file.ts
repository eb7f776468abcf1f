/** Files that hold no table we read, known by their first bytes whatever they are called, and what to do with each. */
import { findUtf16 } from './text-encoding.ts';

const asTable = 'save it as .xlsx or CSV';

/** Beginnings of texts, in lower case and without white space before them. The first that fits counts. */
const texts: readonly (readonly [begins: RegExp, said: string])[] = [
  [/^%pdf-/, `the file is a PDF; export the table as .xlsx or CSV where it comes from`],
  [
    /^(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)*<(?:!doctype html|html|head|body|meta|style|table|div)[\s>:]/,
    `the file is a web page (HTML), as some programs write under the name .xls; open it in a spreadsheet and ${asTable}`,
  ],
  [/^mime-version:/, `the file is a web page (HTML) in a single file (.mht); open it in a spreadsheet and ${asTable}`],
  [
    /^<\?xml[\s\S]*(?:excel\.sheet|office:spreadsheet)/,
    `the file is an XML spreadsheet of Excel 2003; open it in a spreadsheet and ${asTable}`,
  ],
  [/^<\?xml\s/, `the file is XML; ${asTable}`],
  [
    /^\{\s*"(?:url|doc_id|email|resource_key|warning|)"\s*:.*google/s,
    'the file is a link to a Google document (.gsheet), not the table; download it as .xlsx or CSV',
  ],
  [/^(?:\[\s*)?\{\s*"/, `the file is JSON; ${asTable}`],
  [/^\[internetshortcut\]/, 'the file is a link (.url), not the table; download what it leads to'],
  [/^\{\\rtf/, `the file is a text document (RTF); ${asTable}`],
];

/** Beginnings of files that are no text. */
const binaries: readonly (readonly [begins: string, said: string])[] = [
  ['d0cf11e0a1b11ae1', 'the file is an old Excel file (.xls), or has a password; save it as .xlsx without a password, or as CSV'],
  ['89504e470d0a1a0a', 'the file is no table but a picture; export the table as .xlsx or CSV'],
  ['ffd8ff', 'the file is no table but a picture; export the table as .xlsx or CSV'],
  ['47494638', 'the file is no table but a picture; export the table as .xlsx or CSV'],
  ['4c0000000114020000000000c0', 'the file is a shortcut (.lnk), not the table; choose the file that it leads to'],
  ['377abcaf271c', 'the file is no table but a 7-Zip archive; unpack it first'],
  ['526172211a07', 'the file is no table but a RAR archive; unpack it first'],
];

/** The name of the first file in a zip archive that Apple's Numbers wrote. */
const ofNumbers = /^(?:Index\/|Data\/|Metadata\/|preview)/;

const openDocument = 'mimetypeapplication/vnd.oasis.opendocument';

/** Says what a file is that begins like this, and what to do; undefined for a text and for Excel files. */
export function sayForeign(head: Buffer): string | undefined {
  const found = binaries.find(([begins]) => head.subarray(0, begins.length / 2).toString('hex') === begins);
  if (found !== undefined) {
    return found[1];
  }
  if (head.subarray(30, 30 + openDocument.length).toString('latin1') === openDocument) {
    return `the file is an OpenDocument file (.ods); ${asTable}`;
  }
  if (head.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004' && ofNumbers.test(head.subarray(30, 60).toString('latin1'))) {
    return 'the file is of Apple Numbers (.numbers); export it as .xlsx or CSV';
  }
  const utf16 = findUtf16(head);
  const text = (utf16 === undefined ? head.toString('utf8') : new TextDecoder(utf16.toLowerCase()).decode(head))
    .replace(/^[\ufeff\s]+/, '')
    .toLowerCase();
  return texts.find(([begins]) => begins.test(text))?.[1];
}
