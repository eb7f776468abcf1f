/** Splitting a file by its column of apps: every row is in the part of its app and as it was written, or nothing is. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rowsIn, SplitError, splitByApp } from './split-apps.ts';

const form = { encoding: 'UTF-8', separator: 'comma', headerLine: 1 };

async function split(text: string | Buffer, parts: Partial<typeof form> = {}, column = 'App'): Promise<Record<string, string>> {
  const found = await splitByApp(new Blob([typeof text === 'string' ? text : new Uint8Array(text)]), { ...form, ...parts }, column);
  return Object.fromEntries(await Promise.all(found.map(async ({ app, content }) => [app, await content.text()] as const)));
}

describe('splitting', () => {
  it('gives each app its rows under the same header, whatever the case of its name', async () => {
    expect(await split('App,Login\nCRM,ann\nWiki,bob\n crm ,cas\n')).toEqual({
      CRM: 'App,Login\nCRM,ann\n crm ,cas\n',
      Wiki: 'App,Login\nWiki,bob\n',
    });
  });
  it('leaves quoted fields as they are, with their separators, quotes and lines', async () => {
    const row = 'CRM,"a ""b"", c\nd"';
    expect(await split(`App,Login\r\n${row}\r\nWiki,x`)).toEqual({ CRM: `App,Login\n${row}\n`, Wiki: 'App,Login\nWiki,x\n' });
  });
  it('reads other separators and encodings, gzip, and a header below a title', async () => {
    expect(await split(Buffer.from('\ufeffApp;Login\nCRM;jörg', 'utf16le'), { encoding: 'UTF-16LE', separator: 'semicolon' })).toEqual({
      CRM: 'App;Login\nCRM;jörg\n',
    });
    expect(await split(gzipSync('Report of May\n\nLogin\tApp\nann\tCRM\n'), { separator: 'tab', headerLine: 3 }, 'app')).toEqual({
      CRM: 'Login\tApp\nann\tCRM\n',
    });
  });
  it('refuses all of it for a row without an app, or with other fields than the header', async () => {
    const lines = (error: unknown) => (error instanceof SplitError ? [error.kind, error.lines] : error);
    expect(await split('App,Login\nCRM,ann\n,bob\n"x\ny",a,b\n').catch(lines)).toEqual(['rows', [3, 4]]);
    expect(await split('Login\nann\n').catch(lines)).toEqual(['column', []]);
    const many = Array.from({ length: 1001 }, (_, index) => `app ${index},ann`).join('\n');
    expect(await split(`App,Login\n${many}`).catch(lines)).toEqual(['apps', []]);
  });
  it('counts lines as an editor does', () => {
    const rows = [...rowsIn('a,b\n\n"1\n2",3\n4,5', ',')];
    expect(rows.map(({ line, fields }) => [line, fields])).toEqual([
      [1, ['a', 'b']],
      [3, ['1\n2', '3']],
      [5, ['4', '5']],
    ]);
  });
});
