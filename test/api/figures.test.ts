/**
 * Every figure about a review, wherever it is shown: the same everywhere, and what counting its items one by one gives. In reviews whose items end in every
 * way there is (figures-story.ts), while they run, and once they are closed in each way.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import { takeApart } from '../support/bundle.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { countByHand, type Counts } from '../support/figures-by-hand.ts';
import { type FiguresStory, makeFiguresStory } from '../support/figures-story.ts';
import { readPdf } from '../support/read-pdf.ts';
import { readXlsx } from '../support/read-xlsx.ts';
import { useTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { adminOf } from '../support/world.ts';

let story: FiguresStory;
beforeAll(async () => {
  story = await makeFiguresStory(await useTestServer());
});

const call = (path: string): Promise<Loose> => adminOf(story.server)('GET', `/api/v1/access_review/${path}`);
const lineOf = async (id: string): Promise<Loose> =>
  (await adminOf(story.server)('POST', '/api/v1/search/access_reviews', { pageSize: 100 })).list.find(
    ({ accessReviewId }: Loose) => accessReviewId === id,
  );
const command = async (...args: string[]): Promise<string> => {
  const { server } = story;
  const input = args[1] === 'close' ? ({ isTerminal: true, stdin: 'n\n' } as const) : {};
  const { stdout, stderr } = await runInProcess(args, { env: environmentFor(server.url, server.admin.credential), ...input });
  return `${stdout}${stderr}`;
};
const fileOf = async (id: string, format: string): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'figures-'));
  try {
    const path = join(folder, 'file');
    const how = format === 'evidence' ? ['evidence', id] : ['report', id, '--format', format];
    await command('review', ...how, '--output', path);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The words by which reports say the counts of a review, and those by which commands and the insights say what no person decided. */
const words: Readonly<Record<string, string>> = {
  Items: 'total',
  Certified: 'certified',
  'Denied or revoked': 'revoked',
  Cancelled: 'cancelled',
  'Without an outcome': 'withoutOutcome',
  Open: 'open',
  'Open with nobody to ask': 'unassigned',
  'Decided by people': 'byPeople',
  'Denied by people': 'deniedByPeople',
  'Decided by the policy': 'byPolicy',
  'Carried over from an earlier review': 'carried',
  'Skipped when the review was closed': 'skipped',
  'Revoked when the review was closed': 'revokedAtClose',
  'Ended because the access was gone, or cancelled': 'gone',
};
const others: Readonly<Record<string, string>> = {
  'decided by a policy': 'byPolicy',
  'carried over from an earlier review': 'carried',
  'skipped by the close': 'skipped',
  'revoked by the close': 'revokedAtClose',
  'ended because the access was gone or somebody cancelled it': 'gone',
  'without an outcome': 'withoutOutcome',
};

/** Reads counts in words; a word that is not there says none. */
const readWords = (said: string, of: Readonly<Record<string, string>>): Counts =>
  Object.fromEntries(Object.entries(of).map(([word, name]) => [name, Number(new RegExp(`(\\d+) ${word}`).exec(said)?.[1] ?? 0)]));
const numbersIn = (said: string, pattern: RegExp): number[] => pattern.exec(said)?.slice(1).map(Number) ?? [];

/** Reads what commands say of the whole review. */
function readLine(said: string): Counts {
  const pattern = /(\d+) of (\d+) items? decided by a person: (\d+) certified, (\d+) denied; (\d+) open/;
  const [byPeople = -1, total = -1, certified = -1, deniedByPeople = -1, open = -1] = numbersIn(said, pattern);
  expect(certified + deniedByPeople).toBe(byPeople);
  return { total, byPeople, deniedByPeople, open, ...readWords(/not decided by a person: .*/.exec(said)?.[0] ?? '', others) };
}

/** Reads the rows under these headings of what a command prints. */
function readTable(said: string, ...headings: string[]): string[][] {
  const lines = said.split('\n');
  const head = lines.findIndex((line) => headings.every((heading) => line.includes(heading)));
  return lines.slice(head + 1).flatMap((line) => (line.trim() === '' ? [] : [line.trim().split(/ {2,}/)]));
}

/** Shapes counts of the API. */
function shape(counts: Loose): Counts {
  const names = [...new Set(Object.values(words))].filter((name) => counts[name] !== undefined);
  const found = Object.fromEntries(names.map((name) => [name, Number(counts[name])]));
  return counts.undecided === undefined ? found : { ...found, open: Number(counts.undecided) };
}

async function readParts(id: string, part: string): Promise<Counts> {
  const rows: Counts[] = (await call(`${id}/progress/${part}?page_size=100`)).list.map(shape);
  const names = Object.keys(rows[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, rows.reduce((all, row) => all + (row[name] ?? 0), 0)]));
}

/** What several doors are read from. */
interface Made {
  readonly id: string;
  /** The workbook of the report. */
  readonly book: Buffer;
  /** The output of `review progress`. */
  readonly said: string;
}

