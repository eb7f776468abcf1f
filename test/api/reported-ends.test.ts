/**
 * Ends that the source still reports: the access is held as long as the file has its row, and whoever reviews it, lists it or reads the report is told that
 * its end has passed and which sync still reports it. The file is one that somebody sent.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { readPdf } from '../support/read-pdf.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { adminOf, sendFile } from '../support/world.ts';

const file = 'account,email,entitlement,expires_at\ntom,tom@f.test,Old,2020-01-01\nabe,abe@f.test,None,\n';

describe('an end in the past that a file reports', () => {
  let server: TestServer;
  let admin: ReturnType<typeof adminOf>;
  let reviewId: string;
  let sync: Loose;
  const folder = mkdtempSync(join(tmpdir(), 'reported-ends-'));

  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runInProcess(args, { env: environmentFor(server.url, server.admin.credential) });
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const send = async (text: string): Promise<Loose> => {
    const { status, body } = await sendFile(server, server.admin, '/api/v1/imports/grants?app=Club&allow_removals=true', text);
    expect([status, body.message]).toEqual([200, undefined]);
    return body.import;
  };

  beforeAll(async () => {
    server = await useTestServer();
    admin = adminOf(server);
    const people = 'email,display_name\ntom@f.test,Tom\nabe@f.test,Abe\n';
    expect((await sendFile(server, server.admin, '/api/v1/imports/people?source=hr', people)).status).toBe(200);
    sync = await send(file);
    reviewId = JSON.parse(await run('review', 'create', '--name', 'Ends', '--app', 'Club', '--json')).id;
    await run('review', 'prepare', reviewId);
    await run('review', 'start', reviewId);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('stands out in the review, in a sentence that names the sync', async () => {
    const { list } = await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], pageSize: 100 });
    const { id, recommendation } = list.map(({ task }: Loose) => task).find(({ displayName }: Loose) => displayName.includes('tom'));
    expect(recommendation).toBe('INSIGHT_RECOMMENDATION_REVIEW');
    const sentence = `Its end has passed (on 2020-01-01), and sync ${sync.id} of ${sync.endedAt.slice(0, 10)} from “files” still reports it.`;
    expect(await run('task', 'show', id)).toContain(`+30  ${sentence}`);
    expect((await run('task', 'queue', reviewId)).split('\n').filter((line) => line.includes('past its end'))).toHaveLength(1);
  });

  it('has a column in the report, as text and as data', async () => {
    const csv = parse(await run('review', 'report', reviewId, '--output', '-'), { columns: true, bom: true }) as unknown as Loose[];
    const said = `on 2020-01-01; still reported by files (sync ${sync.id} of ${sync.endedAt.slice(0, 10)})`;
    expect(csv.map((row) => [row['Account'], row['Reported end has passed']]).sort()).toEqual([
      ['abe', ''],
      ['tom', said],
    ]);
    const items = JSON.parse(await run('review', 'report', reviewId, '--format', 'json', '--output', '-')) as Loose[];
    expect(items.map(({ reportedEnd }) => reportedEnd?.syncId).sort()).toEqual([sync.id, undefined]);
  });

  it('is counted in a PDF file, and has the column in an Excel file', async () => {
    const [pdf, xlsx] = [join(folder, 'report.pdf'), join(folder, 'report.xlsx')];
    await run('review', 'report', reviewId, '--format', 'pdf', '--output', pdf);
    expect(readPdf(readFileSync(pdf)).flat().join(' ')).toContain('1 item whose reported end has passed, and that is still reported');
    await run('review', 'report', reviewId, '--format', 'xlsx', '--output', xlsx);
    const { body } = await sendFile(server, server.admin, '/api/v1/imports/columns?kind=grants&sheet=Decisions%201', readFileSync(xlsx));
    expect(body.columns).toContain('Reported end has passed');
  });

  it('is found in the list of grants by itself, and held until a file no longer has the row', async () => {
    const lines = async (...more: string[]) => (await run('grant', 'list', '--app', 'Club', ...more)).trim().split('\n').slice(1);
    expect((await lines('--past-end')).map((line) => line.split('\t')[0])).toEqual(['tom']);
    expect(await send(file)).toMatchObject({ removed: '0' });
    expect(await lines('--past-end')).toHaveLength(1);
    expect(await send(file.replace(/^tom.*\n/m, ''))).toMatchObject({ removed: '1' });
    expect(await lines('--past-end')).toEqual([]);
    expect((await lines('--ended')).some((line) => line.startsWith('tom'))).toBe(true);
  });
});
