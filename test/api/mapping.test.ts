/** Files with other headers than ours, and Excel files, over HTTP and on the command line: looked at, mapped, imported. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { grantsHeader, peopleHeader } from '../support/inventory.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';
import { sheetOf, writeXlsx } from '../support/xlsx.ts';

const guess = {
  account: 'Login',
  account_status: '=ENABLED',
  account_type: '=USER',
  email: 'E-Mail',
  entitlement: 'Role',
  resource: 'System',
  resource_type: '=resource',
};
const foreign = 'Login,E-Mail,Role,System,Cost Centre\nada,ada@x.example,admin,CRM,77\nbob,,reader,CRM,\n';

describe('files with other headers', () => {
  let server: TestServer;
  let other: ServedTenant;
  let basic: TestPerson;
  let env: Record<string, string>;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const send = (path: string, file: string | Buffer): Promise<Answer> => sendFile(server, server.admin, `/api/v1/imports/${path}`, file);
  const inspect = async (query: string, file: string | Buffer): Promise<Loose> => {
    const { status, body } = await send(`columns?${query}`, file);
    expect([status, body.message]).toEqual([200, undefined]);
    return body;
  };
  const at = (id: string): string => `/api/v1/connectors/${id}/column_mapping`;
  const query = (map: Record<string, string>): string =>
    Object.entries(map)
      .map(([wanted, from]) => `&map=${encodeURIComponent(`${wanted}=${from}`)}`)
      .join('');
  const grantsOf = async (importId: string): Promise<Loose[]> => (await admin('GET', `/api/v1/imports/${importId}/grants`)).body.list;

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    basic = await server.makePerson('basic@x.example');
    env = environmentFor(server.url, server.admin.credential);
  });
  afterAll(() => server.stop());

  it('are read as their columns seem to be; the sync says so, and the source keeps it', async () => {
    const { body } = await send('grants?app=Guess', foreign);
    expect(body.import).toMatchObject({ rows: '2', added: '2' });
    const { reading, findings, connectorId } = body.import;
    expect(reading).toMatchObject({ encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: '', mapping: guess });
    expect(reading.guessed.sort()).toEqual(Object.keys(guess).sort());
    expect(reading.constants).toEqual({ account_status: 'ENABLED', account_type: 'USER', resource_type: 'resource' });
    expect(findings).toMatchObject({ isNewApp: true, similarApps: [], unownedAccounts: '2', ambiguousAccounts: '0', repeatedRows: '0' });
    expect((await admin('GET', at(connectorId))).body).toEqual({ columnMapping: guess });
    expect((await send('grants?app=Gues', foreign)).body.import.findings.similarApps).toEqual(['Guess']);
    const other = await send('grants?app=Guess', foreign.replace('Login', 'User'));
    expect(other.body.message).toContain('the mapping fills account from "Login", and the file has no such column');
  });

  it('are refused with a proposal where something that is needed was not found', async () => {
    const refused = await send('grants?app=Nothing', 'Login,E-Mail\nada,ada@x.example\n');
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain('the header lacks entitlement; found: Login, E-Mail');
    expect(refused.body.message).toContain(`to be checked and saved: {"account":"Login"`);
    expect(refused.body.message).toContain('(without a guess: entitlement)');
    expect((await admin('POST', '/api/v1/search/apps', { displayName: 'Nothing' })).body.list).toEqual([]);
  });

  it('have their names on the line that is said, in imports, dry runs, looks and files of several apps', async () => {
    const titled = 'Report,Role,Login,System\n,,,\nLogin,Role,E-Mail,System\nada,admin,ada@x.example,CRM\n';
    const asked = ['header_line=3', `map=${encodeURIComponent('header_line=3')}`];
    for (const said of asked) {
      const done = await send(`grants?app=Titled&dry_run=true&${said}`, titled);
      expect(done.body).toMatchObject({ import: { rows: '1', reading: { headerLine: '3', skippedCount: '2' } } });
      expect(await inspect(`kind=grants&app=Titled&${said}`, titled)).toMatchObject({
        isReady: true,
        rowsRead: '1',
        rows: [{ line: '4' }],
      });
      const split = await send(`grants?split_by_app=true&${said}`, titled);
      expect(split.body.apps).toMatchObject([{ app: 'CRM', import: { rows: '1', reading: { mapping: { account: 'Login' } } } }]);
    }
    const both = await send('grants?app=Titled&header_line=3&map=header_line%3D3', titled);
    expect([both.status, violatedFields(both)]).toEqual([400, ['headerLine']]);
    const wrong = await send('grants?app=Titled&header_line=1001', titled);
    expect([wrong.status, violatedFields(wrong)]).toEqual([400, ['headerLine']]);
    const first = await send('grants?app=Titled', 'Login,Role\nada,admin\n');
    await admin('PUT', at(first.body.import.connectorId), { columnMapping: { header_line: '03' } });
    expect((await admin('GET', at(first.body.import.connectorId))).body).toEqual({ columnMapping: { header_line: '3' } });
    expect((await send('grants?app=Titled&allow_removals=true', titled)).body.import).toMatchObject({
      rows: '1',
      reading: { headerLine: '3' },
    });
    const file = join(mkdtempSync(join(tmpdir(), 'header-')), 'titled.csv');
    writeFileSync(file, titled);
    const ran = await runInProcess(['import', 'grants', file, '--app', 'Titled too', '--header-line', '3'], { env });
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('header on line 3')]);
    rmSync(join(file, '..'), { recursive: true });
  });

  it('never make suspended accounts enabled unsaid', async () => {
    const statusOf = async (answer: Answer) =>
      (await grantsOf(answer.body.import.id)).map(({ account, accountStatus }) => `${account} ${accountStatus}`).sort();
    const flagged = 'Login,Role,suspended?\nada,admin,false\nbob,reader,TRUE\n';
    expect(await statusOf(await send('grants?app=Flagged', flagged))).toEqual(['ada ENABLED', 'bob DISABLED']);
    const asked = await send(`grants?app=FlaggedToo${query({ account: 'Login', entitlement: 'Role' })}`, flagged);
    expect(await statusOf(asked)).toEqual(['ada ENABLED', 'bob DISABLED']);
    expect(asked.body.import.reading).toMatchObject({ guessed: ['account_status'], mapping: { account_status: 'suspended?' } });
    expect(asked.body.import.reading.values).toContainEqual({ column: 'account_status', value: 'TRUE', meaning: 'DISABLED', count: '1' });
    const unknown = 'Login,Role,Status\nada,admin,Active\nbob,reader,Hibernating\n';
    expect((await send('grants?app=Unknown', unknown)).body.message).toContain('"Hibernating" in it has no known meaning');
    expect((await inspect('kind=grants', unknown)).doubts[0]).toContain('Hibernating');
    const mapped = await send(`grants?app=Unknown${query({ account: 'Login', entitlement: 'Role' })}`, unknown);
    expect(mapped.body.message).toContain('"Hibernating" in it has no known meaning');
    const given = await send(
      `grants?app=Unknown${query({ account: 'Login', entitlement: 'Role', account_status: 'Status', 'account_status:hibernating': 'disabled' })}`,
      unknown,
    );
    expect(await statusOf(given)).toEqual(['ada ENABLED', 'bob DISABLED']);
    // The first unknown value may come late.
    const late = `Login,Role,Status\n${Array.from({ length: 9000 }, (_, index) => `u${index},r,Active\n`).join('')}z,r,Hibernating\n`;
    expect(violatedFields(await send('grants?app=Late', late))).toEqual(['line 9002, account_status']);
    expect((await admin('POST', '/api/v1/search/apps', { displayName: 'Late' })).body.list).toEqual([]);
  });

  it('have their dates read in one order, which the whole file shows, or which is asked for', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => `u${index},r,03/04/2026\n`).join('');
    const header = 'Login,Role,Last login\n';
    const open = await send('grants?app=Dates', header + rows);
    expect(open.body.message).toContain('line 2: "03/04/2026" can be read with the day or with the month first');
    const shown = await send('grants?app=Dates', `${header}${rows}z,r,17/04/2026\n`);
    expect(shown.body.import.reading.dateOrder).toBe('DMY');
    expect((await grantsOf(shown.body.import.id))[0]).toMatchObject({ lastUsedAt: '2026-04-03T00:00:00Z' });
    // From now on the order is known, and a file that says otherwise is refused.
    expect((await send('grants?app=Dates', header + rows)).body.import).toMatchObject({ removed: '1', changed: '0' });
    expect(violatedFields(await send('grants?app=Dates', `${header}${rows}z,r,04/17/2026\n`))).toEqual(['line 3002, last_used_at']);
    const asked = await send('grants?app=DatesToo&map=dates%3DMDY', header + rows);
    expect((await grantsOf(asked.body.import.id))[0]).toMatchObject({ lastUsedAt: '2026-03-04T00:00:00Z' });
    const both = await send('grants?app=DatesBoth', `${header}a,r,17/04/2026\nb,r,04/17/2026\n`);
    expect(violatedFields(both)).toEqual(['line 3, last_used_at']);
  });

  it('are looked at: columns, guess with confidence, the first five rows as they would be read', async () => {
    const rows = Array.from({ length: 9 }, (_, index) => `u${index},u${index}@x.example,r,S,${index}`);
    const found = await inspect('kind=grants', `Login,E-Mail,Role,System,Cost Centre\nx,no address,r,S\n${rows.join('\n')}\n`);
    expect(found).toMatchObject({ format: 'CSV', sheets: [], isReady: true, missing: [], mapping: guess, used: guess, rowsRead: '10' });
    expect(found.columns).toEqual(['Login', 'E-Mail', 'Role', 'System', 'Cost Centre']);
    expect(found.suggestions).toContainEqual({ column: 'email', from: 'E-Mail', confidence: 100 });
    expect(found.suggestions).toContainEqual({ column: 'account', from: 'Login', confidence: 90 });
    expect(found.suggestions).toContainEqual({ column: 'resource', from: 'System', confidence: 60 });
    expect(found.rows.map(({ line }: Loose) => line)).toEqual(['2', '3', '4', '5', '6']);
    expect(found.rows[0].errors).toEqual(['has 4 fields where the header has 5']);
    expect(found.rows[1]).toMatchObject({
      values: { account: 'u0', email: 'u0@x.example', account_type: 'USER', resource: 'S', granted_at: '' },
      others: { 'Cost Centre': '0' },
      errors: [],
    });
  });

  it('are looked at as they are asked to be read, and what would be wrong with a row is said', async () => {
    const asked = await inspect(`kind=grants${query({ account: 'Login', email: 'Role', entitlement: 'Role', resource: '=CRM' })}`, foreign);
    expect(asked).toMatchObject({ isReady: true, reason: '', used: { email: 'Role', resource: '=CRM' } });
    expect(asked.rows[0].errors).toEqual(['email: "admin" is not a mail address']);
    const none = await inspect(`kind=grants${query({ account: 'Nope' })}`, foreign);
    expect(none).toMatchObject({ isReady: false, rows: [] });
    expect(none.reason).toContain('the mapping fills account from "Nope", and the file has no such column');
    expect(await inspect('kind=people', `${peopleHeader}\na@x.example,A,,,,\n`)).toMatchObject({ isReady: true, used: {}, missing: [] });
    expect(await inspect('kind=people', 'colour,size\nred,1\n')).toMatchObject({ missing: ['email'], rows: [], isReady: false });
    const counted = await inspect('kind=grants', 'Login,Role,Gesperrt\na,r,ja\nb,r,nein\nc,r,nein\n');
    expect(counted.reading.values).toEqual([
      { column: 'account_status', value: 'nein', meaning: 'ENABLED', count: '2' },
      { column: 'account_status', value: 'ja', meaning: 'DISABLED', count: '1' },
    ]);
  });

  it('are read no further than the rows that are counted', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`${foreign}${'c,c@x.example,r,S,\n'.repeat(60_000)}`));
      },
    });
    // The body never ends, and is answered all the same.
    const reply = await server.fetch('/api/v1/imports/columns?kind=grants', {
      method: 'POST',
      headers: { authorization: `Bearer ${await server.admin.client.token()}`, 'content-type': 'text/csv' },
      body,
      duplex: 'half',
    } as RequestInit);
    expect(reply.status).toBe(200);
    await reply.body?.cancel();
  });

  it('are imported with a mapping for one file, and read again where the same bytes are asked for otherwise', async () => {
    const first = await send(`grants?app=Asked${query(guess)}`, foreign);
    expect(first.body.message).toBeUndefined();
    expect(first.body.import).toMatchObject({ rows: '2', added: '2' });
    const { list } = (await admin('POST', '/api/v1/search/app_users', { appIds: [first.body.import.appId] })).body;
    const profiles = list.map(({ appUser }: Loose) => appUser.profile?.['Cost Centre']);
    expect(profiles.sort()).toEqual(['77', undefined]);
    const again = await send(`grants?app=Asked${query(guess)}`, foreign);
    expect(again.body.import).toMatchObject({ added: '0', changed: '0', removed: '0', unchanged: '2' });
    const otherwise = await send(`grants?app=Asked&allow_removals=true${query({ ...guess, resource: '=Other' })}`, foreign);
    expect(otherwise.body.import).toMatchObject({ added: '2', removed: '2' });
    // Nothing was saved.
    expect((await admin('GET', at(otherwise.body.import.connectorId))).body).toEqual({ columnMapping: {} });
  });

  it('are imported with the saved mapping of their source, which files with the right names do not need', async () => {
    const first = await send('grants?app=Saved', `${grantsHeader}\nada,,USER,ENABLED,resource,CRM,admin,,\n`);
    const id: string = first.body.import.connectorId;
    expect((await admin('GET', at(id))).body).toEqual({ columnMapping: {} });
    const mapping = { account: ' login ', email: 'E-Mail', resource: 'System', entitlement: 'Role', employee_id: 'cost centre' };
    const kept = { ...mapping, account: 'login' };
    expect((await admin('PUT', at(id), { columnMapping: mapping })).body).toEqual({ columnMapping: kept });
    expect((await admin('GET', at(id))).body).toEqual({ columnMapping: kept });
    const second = await send('grants?app=Saved', foreign);
    expect(second.body.import).toMatchObject({ added: '1', removed: '0', previousId: first.body.import.id });
    expect((await inspect(`kind=grants&connector_id=${id}`, foreign)).used).toEqual(kept);
    const third = await send('grants?app=Saved&allow_removals=true', `${grantsHeader}\nada,,USER,ENABLED,resource,CRM,admin,,\n`);
    expect(third.body.import).toMatchObject({ rows: '1', added: '0', removed: '1' });
    const lacking = await send('grants?app=Saved', 'Login,Role,System\na,b,c\n');
    expect(lacking.body.message).toContain('the mapping fills email from "E-Mail", and the file has no such column');
    expect((await admin('PUT', at(id), { columnMapping: {} })).body).toEqual({ columnMapping: {} });
  });

  it('keep each change of a mapping as an event, and none where nothing changed', async () => {
    const { body } = await send('people?source=hr', `${peopleHeader}\nhr@x.example,A,,,,\n`);
    const id: string = body.import.connectorId;
    for (const _ of [1, 2]) {
      await admin('PUT', at(id), { columnMapping: { email: 'Mail' } });
    }
    const events = await server.test.database
      .tenant(server.id)
      .rows<{ data: Loose }>(
        `SELECT data FROM events WHERE tenant_id = $1 AND kind = 'connector.column_mapping_changed' AND target_id = $2`,
        [server.id, id],
      );
    expect(events.map(({ data }) => data)).toEqual([{ appId: '', displayName: 'hr', from: {}, to: { email: 'Mail' } }]);
    const people = await send('people?source=hr', 'Mail\nhr@x.example\n');
    expect(people.body.import).toMatchObject({ rows: '1' });
  });

  it('refuse mappings that mean nothing, each by its field', async () => {
    const { body } = await send('people?source=wrong', `${peopleHeader}\nw@x.example,A,,,,\n`);
    const put = (columnMapping: unknown) => admin('PUT', at(body.import.connectorId), { columnMapping });
    const wrong = await put({ account: 'Login', email: ' ', username: 'x'.repeat(201), employee_id: 'ok' });
    expect(wrong.status).toBe(400);
    expect(violatedFields(wrong).sort()).toEqual(['columnMapping.account', 'columnMapping.email', 'columnMapping.username']);
    for (const map of ['nothing', '=x', 'colour=x', 'email=A&map=EMAIL=B']) {
      const refused = await send(`people?map=${map}`, `${peopleHeader}\nw@x.example,A,,,,\n`);
      expect([map, refused.status, violatedFields(refused)]).toEqual([map, 400, ['map']]);
    }
    expect(violatedFields(await send('columns?kind=things', foreign))).toEqual(['kind']);
    expect(violatedFields(await send(`columns?kind=grants&connector_id=${body.import.connectorId}`, foreign))).toEqual(['connectorId']);
    expect((await send('columns?kind=grants', '')).status).toBe(400);
  });

  it('are 404 for a source that is not there or of another tenant, 403 for those who may not', async () => {
    const { body } = await sendFile(other, other.admin, '/api/v1/imports/people', `${peopleHeader}\nw@x.example,A,,,,\n`);
    for (const id of ['none', body.import.connectorId]) {
      expect((await admin('GET', at(id))).status).toBe(404);
      expect((await admin('PUT', at(id), { columnMapping: {} })).status).toBe(404);
      expect((await send(`columns?kind=people&connector_id=${id}`, foreign)).status).toBe(404);
    }
    expect((await request(server, basic, 'PUT', at('none'), { columnMapping: {} })).status).toBe(403);
    expect((await sendFile(server, basic, '/api/v1/imports/columns?kind=people', foreign)).status).toBe(403);
  });

  describe('as Excel files', () => {
    const header = grantsHeader.split(',');
    const book = writeXlsx({
      formats: ['yyyy-mm-dd hh:mm'],
      sheets: [
        { name: 'Cover', rows: [['About']] },
        {
          name: 'Access',
          rows: [
            header,
            [{ shared: 'ada' }, '', 'USER', 'ENABLED', 'role', 'CRM', { shared: 'admin' }, { number: 45_322.375, style: 1 }],
            undefined,
            [{ number: 1001 }, '', 'USER', 'ENABLED', 'role', 'CRM', { formula: 'G2', text: 'reader' }],
          ],
        },
      ],
    });

    it('come out as the CSV of the same rows', async () => {
      const sheet = await send('grants?app=Excel&sheet=access', book);
      expect(sheet.body.import).toMatchObject({ rows: '2', added: '2', fileFormat: 'IMPORT_FILE_FORMAT_XLSX' });
      const csv = `${grantsHeader}\nada,,USER,ENABLED,role,CRM,admin,2024-01-31T09:00:00Z,\n1001,,USER,ENABLED,role,CRM,reader,,\n`;
      const text = await send('grants?app=Excel', csv);
      expect(text.body.import).toMatchObject({
        added: '0',
        changed: '0',
        removed: '0',
        unchanged: '2',
        fileFormat: 'IMPORT_FILE_FORMAT_CSV',
      });
      expect(await grantsOf(sheet.body.import.id)).toEqual(await grantsOf(text.body.import.id));
      const packed = await send('grants?app=Excel&sheet=Access', gzipSync(book));
      expect(packed.body.import).toMatchObject({ unchanged: '2', fileSha256: sheet.body.import.fileSha256 });
    });

    it('are read from their first sheet, and tell the sheets there are', async () => {
      expect((await send('grants?app=Excel', book)).body.message).toContain('the header lacks account');
      expect((await send('grants?app=Excel&sheet=None', book)).body.message).toContain('it has "Cover", "Access"');
      const found = await inspect('kind=grants&sheet=Access', book);
      expect(found).toMatchObject({ format: 'XLSX', sheets: ['Cover', 'Access'], isReady: true });
      expect(found.rows.map(({ line }: Loose) => line)).toEqual(['2', '4']);
      expect((await send('grants?app=Excel&sheet=None', foreign)).body.message).toContain('the file is not an Excel file');
    });

    it('tell errors by the rows of the sheet', async () => {
      const rows = [header, [], ['', '', 'USER', '', 'role', 'r', 'e'], ['b', { error: '#REF!' }, 'USER', '', 'role', 'r', 'e']];
      const wrong = await send('grants?app=Excel', sheetOf(rows));
      expect(wrong.status).toBe(400);
      expect(violatedFields(wrong)).toEqual(['line 3, account', 'line 4, email']);
    });

    it.each([
      ['an old Excel file', Buffer.from('d0cf11e0a1b11ae1000000', 'hex'), 'an old Excel file (.xls), or has a password'],
      ['a zip that is damaged', book.subarray(0, 300), 'damaged or cut off'],
      ['a sheet without rows', sheetOf([]), 'the file is empty'],
      ['a sheet with a header alone', sheetOf([header]), 'a header and no rows'],
    ])('refuse %s', async (_name, file, message) => {
      const refused = await send('grants?app=Excel', file);
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(message)]);
    });
  });

  describe('on the command line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mapping-test-'));
    const file = join(folder, 'export.csv');
    const sheet = join(folder, 'export.xlsx');
    beforeAll(() => {
      writeFileSync(file, foreign);
      writeFileSync(
        sheet,
        writeXlsx({
          sheets: [
            { name: 'One', rows: [['x']] },
            {
              name: 'Two',
              rows: foreign
                .trim()
                .split('\n')
                .map((line) => line.split(',')),
            },
          ],
        }),
      );
    });
    afterAll(() => rmSync(folder, { recursive: true }));
    const run = (...args: string[]) => runInProcess(['import', 'grants', ...args], { env });
    const mapped = Object.entries(guess).flatMap(([wanted, from]) => ['--map', `${wanted}=${from}`]);

    it('say what would do, show it, import it and keep it', async () => {
      const bare = join(folder, 'bare.csv');
      writeFileSync(bare, 'Login,E-Mail\nada,ada@x.example\n');
      const refused = await run(bare, '--app', 'Command');
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain('"account":"Login"');
      expect(refused.stderr).toContain('--show-mapping');
      const lacking = await run(bare, '--app', 'Command', '--show-mapping');
      expect(lacking.stdout).toContain('--map account=Login');
      expect(lacking.stdout).toContain('--map entitlement=COLUMN');
      const shown = await run(file, '--app', 'Command', '--show-mapping');
      expect(shown).toMatchObject({ code: 0, stderr: '' });
      expect(shown.stdout).toContain('Guessed, please check: account from "Login"');
      expect(shown.stdout).toContain('line 2: account="ada"');
      expect((await admin('POST', '/api/v1/search/apps', { displayName: 'Command' })).body.list).toEqual([]);
      expect((await run('--app', 'Command', '--save-mapping', ...mapped, file)).stdout).toContain('2 rows of grants: 2 added');
      expect((await run(file, '--app', 'Command')).stdout).toContain('2 unchanged');
      expect((await run(sheet, '--app', 'Command', '--sheet', 'two')).stdout).toContain('2 unchanged');
      expect((await run(sheet, '--app', 'Command', '--sheet', 'two', '--show-mapping', '--json')).stdout).toContain('"XLSX"');
      // What was saved holds from then on, and is shown as what holds; for another source or app it is not.
      const saved = await run(file, '--app', 'command', '--show-mapping');
      expect(saved.stdout).toContain('An import reads this file with: account=Login');
      expect(saved.stdout).toContain('line 2: account="ada"');
      for (const other of [
        ['--app', 'Command', '--source', 'another'],
        ['--app', 'Nowhere'],
        ['--app', 'Asked'],
      ]) {
        expect((await run(file, ...other, '--show-mapping')).stdout).toContain('Guessed, please check:');
      }
      expect((await run(file, '--app', 'Command', '--save-mapping')).stderr).toContain('pass at least one --map');
    });

    it('feed an app from several sources', async () => {
      expect((await run(file, '--app', 'Several', '--source', 'other', ...mapped)).stdout).toContain('2 added');
      expect(
        (await run(file, '--app', 'Several', '--source', 'second', ...mapped, '--map', 'resource==Second', '--json')).stderr,
      ).toContain('given twice');
    });
  });
});
