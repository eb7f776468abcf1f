/** The mail about records of people that wait for somebody to say who they are, over a real mail server and with a clock that is moved. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MailRun, openMailRun } from '../../../test/support/mail-run.ts';
import { readMessage } from '../../../test/support/mail-server.ts';
import { answerRecord } from '../../inventory/people/answer.ts';
import { callNotify, insertNoticesForThemselves } from './notices/index.ts';
import { changeNotificationSettings, everybody } from './settings/settings.ts';

let run: MailRun;
beforeAll(async () => {
  run = await openMailRun('2026-06-01T07:50:00Z');
});
afterAll(() => run.close());

const others = ['email,display_name', 'max@mail.example,Max', 'cyn@mail.example,Cyn', 'ann@mail.example,Ann', 'bob@mail.example,Bob'];
const news = (): string[] => run.news().map((line) => line.slice(18).replace(/^[^:]+: /, ''));

it('goes to administrators once a day while one waits, and not when nothing does', async () => {
  await run.importPeople(others);
  await run.moveTo('2026-06-01T09:00:00Z');
  expect(news()).toEqual([]);
  await run.importPeople([...others, 'dan@mail.example,Somebody else']);
  await run.moveTo('2026-06-01T10:00:00Z');
  expect(news()).toEqual(['1 record of a person waits for you: who is this?']);
  expect(readMessage(run.mail.taken.at(-1)?.raw ?? '').text).toContain('/quality/disputed');
  // Another import on the same day says nothing new, nor does the job, until a day is over.
  await run.importPeople([...others, 'dan@mail.example,Somebody other']);
  await run.moveTo('2026-06-01T20:00:00Z');
  expect(news()).toEqual([]);
  await run.moveTo('2026-06-02T12:00:00Z');
  expect(news()).toEqual(['1 record of a person waits for you: who is this?']);
  await changeNotificationSettings(run.as(), everybody, { email: { system: { enabled: false } } });
  await run.moveTo('2026-06-03T12:00:00Z');
  expect(news()).toEqual([]);
  await changeNotificationSettings(run.as(), everybody, { email: { system: { enabled: true } } });
  // Who lost the role before the mail leaves learns nothing.
  await run.importPeople([...others, 'dan@mail.example,Somebody new']);
  const due = new Date(run.as().now.getTime() + 60_000);
  const ann = await run.userId('ann');
  const notice = { kind: 'RECORDS_DISPUTED', subjectId: run.ours.tenant.id, slot: 'once', reviewId: '', data: {}, dueAt: due } as const;
  await insertNoticesForThemselves(run.as(), notice, [ann]);
  await callNotify(run.as(), due);
  await run.moveTo('2026-06-03T13:00:00Z');
  expect(news()).toEqual([]);
  const [record] = await run.admin(`SELECT id FROM person_records WHERE verdict = 'DISPUTED'`);
  await answerRecord(run.as(), String(record?.id), { verdict: 'NEW_PERSON', userId: '' });
  await run.moveTo('2026-06-06T12:00:00Z');
  expect(news()).toEqual([]);
  expect(await run.admin(`SELECT FROM jobs WHERE kind = 'mail.records' AND state IN ('CALLED', 'WAITING')`)).toEqual([]);
});