/** The doors of the API and the command line, and what each says of the whole review. */
async function readAnswers({ id, said }: Made): Promise<Record<string, Counts>> {
  const progress = await call(`${id}/progress`);
  const line = await lineOf(id);
  const byApp = readTable(await command('review', 'progress', id, '--by', 'app'), 'ITEMS', 'OTHERWISE');
  const ofApps = (column: number): number => byApp.reduce((all, row) => all + Number(row[column]), 0);
  return {
    GetCounts: shape((await call(`${id}/counts`)).counts),
    GetProgress: { ...shape(progress.counts), unassigned: Number(progress.pace.unassigned) },
    'the last day': shape(progress.history.at(-1)),
    'the row of the list': { ...shape(line.counts), unassigned: Number(line.unassigned) },
    ListApps: await readParts(id, 'apps'),
    ListDepartments: await readParts(id, 'departments'),
    'review progress': readLine(said),
    'review progress --by app': { total: ofApps(1), open: ofApps(2), byPeople: ofApps(4), deniedByPeople: ofApps(5) },
  };
}

/** The files, and what each says. */
async function readFiles({ id, book }: Made): Promise<Record<string, Counts>> {
  const summary = (await readXlsx(book, 'Summary')).rows;
  const inSheet = (word: string): number => Number(summary.find(([what]) => what === word)?.[1] ?? Number.NaN);
  const pdf = readPdf(await fileOf(id, 'pdf'))
    .flat()
    .join(' ');
  const inPdf = (word: string): number => Number(new RegExp(` ${word} (\\d+) `).exec(pdf)?.[1] ?? Number.NaN);
  const read = (from: (word: string) => number): Counts =>
    Object.fromEntries(Object.entries(words).map(([word, name]) => [name, from(word)]));
  const items = JSON.parse((await fileOf(id, 'json')).toString()) as Loose[];
  const outcomes: Loose[] = (await call(`${id}/completeness`)).completeness.outcomes;
  const outcome = (...names: string[]): number =>
    outcomes.reduce((all, one) => all + (names.includes(one.name) ? Number(one.count) : 0), 0);
  return {
    Excel: read(inSheet),
    PDF: read(inPdf),
    JSON: { total: items.length },
    completeness: {
      ...{ open: outcome('OPEN'), carried: outcome('CARRIED'), skipped: outcome('SKIPPED_AT_CLOSE') },
      ...{ revokedAtClose: outcome('REVOKED_AT_CLOSE'), certified: outcome('CERTIFIED', 'CARRIED') },
      revoked: outcome('DENIED', 'REVOKED_AT_CLOSE'),
    },
  };
}

/** What there is once the review is closed. */
async function readEnd(id: string): Promise<Record<string, Counts>> {
  const insights: string = (await call(id)).accessReview.accessReview.campaignInsights.markdown;
  const ends = /\*\*(\d+) items?:\*\* (\d+) certified[^,]*, (\d+) revoked[^,]*, (\d+) cancelled, (\d+) without an outcome/;
  const [total = -1, certified = -1, revoked = -1, cancelled = -1, withoutOutcome = -1] = numbersIn(insights, ends);
  const [byPeople = -1, deniedByPeople = -1] = numbersIn(insights, /\*\*Decided by a person:\*\* (\d+) of [^,]*, (\d+) of them denied/);
  const bundle = takeApart(await fileOf(id, 'evidence'));
  const member = (name: string): string => bundle.find((one) => one.name === name)?.content.toString() ?? '';
  const readme = member('README.html');
  const ofReadme = { 'items?:': 'total', certified: 'certified', 'denied or revoked': 'revoked', cancelled: 'cancelled' };
  const sums = JSON.parse(member('completeness.json')) as Loose;
  const { CERTIFIED = 0, DECERTIFIED = 0, CANCELLED = 0 } = sums.outcomes;
  return {
    'the insights': {
      ...{ total, certified, revoked, cancelled, byPeople, deniedByPeople },
      ...readWords(/The others: .*/.exec(insights)?.[0] ?? '', others),
      withoutOutcome,
    },
    'README of the bundle': {
      ...readWords(readme, { ...ofReadme, 'without an outcome': 'withoutOutcome' }),
      byPeople: Number(/A person decided (\d+)/.exec(readme)?.[1]),
    },
    'sums of the bundle': { total: sums.items, certified: CERTIFIED, revoked: DECERTIFIED, cancelled: CANCELLED },
  };
}

