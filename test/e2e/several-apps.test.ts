/** `countersign import grants` with a file of several apps: each is imported by itself, and one that is refused holds up none of the others. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ColumnMappingService } from '../../src/gen/countersign/v1/mapping_pb.js';
import { type CommandResult, environmentFor, runInProcess } from '../support/command-line.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

/** As an identity governance product of a German company writes it. */
const header = 'Benutzer;Anwendung;Berechtigung;Letzte Anmeldung';
const export1 = [
  ...['Müller;CRM;Verkäufer;17.08.2026 09:30', 'Jäger;CRM;Leser;', 'Groß;CRM;Leser;', 'Voß;CRM;Leser;'],
  ...['Müller;Lager;Prüfer;01.02.2026', 'Jäger;Lager;"Prüfer; Vertretung";'],
  ...['Müller;Größenwahn;Admin;', 'Groß;Größenwahn;Leser;'],
];
const toBytes = (rows: readonly string[]): Buffer => Buffer.from(`${[header, ...rows].join('\r\n')}\r\n`, 'latin1');

describe('import grants of several apps', () => {
  let server: TestServer;
  let env: Record<string, string>;
  const temporary = mkdtempSync(join(tmpdir(), 'several-apps-'));
  const usual = process.env['TMPDIR'];
  const send = (file: string | Buffer, ...args: string[]): Promise<CommandResult> =>
    runInProcess(['import', 'grants', '-', ...args], { env, stdin: file });
  const list = async <T>(...args: string[]): Promise<T[]> => JSON.parse((await runInProcess([...args, '--json'], { env })).stdout) as T[];
  const grantsOf = async (app: string): Promise<number> => (await list('grant', 'list', '--app', app)).length;

  beforeAll(async () => {
    process.env['TMPDIR'] = temporary;
    mkdirSync(temporary, { recursive: true });
    server = await useTestServer();
    env = environmentFor(server.url, server.admin.credential);
  });
  afterAll(async () => {
    await server.stop();
    if (usual === undefined) {
      delete process.env['TMPDIR'];
    } else {
      process.env['TMPDIR'] = usual;
    }
    rmSync(temporary, { recursive: true });
  });

  it('imports an export as it is: each app with its own rows, the encoding and the separator found', async () => {
    const { code, stdout, stderr } = await send(toBytes(export1));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'The column "Anwendung" names 3 apps; each is imported by itself.',
        'Read as windows-1252, separated by semicolon, header on line 1.',
        '"CRM": 4 rows of grants: 4 added, 0 changed, 0 removed, 0 unchanged',
        '"Lager": 2 rows of grants: 2 added, 0 changed, 0 removed, 0 unchanged',
        '"Größenwahn": 2 rows of grants: 2 added, 0 changed, 0 removed, 0 unchanged',
        '  Made the new app "Größenwahn"',
        'Apps that this file does not name keep what they have.',
      ]),
    );
    const grants = await list<{ account: { externalId?: string } }>('grant', 'list', '--app', 'Lager');
    expect(JSON.stringify(grants)).toContain('Prüfer; Vertretung');
    expect(readdirSync(temporary).filter((name) => name.startsWith('countersign-'))).toEqual([]);
  });

  it('changes only the app that has changed, in a file with its rows in another order', async () => {
    const { code, stdout } = await send(
      toBytes([...export1].reverse().map((row) => row.replace('Jäger;CRM;Leser', 'Jäger;CRM;Admin'))),
      '--allow-removals',
    );
    expect(code).toBe(0);
    const counts = stdout.split('\n').filter((line) => line.includes('rows of grants'));
    expect(counts).toEqual([
      '"Größenwahn": 2 rows of grants: 0 added, 0 changed, 0 removed, 2 unchanged',
      '"Lager": 2 rows of grants: 0 added, 0 changed, 0 removed, 2 unchanged',
      '"CRM": 4 rows of grants: 1 added, 0 changed, 1 removed, 3 unchanged',
    ]);
  });

  it('refuses one app by its guard and imports the others; those it does not name keep what they have', async () => {
    const next = [
      'Müller;CRM;Verkäufer;17.08.2026 09:30',
      'Müller;Lager;Prüfer;01.02.2026',
      'Jäger;Lager;"Prüfer; Vertretung";',
      'Voß;Lager;Leser;',
      'Voß;Neuland;Leser;',
    ];
    const refused = await send(toBytes(next));
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('"CRM" was refused: Nothing was imported: the file would end 3 of the 4 grants of the app "CRM"');
    expect(refused.stderr).toContain('repeat it with --allow-removals');
    expect(refused.stderr).toContain('countersign: 2 of 3 apps imported; 1 app refused, which keeps what was there before: "CRM".');
    expect(refused.stdout).toContain('"Lager": 3 rows of grants: 1 added');
    // With every account's access to the app itself.
    expect(await Promise.all(['CRM', 'Lager', 'Neuland', 'Größenwahn'].map(grantsOf))).toEqual([8, 6, 2, 4]);

    const asJson = await send(toBytes(next), '--json');
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      appColumn: 'Anwendung',
      imports: [{ source: 'Lager', unchanged: '3' }, { source: 'Neuland' }],
      refused: [{ app: 'CRM', code: 'FAILED_PRECONDITION', violations: [{ field: 'allowRemovals' }] }],
    });
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: 'FAILED' } });
  });

  it('says what is wrong with an app by the lines of the whole file', async () => {
    const rows = ['User,Application,Entitlement,Account Status,Last Login'];
    rows.push(
      'ann,Books,Reader,Active,2026-01-31',
      'bob,Pens,Writer,Active,',
      'tom,Books,"Reader\nof all",Active,',
      `eve,Pens,${'x'.repeat(1100)},Active,`,
      'tim,Ink,Buyer,Active,',
    );
    const { code, stdout, stderr } = await send(rows.join('\n'));
    expect(code).toBe(1);
    expect(stderr).toContain(
      '"Pens" was refused: Nothing was imported: the file has 1 row error.\n  line 6, entitlement: is longer than 1024 bytes',
    );
    expect(stderr).toContain('2 of 3 apps imported; 1 app refused');
    expect(stdout).toMatch(/"Ink": 1 rows of grants: 1 added/);
    expect((await list('app', 'list')).some((app) => (app as { displayName?: string }).displayName === 'Pens')).toBe(false);
  });

  it('says that a new app has nearly the name of one that is there', async () => {
    const { stdout } = await send('User,Application,Entitlement\nann,Books,Reader\nann,Bookz,Reader\n', '--source', 'near');
    expect(stdout).toContain('Made the new app "Bookz"; did you mean "Books"?');
  });

  it('keeps what it guessed for each app, so that the next file is read in the same way', async () => {
    const sources = await list<{ id: string; displayName: string }>('source', 'list');
    const mappings = await Promise.all(
      sources
        .filter((one) => one.displayName === 'files')
        .map(async ({ id }) => server.admin.client.call(ColumnMappingService.method.get, { connectorId: id })),
    );
    expect(JSON.stringify(mappings)).toContain('"account":"Benutzer"');
    expect(JSON.stringify(mappings)).not.toContain('encoding');
  });

  it('with --app takes the column for the resource, and says which option would not', async () => {
    const file = 'User,Application,Entitlement\nann,Books,Reader\nann,Pens,Writer\n';
    const { code, stdout } = await send(file, '--app', 'Hub');
    expect(code).toBe(0);
    expect(stdout).toContain(
      'The column "Application" is the resource within "Hub". If it names apps, import each by itself: --app-column "Application" instead of --app.',
    );
    expect(
      (await send(file, '--app', 'Hub', '--map', 'resource=Application', '--map', 'account=User', '--map', 'entitlement=Entitlement'))
        .stdout,
    ).not.toContain('--app-column');
    expect((await send(file, '--show-mapping')).stdout).toContain(
      'The column "Application" names the apps: an import takes each by itself.',
    );
  });

  it('imports nothing where the column is not known or a row has no app', async () => {
    expect(await send('User,Tool,Role\nann,Saw,x\n')).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --app') });
    const { code, stderr } = await send('User,Tool,Role\nann,Saw,x\nbob,,x\n', '--app-column', 'Tool');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('line 3, Tool: must name the app of the row') });
    expect(await send('User,Tool,Role\nann,Saw,x\n', '--app-column', 'tool')).toMatchObject({ code: 0 });
    expect(existsSync(temporary) && readdirSync(temporary).filter((name) => name.startsWith('countersign-'))).toEqual([]);
  });

  it('reads a file on disk, and sends nothing where the server takes nothing of it', async () => {
    const path = join(temporary, 'export.csv');
    writeFileSync(path, toBytes(export1));
    const reader = await server.makePerson('reader@example.com', ['READ_ONLY_ADMINISTRATOR']);
    const { code, stdout, stderr } = await runInProcess(['import', 'grants', path], { env: environmentFor(server.url, reader.credential) });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('imports.write');
  });
});
