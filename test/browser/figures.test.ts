/** Figures of a review in a browser: wherever the console shows them they are the same, and what counting the items one by one gives. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { countByHand, type Counts } from '../support/figures-by-hand.ts';
import { type FiguresStory, makeFiguresStory } from '../support/figures-story.ts';
import { useTestServer } from '../support/server.ts';

/** How the console says what no person decided; the first name in each is counted by hand. */
const others: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['skipped', /(\d+) skipped by the close/],
  ['revokedAtClose', /(\d+) revoked by the close/],
  ['byPolicy', /(\d+) decided by a policy/],
  ['carried', /(\d+) carried over/],
  ['gone', /(\d+) ended because/],
  ['withoutOutcome', /(\d+) without an outcome/],
];
const readOthers = (said: string): Counts =>
  Object.fromEntries(others.map(([name, pattern]) => [name, Number(pattern.exec(said)?.[1] ?? 0)]));
const numbers = (said: string): number[] => (said.match(/\d+/g) ?? []).map(Number);
const rows = async (table: Locator): Promise<string[][]> => {
  await table.locator('tbody tr').first().waitFor();
  const lines = await table.locator('tbody tr').all();
  return Promise.all(lines.map((line) => line.locator('th, td').allTextContents()));
};

describe.skipIf(!hasBrowser)('figures of a review in the console', () => {
  let story: FiguresStory;
  let browser: TestBrowser;
  let page: Page;
  let id: string;

  beforeAll(async () => {
    story = await makeFiguresStory(await useTestServer());
    id = await story.open('First');
    await story.act(id);
    browser = await openBrowser();
    page = await browser.signedInPage(story.server, story.server.admin.id);
  });
  afterAll(() => browser?.close());

  const openPage = async (path: string): Promise<void> => {
    await page.goto(path);
    await page.getByRole('table').first().locator('tbody tr').first().waitFor();
  };
  const table = (name: string): Locator => page.getByRole('table', { name, exact: true });
  const textOf = async (parts: Locator): Promise<string> => (await parts.allTextContents()).join(' ');
  const figure = async (place: number): Promise<string> => {
    const parts = page.getByRole('region', { name: 'Figures' }).locator('dl > div').nth(place).locator('dd');
    await parts.first().waitFor();
    return textOf(parts);
  };

  /** Reads the tables of apps or departments: each column is summed. */
  async function readParts(by: 'apps' | 'departments'): Promise<Counts> {
    await openPage(`/reviews/${id}/progress?by=${by}`);
    const found = await rows(table(by === 'apps' ? 'Apps' : 'Departments'));
    const sum = (read: (row: readonly string[]) => number): number => found.reduce((all, row) => all + read(row), 0);
    const ended = found.map((row) => readOthers(row[3] ?? ''));
    return {
      byPeople: sum((row) => numbers(row[2] ?? '')[0] ?? Number.NaN),
      total: sum((row) => numbers(row[2] ?? '')[1] ?? Number.NaN),
      deniedByPeople: sum((row) => Number(row[4])),
      ...Object.fromEntries(others.map(([name]) => [name, ended.reduce((all, counts) => all + (counts[name] ?? 0), 0)])),
    };
  }

  /** Every place of the console that shows figures of the review, and what it says. */
  async function readDoors(): Promise<Record<string, Counts>> {
    const parts = { 'the table of apps': await readParts('apps'), 'the table of departments': await readParts('departments') };
    const [decided, denied] = [await figure(0), await figure(2)];
    const [, byPeople = Number.NaN, total = Number.NaN] = numbers(decided);
    await openPage('/reviews');
    const line = (await rows(table('Reviews'))).find((cells) => cells[0]?.includes('First'))?.[2] ?? '';
    const [ofLine = Number.NaN, allOfLine = Number.NaN, deniedOfLine = 0] = numbers(line);
    await openPage(`/evidence/${id}`);
    const check = page.getByRole('listitem').filter({ hasText: 'Decided by a person' });
    await check.waitFor();
    const said = await textOf(check.locator('small, span'));
    const population = await rows(table('Population'));
    const sum = (column: number): number => population.reduce((all, row) => all + Number(row[column]), 0);
    return {
      ...parts,
      figures: { byPeople, total, deniedByPeople: numbers(denied)[1] ?? Number.NaN, ...readOthers(decided) },
      'the row of the list': { byPeople: ofLine, total: allOfLine, deniedByPeople: deniedOfLine, ...readOthers(line) },
      'a check of the evidence': {
        byPeople: Number(/(\d+) of \d+/.exec(said)?.[1]),
        total: Number(/\d+ of (\d+)/.exec(said)?.[1]),
        ...readOthers(said),
      },
      'the population': { total: sum(1), certifiedByPeople: sum(2), deniedByPeople: sum(3), open: sum(5) },
    };
  }

  /** Reads of each reviewer what they were asked and what of it is decided. */
  async function readReviewers(): Promise<Record<string, Record<string, string>>> {
    await openPage(`/reviews/${id}/progress`);
    await table('Reviewers').locator('tbody tr').first().waitFor();
    // What can be done with a row stands before and behind it.
    const at = (await table('Reviewers').locator('thead th').allTextContents()).indexOf('Reviewer');
    const progress = (await rows(table('Reviewers'))).map((row) => [row[at]?.slice(1), row[at + 2], row[at + 3]]);
    await openPage(`/evidence/${id}`);
    const asked = (await rows(table('People who were asked'))).map((row) => [row[0], row[4], row[3]]);
    const shape = (of: (string | undefined)[][]): Record<string, string> =>
      Object.fromEntries(
        of.map(([name, decided = '', denied = '']) => [name, `${/\d+ [a-z ]+\d*/.exec(decided)?.[0].trim()}, ${numbers(denied)[0]}`]),
      );
    return { progress: shape(progress), evidence: shape(asked) };
  }

  async function compare(): Promise<Counts> {
    const { whole, people } = await countByHand(story.server, id);
    const all: Counts = { ...whole, certifiedByPeople: (whole['byPeople'] ?? 0) - (whole['deniedByPeople'] ?? 0) };
    const doors = await readDoors();
    const wanted = (counts: Counts): Counts => Object.fromEntries(Object.keys(counts).map((name) => [name, all[name] ?? Number.NaN]));
    expect(doors).toEqual(Object.fromEntries(Object.entries(doors).map(([door, counts]) => [door, wanted(counts)])));
    const { asked, decided, denied } = people[story.boss.id] ?? {};
    const { progress = {}, evidence = {} } = await readReviewers();
    expect(evidence).toEqual(progress);
    expect(progress['boss']).toBe(`${decided} of ${asked}, ${denied}`);
    expect(progress['deputy']).toBe('1 decision in the place of others, 0');
    return whole;
  }

  it('are the same everywhere while it runs', async () => {
    expect(await compare()).toMatchObject({ byPeople: 9, byPolicy: 3, open: 6 });
    await openPage(`/evidence/${id}`);
    await page.getByText('5 held until the close.').waitFor();
  });

  it('and once it is closed: what the close revoked is not called decided or denied', async () => {
    await story.close(id, 'REVOKED');
    expect(await compare()).toMatchObject({ byPeople: 9, deniedByPeople: 4, revokedAtClose: 6, open: 0 });
  });

  it('and a reviewer is not told that they decided what ended by itself', async () => {
    id = await story.open('Second');
    await story.act(id);
    const theirs = await browser.signedInPage(story.server, story.boss.id);
    const { asked = 0, open = 0, decided = 0 } = (await countByHand(story.server, id)).people[story.boss.id] ?? {};
    await theirs.goto('/home');
    await theirs
      .getByText(`${asked - open} of ${asked} done`)
      .first()
      .waitFor();
    await theirs.goto(`/r/${id}?show=mine`);
    // One of those that ask them was decided by their delegate.
    await expect
      .poll(() => textOf(theirs.getByRole('button', { name: /^Decided by me/ }).locator('span')))
      .toMatch(new RegExp(`^Decided by me\\s*${decided - 1}$`));
    await expect.poll(() => theirs.locator('[role=row][data-decided]').count()).toBe(decided - 1);
    await theirs.context().close();
  });
});
