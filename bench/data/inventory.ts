/**
 * Figures of syncs and their history: a file in which four thousand of a million rows are new, gone or changed beside the staging of it; and how
 * much memory the server's process holds at most while it takes in spreadsheets, compares and reads back syncs, and lists what happened.
 */
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import { writeXlsx } from '../../test/support/xlsx.ts';
import { type CompanySize, emailOf, grantLines, sizeOf } from './company.ts';
import { atMost, type Figure, type FigureResult, seconds } from '../figure.ts';
import { measureStaging } from '../import.ts';
import { pushedUsers, pushUsers } from './push-users.ts';
import type { World } from './world.ts';

const limitMegabytes = 150;
const [removed, added, changed] = [2000, 1500, 500] as const;
const pagesRead = 500;

/** A file of the company with some rows gone, some new and some changed, spread over all of it. */
export async function writeChanged(from: string, to: string, size: CompanySize): Promise<void> {
  const lines = (await readFile(from, 'utf8')).trimEnd().split('\n');
  const apart = Math.floor((lines.length - 1) / (removed + changed));
  const kept = lines.flatMap((line, index) => {
    const place = index % apart === 1 ? Math.floor(index / apart) : -1;
    if (place < 0 || place >= removed + changed) {
      return [line];
    }
    // One in five is changed, the others are gone.
    return place % 5 === 0 ? [line.replace(/2026-05-/, '2026-06-')] : [];
  });
  for (let number = 0; number < added; number++) {
    const account = (number * 7) % size.accounts;
    kept.push(`acct-${account},${emailOf(account % size.people)},USER,ENABLED,group,resource-new,level-${number % 5},,`);
  }
  await writeFile(to, `${kept.join('\n')}\n`);
}

interface Sync {
  readonly id: string;
  readonly seconds: number;
  readonly extraMemory: number;
}

/** Takes in a file, and says what it took. */
async function sync(
  world: World,
  path: string,
  app: string,
  expected: Readonly<Record<'added' | 'changed' | 'removed', number>>,
): Promise<Sync> {
  const content = Readable.toWeb(createReadStream(path, { highWaterMark: 262_144 })) as ReadableStream<Uint8Array>;
  const begun = performance.now();
  const { result, peak } = await world.server.peakMemory(() =>
    world.server.admin.upload(ImportService.method.importGrants, { app, allowRemovals: true }, { content, gzip: false }),
  );
  const { id = '', added: news, changed: others, removed: gone } = result.import ?? {};
  const found = { added: Number(news), changed: Number(others), removed: Number(gone) };
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`${path}: ${JSON.stringify(found)} where ${JSON.stringify(expected)} was expected`);
  }
  return { id, seconds: (performance.now() - begun) / 1000, extraMemory: peak - world.idleMemory };
}

/** Rows as Excel saves them: texts in a table of their own. */
function writeSpreadsheet(path: string, rows: number): Promise<void> {
  const lines = [...grantLines(sizeOf(rows), false)].join('').trimEnd().split('\n');
  const cells = lines.map((line) => line.split(',').map((text) => ({ shared: text })));
  return writeFile(path, writeXlsx({ sheets: [{ name: 'Grants', rows: cells }] }));
}

interface Page {
  readonly nextPageToken?: string;
}

/** Follows the pages of a list, and answers how many rows it had. */
async function readPages(world: World, path: string, body?: object): Promise<void> {
  const headers = { authorization: `Bearer ${await world.server.admin.token()}`, 'content-type': 'application/json' };
  let pageToken = '';
  for (let page = 0; page < pagesRead; page++) {
    const url = `${world.server.url}${path}`;
    const response =
      body === undefined
        ? await fetch(`${url}?page_size=100&page_token=${encodeURIComponent(pageToken)}`, { headers })
        : await fetch(url, { method: 'POST', headers, body: JSON.stringify({ ...body, pageSize: 100, pageToken }) });
    if (response.status !== 200) {
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
    }
    pageToken = ((await response.json()) as Page).nextPageToken ?? '';
    if (pageToken === '') {
      return;
    }
  }
}

/** Lists all pushed users as an identity provider does. */
async function readUsers(world: World, token: string): Promise<void> {
  for (let startIndex = 1; startIndex <= pushedUsers; startIndex += 200) {
    const response = await fetch(`${world.server.url}/scim/v2/Users?startIndex=${startIndex}&count=200`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { Resources: found = [] } = (await response.json()) as { Resources?: unknown[] };
    if (found.length !== Math.min(200, pushedUsers - startIndex + 1)) {
      throw new Error(`a page of ${found.length} users from ${startIndex} on`);
    }
  }
}

/** A change within four times the staging of the whole file; every operation within 150 MB above idle. */
export const measureInventory: Figure = async (open) => {
  const world = await open();
  await world.imported();
  const [original, other, sheet] = ['grants.csv', 'changed.csv', 'grants.xlsx'].map((name) => join(world.server.folder, name)) as [
    string,
    string,
    string,
  ];
  await writeChanged(original, other, world.size);
  const staging = await measureStaging(world, original);
  const there = await sync(world, other, 'Company', { added, changed, removed });
  const back = await sync(world, original, 'Company', { added: removed, changed, removed: added });
  await writeSpreadsheet(sheet, world.size.grants / 5);
  const spreadsheet = await sync(world, sheet, 'Spreadsheet', { added: world.size.grants / 5, changed: 0, removed: 0 });
  const { scimToken } = await pushUsers(world);

  const memory = (what: string, extra: number): FigureResult => ({
    title: `memory during ${what}`,
    ours: `${(world.idleMemory + extra).toFixed(0)} MB`,
    peer: `${world.idleMemory.toFixed(0)} MB idle`,
    ratio: (world.idleMemory + extra) / world.idleMemory,
    limit: `at most ${limitMegabytes} MB above idle`,
    isMet: extra <= limitMegabytes,
    reach: 'GROWING',
  });
  const during = async (what: string, work: () => Promise<void>): Promise<FigureResult> =>
    memory(what, (await world.server.peakMemory(work)).peak - world.idleMemory);
  const title = `sync of ${world.size.grants.toLocaleString('en')} rows, ${(removed + added + changed).toLocaleString('en')} of them other`;
  return [
    atMost(
      4,
      { title, ours: seconds(there.seconds), peer: seconds(staging), ratio: there.seconds / staging },
      'times COPY into a staging table',
    ),
    memory('a sync with changes', Math.max(there.extraMemory, back.extraMemory)),
    memory(`import of a spreadsheet of ${(world.size.grants / 5).toLocaleString('en')} rows`, spreadsheet.extraMemory),
    await during('a diff of two syncs', () => readPages(world, `/api/v1/imports/${there.id}/diff`)),
    await during(`reading a sync back, ${pagesRead} pages`, () => readPages(world, `/api/v1/imports/${there.id}/grants`)),
    await during(`the feed, ${pagesRead} pages`, () => readPages(world, '/api/v1/grants/feed', {})),
    await during(`the list of ${pushedUsers.toLocaleString('en')} pushed users`, () => readUsers(world, scimToken)),
  ];
};