/** Each door and what it says of each person who is asked. */
async function readPeople({ id, book, said }: Made): Promise<Record<string, Readonly<Record<string, Counts>>>> {
  const rows: Loose[] = (await call(`${id}/progress/reviewers?page_size=100`)).list;
  const idOf = (email: string | undefined): string => rows.find((row) => row.email === email)?.userId ?? '';
  const counted = ([asked, open, decided, denied, otherwise]: readonly unknown[]): Counts => ({
    ...{ asked: Number(asked), open: Number(open), decided: Number(decided) },
    ...{ denied: Number(denied), otherwise: Number(otherwise) },
  });
  const isAsked = ([, counts]: readonly [string, Counts]): boolean => counts['asked'] !== 0;
  const table = readTable(said, 'REVIEWER', 'OTHERWISE');
  const [head = [], ...sheet] = (await readXlsx(book, 'Reviewers')).rows;
  const columns = ['Asked', 'Open', 'Decided of those asked', 'Denied of those asked', 'Ended otherwise of those asked'];
  const places = columns.map((name) => head.indexOf(name));
  const found = {
    ListReviewers: rows.map((row) => [
      row.userId,
      counted([row.asked, row.open, row.decided, row.denied, row.asked - row.open - row.decided]),
    ]),
    'review progress': table.map(([email, asked, open, , ...rest]) => [idOf(email), counted([asked, open, ...rest])]),
    Excel: sheet.map((row) => [idOf(row[1]), counted(places.map((place) => row[place]))]),
  } as Record<string, [string, Counts][]>;
  return Object.fromEntries(Object.entries(found).map(([door, people]) => [door, Object.fromEntries(people.filter(isAsked))]));
}

/** Each door and how many denied items it follows the removal of. */
async function readRemovals({ id, book, said }: Made): Promise<Record<string, number>> {
  const summary = (await readXlsx(book, 'Summary')).rows;
  const { removals, sums }: Loose = (await call(`${id}/completeness`)).completeness;
  return {
    GetProgress: Number((await call(`${id}/progress`)).removals.total),
    'the row of the list': Number((await lineOf(id)).removals),
    Excel: Number(summary.find(([what]) => what === 'Removals that follow from denials')?.[1]),
    'review progress': Number(/^(\d+) removals?:/m.exec(said)?.[1] ?? 0),
    completeness: removals.reduce((all: number, { count }: Loose) => all + Number(count), 0),
    'a sum of completeness': Number(sums.find(({ number }: Loose) => number === 6)?.right ?? 0),
  };
}

/** Holds all doors of a review against its items. */
async function compare(id: string, isClosed: boolean): Promise<Counts> {
  const { whole, people } = await countByHand(story.server, id);
  const made: Made = { id, book: await fileOf(id, 'xlsx'), said: await command('review', 'progress', id) };
  const end = isClosed ? await readEnd(id) : { 'review close': readLine(await command('review', 'close', id)) };
  const doors = { ...(await readAnswers(made)), ...(await readFiles(made)), ...end };
  const wanted = (counts: Counts): Counts => Object.fromEntries(Object.keys(counts).map((name) => [name, whole[name] ?? Number.NaN]));
  expect(doors).toEqual(Object.fromEntries(Object.entries(doors).map(([door, counts]) => [door, wanted(counts)])));
  const asked = await readPeople(made);
  expect(asked).toEqual(Object.fromEntries(Object.keys(asked).map((door) => [door, people])));
  const removals = await readRemovals(made);
  expect(removals).toEqual(Object.fromEntries(Object.keys(removals).map((door) => [door, whole['revoked']])));
  // How items ended adds up, and so does who or what ended them.
  const sum = (...names: string[]): number => names.reduce((all, name) => all + (whole[name] ?? 0), 0);
  expect(sum('open', 'certified', 'revoked', 'cancelled', 'withoutOutcome')).toBe(whole['total']);
  expect(sum('open', 'byPeople', 'byPolicy', 'carried', 'skipped', 'revokedAtClose', 'gone', 'withoutOutcome')).toBe(whole['total']);
  return whole;
}

describe('figures of a review', () => {
  let first: string;

  it('are the same wherever they are shown while it runs', async () => {
    first = await story.open('First');
    await story.act(first);
    expect(await compare(first, false)).toMatchObject({ byPeople: 9, deniedByPeople: 4, byPolicy: 3, gone: 3, open: 6 });
  });

  it('and once what nobody decided was skipped', async () => {
    await story.close(first, 'SKIP');
    expect(await compare(first, true)).toMatchObject({ open: 0, byPeople: 9, byPolicy: 3, skipped: 6 });
  });

  it('and where decisions were carried over, and the rest was revoked', async () => {
    const id = await story.open('Second', first);
    await story.close(id, 'REVOKED');
    const { carried, revokedAtClose } = await compare(id, true);
    expect([carried, revokedAtClose]).toEqual([expect.toSatisfy((count) => count > 0), expect.toSatisfy((count) => count > 0)]);
  });

  it('and where an app was deleted, and the rest was left without an outcome', async () => {
    const id = await story.open('Third');
    await story.act(id);
    await adminOf(story.server)('DELETE', `/api/v1/apps/${story.appIds['Vault']}`, {});
    await until(async () => expect((await countByHand(story.server, id)).whole).toMatchObject({ gone: 5 }));
    await story.close(id, 'NO_ACTION');
    expect(await compare(id, true)).toMatchObject({ skipped: 0, withoutOutcome: expect.toSatisfy((count) => count > 0) });
  });
});
