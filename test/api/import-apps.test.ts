/** A file of several apps over HTTP: each app by itself, with a sync and a guard of its own, or nothing where the file cannot be split. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

const header = 'User,Application,Entitlement';
const rows = [
  'ann,CRM,Reader',
  'ann,Store,Clerk',
  'bob,CRM,Seller',
  'bob,CRM\u00a0,Reader',
  'cas,Store,Clerk',
  'cas,CRM,Reader',
  'dan,CRM,Reader',
];
const fileOf = (lines: readonly string[], first = header): string => `${[first, ...lines].join('\n')}\n`;

describe('a file of several apps', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await useTestServer();
  });
  afterAll(() => server.stop());

  async function send(query: string, body: string, caller = server.admin): Promise<{ status: number; body: Loose }> {
    const answer = await server.fetch(`/api/v1/imports/grants?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await caller.client.token()}`, 'content-type': 'text/csv' },
      body,
    });
    return { status: answer.status, body: (await answer.json()) as Loose };
  }

  async function listSyncs(query: string): Promise<Loose[]> {
    const headers = { authorization: `Bearer ${await server.admin.client.token()}` };
    const answer = await server.fetch(`/api/v1/imports${query}`, { headers });
    return ((await answer.json()) as Loose).list;
  }

  const fieldsOf = (body: Loose): string[] => body.details[0].fieldViolations.map((one: Loose) => one.field);

  it('is imported app by app, in the order in which it names them', async () => {
    const { status, body } = await send('split_by_app=true', fileOf(rows));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      appColumn: 'Application',
      reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1' },
      apps: [
        { app: 'CRM', import: { source: 'CRM', rows: '5', added: '5', findings: { isNewApp: true } } },
        { app: 'Store', import: { source: 'Store', rows: '2', added: '2' } },
      ],
    });
    expect(body.import).toBeUndefined();
    const sha256 = createHash('sha256').update(fileOf(rows)).digest('hex');
    expect(body.apps.map((one: Loose) => one.import.fileSha256)).toEqual([sha256, sha256]);
    const again = await send('splitByApp=true&appColumn=application', fileOf(rows));
    expect(again.body.apps.map((one: Loose) => [one.import.unchanged, one.import.added])).toEqual([
      ['5', '0'],
      ['2', '0'],
    ]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('countersign-import-'))).toEqual([]);
  });

  it('refuses one app by its guard, with the fields of that refusal, and imports the others', async () => {
    const { status, body } = await send(
      'split_by_app=true',
      fileOf([rows[0] as string, ...rows.slice(1).filter((row) => row.includes('Store')), 'eve,Ink,Buyer']),
    );
    expect(status).toBe(200);
    expect(body.apps).toMatchObject([
      { app: 'CRM', refusal: { code: 'FAILED_PRECONDITION', violations: [{ field: 'allowRemovals' }] } },
      { app: 'Store', import: { unchanged: '2' } },
      { app: 'Ink', import: { added: '1' } },
    ]);
    expect(body.apps[0].import).toBeUndefined();
    expect((await send('split_by_app=true&allow_removals=true', fileOf([rows[0] as string]))).body.apps).toMatchObject([
      { app: 'CRM', import: { removed: '4', unchanged: '1' } },
    ]);
  });

  it('records and answers the lines of the whole file', async () => {
    const lines = ['ann,Ink,Buyer', `bob,Pens,${'x'.repeat(1100)}`, 'cas,Pens,Writer'];
    const { body } = await send('split_by_app=true', fileOf(lines));
    expect(body.apps[1].refusal.violations).toEqual([{ field: 'line 3, entitlement', description: expect.stringContaining('1024') }]);
    const failed = await listSyncs('?state=IMPORT_STATE_FAILED');
    expect(failed[0].import).toMatchObject({ source: 'Pens', rowErrors: [{ line: '3', column: 'entitlement' }] });
  });

  it('is not taken for the same file of one app', async () => {
    const both = fileOf(['ann,Hub,Reader', 'ann,Other,Reader', 'bob,Hub,Reader']);
    const whole = await send('app=Hub', both);
    expect(whole.body).toMatchObject({ appColumn: 'Application', apps: [], import: { rows: '3', added: '3' } });
    const { body } = await send('split_by_app=true&allow_removals=true', both);
    expect(body.apps[0]).toMatchObject({ app: 'Hub', import: { rows: '2' } });
    expect(Number(body.apps[0].import.removed)).toBeGreaterThan(0);
  });

  it.each([
    ['an app', 'split_by_app=true&app=CRM', 'app'],
    ['a source by its id', 'split_by_app=true&connector_id=2Jb', 'connectorId'],
    ['a dry run', 'split_by_app=true&dry_run=true', 'dryRun'],
    ['a token of a dry run', 'split_by_app=true&difference_token=x', 'differenceToken'],
    ['a column without being split', 'app=CRM&app_column=Application', 'appColumn'],
    ['a mapping that is none', 'split_by_app=true&map=nothing', 'map'],
  ])('does not go with %s', async (_, query, field) => {
    const { status, body } = await send(query, fileOf(rows));
    expect({ status, fields: fieldsOf(body) }).toEqual({ status: 400, fields: [field] });
  });

  it.each([
    ['has no column of apps', 'split_by_app=true', 'User,Tool,Role\nann,Saw,x\n', 'appColumn'],
    ['has another column than is asked for', 'split_by_app=true&app_column=Tool', fileOf(rows), 'file'],
    ['has a row without an app', 'split_by_app=true', fileOf(['ann,New,x', 'bob,,x']), 'line 3, Application'],
    ['is empty', 'split_by_app=true', '', 'file'],
  ])('imports nothing where it %s', async (_, query, file, field) => {
    const before = await listSyncs('');
    const { status, body } = await send(query, file);
    expect({ status, fields: fieldsOf(body) }).toEqual({ status: 400, fields: [field] });
    expect(await listSyncs('')).toEqual(before);
  });

  it('needs the permission to import', async () => {
    const reader = await server.makePerson('apps-reader@example.com', ['READ_ONLY_ADMINISTRATOR']);
    expect((await send('split_by_app=true', fileOf(rows), reader)).status).toBe(403);
  });
});
