/**
 * Splitting a CSV file by its column of apps, as the command line does: every row goes to the part of its app, under the same header. The file
 * is read as a whole before anything is sent, and a row that is wrong refuses all of it.
 */

/** How the server found the file to be written. */
export interface Form {
  readonly encoding: string;
  /** comma, tab, semicolon or bar. */
  readonly separator: string;
  readonly headerLine: number;
}

/** The rows of one app. */
export interface AppPart {
  readonly app: string;
  readonly rows: number;
  readonly content: Blob;
}

/** Why a file cannot be split: the first lines that are wrong, or too many apps. */
export class SplitError extends Error {
  override readonly name = 'SplitError';
  readonly kind: 'rows' | 'apps' | 'column';
  readonly lines: readonly number[];

  constructor(kind: SplitError['kind'], lines: readonly number[] = []) {
    super(`the file cannot be split: ${kind}`);
    this.kind = kind;
    this.lines = lines;
  }
}

/** A file names no more apps than this: more of them are no apps. */
const mostApps = 1000;
const mostLines = 20;

interface Row {
  readonly line: number;
  readonly fields: readonly string[];
  readonly text: string;
}

const separators: Readonly<Record<string, string>> = { comma: ',', tab: '\t', semicolon: ';', bar: '|' };

/** The rows of a CSV text, each with its line and as it was written. Empty lines are left out. */
export function* rowsIn(text: string, separator: string): Generator<Row> {
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const [begin, first] = [at, line];
    const fields: string[] = [];
    let field = '';
    let isQuoted = false;
    for (; at < text.length; at++) {
      const char = text[at] as string;
      if (isQuoted) {
        if (char === '"' && text[at + 1] === '"') {
          field += '"';
          at++;
        } else if (char === '"') {
          isQuoted = false;
        } else {
          field += char;
          line += char === '\n' ? 1 : 0;
        }
      } else if (char === '"' && field === '') {
        isQuoted = true;
      } else if (char === separator) {
        fields.push(field);
        field = '';
      } else if (char === '\n') {
        break;
      } else if (char !== '\r') {
        field += char;
      }
    }
    fields.push(field);
    const written = text.slice(begin, at).replace(/\r$/, '');
    at++;
    line++;
    if (fields.some((one) => one.trim() !== '')) {
      yield { line: first, fields, text: written };
    }
  }
}

/** The text of a file, unpacked where it is gzip. */
async function readText(file: Blob, encoding: string): Promise<string> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isGzip = first === 0x1f && second === 0x8b;
  const stream = isGzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  return new TextDecoder(encoding).decode(await new Response(stream).arrayBuffer());
}

/** The parts of a file, in the order in which it first names their apps. Throws SplitError. */
export async function splitByApp(file: Blob, form: Form, column: string): Promise<AppPart[]> {
  const text = await readText(file, form.encoding);
  let header: Row | undefined;
  let at = -1;
  const parts = new Map<string, { readonly app: string; readonly rows: string[] }>();
  const wrong: number[] = [];
  for (const row of rowsIn(text, separators[form.separator] ?? ',')) {
    if (row.line < form.headerLine) {
      continue;
    }
    if (header === undefined) {
      header = row;
      at = row.fields.findIndex((name) => name.trim().toLowerCase() === column.trim().toLowerCase());
      if (at < 0) {
        throw new SplitError('column');
      }
      continue;
    }
    const app = row.fields[at]?.trim() ?? '';
    if (app === '' || row.fields.length !== header.fields.length) {
      wrong.push(row.line);
      continue;
    }
    const key = app.toLowerCase();
    const part = parts.get(key) ?? { app, rows: [] };
    part.rows.push(row.text);
    parts.set(key, part);
  }
  if (wrong.length > 0) {
    throw new SplitError('rows', wrong.slice(0, mostLines));
  }
  if (parts.size > mostApps) {
    throw new SplitError('apps');
  }
  return [...parts.values()].map(({ app, rows }) => ({
    app,
    rows: rows.length,
    content: new Blob([[header?.text ?? '', ...rows, ''].join('\n')]),
  }));
}
