/** Files that are none of ours: refused before the database is touched. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bodyOf, grantsHeader, peopleHeader, refusalOf } from '../../../../test/support/inventory.ts';
import { sheetOf, writeZip } from '../../../../test/support/xlsx.ts';
import { grantRows } from './grant-rows.ts';
import { peopleRows } from './people-rows.ts';
import { RefusedFile } from '../values/notes.ts';
import { type ReadFile, readFile } from './read-file.ts';

/** Reads the client's answer about a refused file. */
const told = (work: Promise<unknown>) =>
  refusalOf(
    work.catch((error: unknown) => {
      throw error instanceof RefusedFile ? error.refusal : error;
    }),
  );
const read = (text: string | Buffer, encoding = '') => readFile({ body: bodyOf(text), encoding }, peopleRows);
const row = 'a@x.example,A,,,,ACTIVE';

async function rowsOf({ spool }: ReadFile): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of spool.read()) {
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

async function copyText(text: string): Promise<string> {
  const file = await readFile({ body: bodyOf(`${grantsHeader},note\n${text}`), encoding: '' }, grantRows);
  const rows = await rowsOf(file);
  await file.spool.close();
  return rows;
}

describe('readFile', () => {
  it.each([
    ['an empty file', '', 'the file is empty'],
    ['a header without rows', `${peopleHeader}\n`, 'a header and no rows'],
    ['a header and blank lines', `${peopleHeader}\n\r\n\n`, 'a header and no rows'],
    ['another header', 'colour,size\na,b\n', 'the header lacks email; found: colour, size; wanted: email'],
    ['a column named twice', `${peopleHeader},EMAIL\n${row},x\n`, 'names "email" twice'],
    ['a column without a name', `${peopleHeader},\n${row},x\n`, 'a column without a name'],
    ['a tilde between columns', `${peopleHeader.replaceAll(',', '~')}\n`, 'found: email~display_name'],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from(`${peopleHeader}\n${row}\n`), Buffer.from([0xe4, 0x0a])]),
      'line 3: the text is not UTF-8',
    ],
    ['a row over 64 KiB', `${peopleHeader}\n${row}\nb@x.example,${'b'.repeat(65_536)},,,,\n`, 'line 3: the row is longer than 65536 bytes'],
    ['a gzip that expands too far', gzipSync(`${peopleHeader}\n${`${row}\n`.repeat(50_000)}`), 'expands to more than 100 times'],
    ['a web page that is called .xls', '\ufeff\n<html xmlns:x="urn:x"><body><table><tr><td>email</td></tr></table>', 'a web page (HTML)'],
    ['a table of a web page', '<table border="1"><tr><td>email</td></tr></table>', 'a web page (HTML)'],
    ['a web page in UTF-16', Buffer.from('\ufeff<!DOCTYPE html><html><body></body></html>', 'utf16le'), 'a web page (HTML)'],
    ['a web page in a mail', 'MIME-Version: 1.0\nContent-Type: multipart/related\n', 'a web page (HTML)'],
    [
      'a spreadsheet of Excel 2003 in XML',
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
      'an XML spreadsheet of Excel 2003',
    ],
    ['other XML', '<?xml version="1.0"?><people/>', 'the file is XML'],
    ['JSON', '[\n {"email": "a@x.example"}]', 'the file is JSON'],
    ['a PDF', '%PDF-1.7\n%\xe2\xe3', 'the file is a PDF'],
    [
      'an OpenDocument spreadsheet',
      Buffer.from(`PK\u0003\u0004${'\0'.repeat(26)}mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK`),
      'OpenDocument',
    ],
    [
      'a link to a Google sheet',
      '{"doc_id":"1x","email":"a@x.example","url":"https://docs.google.com/spreadsheets/d/1x"}',
      'a link to a Google document',
    ],
    ['a link of Windows', Buffer.from('4c0000000114020000000000c000000000000046', 'hex'), 'a shortcut (.lnk)'],
    ['a link to a page', '[InternetShortcut]\r\nURL=https://x.example/people.csv\r\n', 'a link (.url)'],
    ['a text document', '{\\rtf1\\ansi email}', 'a text document (RTF)'],
    ['a spreadsheet of Apple', Buffer.from(`PK\u0003\u0004${'\0'.repeat(26)}Index/Document.iwaPK`), 'Apple Numbers'],
    ['a picture of few colours', 'GIF89a', 'a picture'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'the file is no table'],
    ['a 7-Zip archive', Buffer.from('377abcaf271c0004f1a2', 'hex'), 'the file is no table'],
    ['a damaged gzip', gzipSync(`${peopleHeader}\n${row}\n`).subarray(0, 40), 'damaged'],
  ])('refuses %s', async (_name, text, message) => {
    const refused = await told(read(text));
    expect(refused.code).toBe('INVALID_ARGUMENT');
    expect(refused.message).toContain('Nothing was imported');
    expect(refused.message).toContain(message);
    expect(refused.violations).toHaveLength(1);
  });

  it.each([';', '\t', '|'])('reads columns with %j between them as those with commas', async (separator) => {
    const text = `${peopleHeader},note\n${row},"x;\ty"\n`;
    const [commas, others] = [await read(text), await read(text.replaceAll(',', separator))];
    expect(await rowsOf(others)).toBe(await rowsOf(commas));
    expect(others).toMatchObject({ format: 'CSV', rowCount: 1, hasProfiles: true });
    await Promise.all([commas.spool.close(), others.spool.close()]);
  });

  it('refuses an unknown encoding', async () => {
    expect((await told(read(row, 'br'))).code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it('finds columns in any order and case', async () => {
    const file = await read('Job_Title,EMAIL ,display_name,manager_email,department,employment_status\nClerk,a@x.example,A,,,\n');
    expect(file.errors.list().count).toBe(0);
    await file.spool.close();
  });

  it('writes what COPY reads', async () => {
    expect(await copyText('"a\tb","",,,t\\1,"r\n2",e,2024-02-29T00:00:00+02:00,2024-01-01 00:00:00.5z,"x""\\"\n')).toBe(
      '2\ta b\t\tUSER\tENABLED\tt\\\\1\tr 2\te\t2024-02-29T00:00:00+02:00\t2024-01-01 00:00:00.5z\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t{"note":"x\\\\"\\\\\\\\"}\t["a\\\\tb","t\\\\\\\\1","r\\\\n2","e"]\t\\N\n',
    );
  });

  it('writes the key of an address, and the address where its domain is spelled otherwise', async () => {
    const fieldsOf = async (email: string): Promise<(string | undefined)[]> => {
      const fields = (await copyText(`a,${email},,,t,r,e,,,\n`)).trimEnd().split('\t');
      return [fields[2], fields.at(-1)];
    };
    expect(await fieldsOf('Ann@Bücher.example')).toEqual(['ann@bücher.example', '\\N']);
    expect(await fieldsOf('Ann@XN--Bcher-KVA.example')).toEqual(['ann@bücher.example', 'ann@xn--bcher-kva.example']);
  });

  it('reads the optional columns of grants, and says what is wrong in them', async () => {
    const header = `${grantsHeader},granted_via,expires_at,display_name,employee_id,username`;
    const line = (tail: string) => `a,,,,t,r,e,,,${tail}\n`;
    const file = await readFile(
      {
        body: bodyOf(
          `${header}\n${line('g/A/m > t/B/e,2026-01-31T09:00:00Z, Ada L. ,0077,"a\\l"')}${line(',,,,')}${line(`x,soon,,,${'u'.repeat(1025)}`)}`,
        ),
        encoding: '',
      },
      grantRows,
    );
    const pieces: Buffer[] = [];
    for await (const piece of file.spool.read()) {
      pieces.push(piece);
    }
    const { count, first } = file.errors.list();
    await file.spool.close();
    const rows = Buffer.concat(pieces).toString().trimEnd().split('\n');
    expect(rows.map((row) => row.split('\t').slice(10))).toEqual([
      ['a\\\\l', '0077', 'Ada L.', '2026-01-31T09:00:00Z', 'g\u001fA\u001fm\u001et\u001fB\u001fe', '\\N', '\\N', '\\N', '\\N'],
      ['\\N', '\\N', '\\N', '\\N', '\\N', '\\N', '\\N', '\\N', '\\N'],
    ]);
    expect(count).toBe(3);
    expect(first.map(({ line: at, column }) => `${at} ${column}`)).toEqual(['4 expires_at', '4 granted_via', '4 username']);
  });

  it('leaves out a row below the header that names columns again, and shows it', async () => {
    const labels = 'EMAIL,Name,Manager_Email,Division,Title,State';
    const file = await read(`${peopleHeader}\n${labels}\n${row}\n`);
    expect([file.rowCount, await rowsOf(file), file.howRead.skipped]).toEqual([
      1,
      expect.stringMatching(/^3\ta@x\.example/),
      [{ line: 2, column: '', reason: labels.replaceAll(',', ' ') }],
    ]);
    await file.spool.close();
    // One name is no row of names.
    const other = await read(`${peopleHeader}\na@x.example,display_name,,,,ACTIVE\n`);
    expect([other.rowCount, other.howRead.skipped]).toEqual([1, []]);
    await other.spool.close();
  });

  it('reads the optional columns of people', async () => {
    const file = await read(`${peopleHeader},Username,Employee_ID,Hat\na@x.example,A,,,,,ada,0077,red\nb@x.example,,,,,,,,\n`);
    const pieces: Buffer[] = [];
    for await (const piece of file.spool.read()) {
      pieces.push(piece);
    }
    await file.spool.close();
    expect(Buffer.concat(pieces).toString()).toBe(
      '2\ta@x.example\ta@x.example\tA\t\t\t\tACTIVE\tada\t0077\t\\N\t{"Hat":"red"}\t\t\n3\tb@x.example\tb@x.example\tb@x.example\t\t\t\tACTIVE\t\t\t\\N\t{}\t\t\n',
    );
  });

  it('reads an Excel file as the CSV of the same rows, whatever is mapped', async () => {
    const rows = [
      ['Mail', 'Name', 'Hat'],
      ['a@x.example', 'A', 'red'],
      ['b@x.example', 'B\tC', ''],
    ];
    const text = async (bytes: string | Buffer) => {
      const file = await readFile({ body: bodyOf(bytes), encoding: '' }, peopleRows, {
        asked: { email: 'mail', display_name: 'NAME' },
        key: 'k',
      });
      const pieces: Buffer[] = [];
      for await (const piece of file.spool.read()) {
        pieces.push(piece);
      }
      await file.spool.close();
      return { rows: Buffer.concat(pieces).toString(), format: file.format, readAs: file.readAs, hasProfiles: file.hasProfiles };
    };
    const csv = await text(rows.map((row) => row.join(',')).join('\n'));
    expect(csv).toMatchObject({ format: 'CSV', readAs: 'k', hasProfiles: true });
    expect(await text(sheetOf(rows))).toEqual({ ...csv, format: 'XLSX' });
  });

  it.each([
    ['a zip that is no Excel file', writeZip([{ name: 'a', content: 'b' }]), 'a zip without an Excel workbook'],
    ['an Excel file without rows', sheetOf([]), 'the file is empty'],
    ['an Excel file with a value in a column without a name', sheetOf([['colour', '', 'x']]), 'the header lacks email'],
    [
      'a cell that cannot be read',
      sheetOf([[...peopleHeader.split(','), 'x'], [{ xml: '<c r="A2" t="s"><v>9</v></c>' }]]),
      'line 2: a cell refers to a text',
    ],
    ['an old Excel file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'an old Excel file'],
  ])('refuses %s', async (_name, bytes, message) => {
    const refused = await told(read(bytes));
    expect(refused.code).toBe('INVALID_ARGUMENT');
    expect(refused.message).toContain(message);
  });
});
