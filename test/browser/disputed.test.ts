/** "Who is this?" in a browser: a record that contradicts itself is counted, listed with whose it may be, and answered by keyboard alone. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UserService } from '../../src/gen/c1/api/user/v1/user_service_pb.js';
import { PersonRecordService } from '../../src/gen/countersign/v1/person_records_pb.js';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, sizes, type TestBrowser } from '../support/browser.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

/** A name with a character that is not seen, and one that turns the direction. */
const hostile = 'Cora\u200B \u202EnaC';

describe.skipIf(!hasBrowser)('who a record is', () => {
  let server: TestServer;
  let browser: TestBrowser;

  const importPeople = async (source: string, ...rows: readonly string[]): Promise<void> => {
    const file = ['email,display_name,employee_id,employment_status', ...rows].join('\n');
    const { status } = await sendFile(server, server.admin, `/api/v1/imports/people?source=${source}&allow_removals=true`, file);
    expect(status).toBe(200);
  };
  const readDisputed = async () => (await server.admin.client.call(PersonRecordService.method.listDisputed, {})).list ?? [];
  const findPeople = async (query: string) => (await server.admin.client.call(UserService.method.search, { query })).list ?? [];
  const open = async (path: string, more: { size?: 'narrow'; theme?: 'dark' } = {}): Promise<Page> => {
    const page = await browser.signedInPage(server, server.admin.id, more);
    await page.goto(path);
    return page;
  };

  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    await importPeople('Staff', 'carl@w.test,Carl,,TERMINATED', 'ann@w.test,Ann,w1,', 'ben@w.test,Ben,w2,');
    await importPeople('Payroll', `carl@w.test,${hostile},,`, 'ben@w.test,Benann,w1,', 'ann@w.test,Annina,w9,');
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('is counted beside the navigation and at home, and asked with all that there is to know', async () => {
    expect(await readDisputed()).toHaveLength(3);
    const page = await open('/home');
    await page.getByText('3 records of people wait').waitFor();
    await page.getByRole('listitem').filter({ hasText: '3 records of people wait' }).getByRole('link').click();
    const table = page.getByRole('table', { name: 'Who is this?' });
    await table.waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Data quality' }).filter({ hasText: '3' }).waitFor();
    const carl = table.getByRole('row').filter({ hasText: 'Somebody who left had this mail address, under another name.' });
    await carl.getByText('Payroll').waitFor();
    await carl.getByText('Disabled or has left').waitFor();
    const ann = table.getByRole('row').filter({ hasText: "The employee ID is one person's, and the mail address another's." });
    await ann.getByRole('button', { name: 'This person: Benann is Ann' }).waitFor();
    await ann.getByRole('button', { name: 'This person: Benann is Ben' }).waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });

  it('is answered by keyboard, after what follows was said; leaving the question answers nothing', async () => {
    const page = await open('/quality/disputed');
    const button = page.getByRole('button', { name: 'This person: Benann is Ann' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Is Benann the same person as Ann?' });
    await dialog.getByText('the accounts that match this record belong to them').waitFor();
    await dialog.getByText('with the next import of this source').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => button.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    expect(await readDisputed()).toHaveLength(3);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'This person' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Answered. Benann is no longer asked about').first().waitFor();
    await button.waitFor({ state: 'detached' });
    const [ann] = (await findPeople('ann@w.test')).map(({ user }) => user);
    const { list = [] } = await server.admin.client.call(PersonRecordService.method.list, { userId: ann?.id ?? '' });
    expect(list.map((one) => one.verdict).sort()).toEqual(['PERSON_RECORD_VERDICT_CLEAR', 'PERSON_RECORD_VERDICT_SAME_PERSON']);
    // The page of the person has both records, with what each said last.
    await page.goto(`/people/${ann?.id}/facts`);
    const records = page.getByRole('table', { name: 'Records of sources' });
    const payroll = records.getByRole('row').filter({ hasText: 'Payroll' });
    await payroll.getByText('Employee ID w1').waitFor();
    await payroll.getByText('ben@w.test').waitFor();
    await payroll.getByText('Still reported').waitFor();
    await records.getByRole('row').filter({ hasText: 'Staff' }).getByText('ann@w.test').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });

  it('is somebody new, or ignored, and nothing is left to ask', async () => {
    const page = await open('/quality/disputed', { size: 'narrow', theme: 'dark' });
    await page.getByRole('button', { name: /^Somebody new: .*Cora/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('A new person is made, with the role Basic User.').waitFor();
    expect([await checkAxe(page), await sidewaysPixels(page), sizes.narrow.width]).toEqual([[], 0, sizes.narrow.width]);
    await dialog.getByRole('button', { name: 'Somebody new' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Ignore Annina' }).click();
    await dialog.getByText('Nobody can sign in by it').waitFor();
    await dialog.getByRole('button', { name: 'Ignore' }).click();
    await page.getByText('Every record has its person').first().waitFor();
    expect(await readDisputed()).toEqual([]);
    expect(await findPeople('Cora')).toHaveLength(1);
    // The ignored one is found again.
    await page.getByRole('radio', { name: 'Ignored' }).click();
    const ignored = page.getByRole('table', { name: 'Ignored' });
    await ignored.getByRole('row').filter({ hasText: 'Annina' }).getByText('Payroll').waitFor();
    expect([await checkAxe(page), await sidewaysPixels(page)]).toEqual([[], 0]);
    // What Payroll no longer reports of Ann stays on her page, with its end.
    await importPeople('Payroll', `carl@w.test,${hostile},,`, 'ann@w.test,Annina,w9,', 'other@w.test,Oz,w7,');
    const [ann] = await findPeople('ann@w.test');
    await page.goto(`/people/${ann?.user?.id}/facts`);
    await page.getByRole('row').filter({ hasText: 'Payroll' }).getByText('Gone since').waitFor();
    expect([await checkAxe(page), await sidewaysPixels(page)]).toEqual([[], 0]);
    await page.close();
  });

  it('is answered anew as anybody who is found, where somebody ignored it', async () => {
    const page = await open('/quality/disputed?ignored=true');
    const button = page.getByRole('button', { name: 'Another person: Annina' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Who is Annina?' });
    const field = dialog.getByRole('combobox', { name: 'Person' });
    await field.fill('Ben');
    await page
      .getByRole('option', { name: /^Ben\b/ })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByText('What the source reports then counts for Ben').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'This person' }).click();
    await page.getByText('No record is ignored').waitFor();
    const [ben] = await findPeople('ben@w.test');
    const { list = [] } = await server.admin.client.call(PersonRecordService.method.list, { userId: ben?.user?.id ?? '' });
    expect(list.map((one) => one.displayName)).toContain('Annina');
    await page.close();
  });

  it('says on the page of a person what they were called, and on the pages of both where an address went', async () => {
    await importPeople('Staff', 'carl@w.test,Carl,,TERMINATED', 'neu@w.test,Ann Neu,w1,', 'ben@w.test,Ben,w2,');
    await importPeople('Staff', 'carl@w.test,Carl,,TERMINATED', 'neu@w.test,Ann Neu,w1,', 'ben@w.test,Ben,w2,', 'ann@w.test,Anke,w5,');
    const [[ann], [anke]] = [await findPeople('neu@w.test'), await findPeople('Anke')];
    const page = await open(`/people/${ann?.user?.id}/facts`, { size: 'narrow', theme: 'dark' });
    const former = page.getByRole('region', { name: 'Formerly' });
    await former.getByText('ann@w.test').waitFor();
    await former.getByText('Ann', { exact: true }).waitFor();
    const holders = page.getByRole('region', { name: 'Who else has these mail addresses, or had them' });
    expect([await checkAxe(page), await sidewaysPixels(page)]).toEqual([[], 0]);
    await holders.getByRole('link', { name: 'Anke' }).click();
    await page.waitForURL(new RegExp(`/people/${anke?.user?.id}/`));
    await page.goto(`/people/${anke?.user?.id}/facts`);
    await holders.getByRole('link', { name: 'Ann Neu' }).waitFor();
    expect(await former.count()).toBe(0);
    await page.close();
  });

  it('is counted on the page of its source, with the way to its records', async () => {
    await importPeople('Second', 'ben@w.test,Benno,w1,');
    const page = await open('/sources');
    const row = page.getByRole('row').filter({ hasText: 'Second' });
    await row.getByText('1 disputed').waitFor();
    await row.getByRole('link').first().click();
    await page.getByRole('link', { name: '1 record stands for nobody' }).click();
    await page.getByRole('button', { name: /^Another person: Benno/ }).waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Show those of all sources' }).waitFor();
    await page.close();
  });

  it('is counted among the figures of an import, before anything is imported', async () => {
    const page = await open('/import');
    const buffer = Buffer.from('email,display_name,employee_id\nben@w.test,Annette,w1\nnew@w.test,Newman,w77\n');
    await page.locator('input[type=file]').first().setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
    const figures = page.getByRole('region', { name: 'What this file would change' }).locator('dl > div');
    await figures.filter({ hasText: 'disputed' }).locator('dd').filter({ hasText: '1' }).waitFor({ timeout: 30_000 });
    await page.close();
  });
});
