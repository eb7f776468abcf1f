/** A mail says days as its reader's clocks have them, as the console does: in their own time zone, else in that of the tenant. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MailRun, openMailRun } from '../../../test/support/mail-run.ts';
import { readMessage } from '../../../test/support/mail-server.ts';
import { setPreferences } from '../../foundation/directory/preferences/index.ts';

let run: MailRun;
beforeAll(async () => {
  run = await openMailRun('2026-06-01T09:00:00Z');
});
afterAll(() => run.close());

it('the due date is the day on which it is due where its reader is', async () => {
  const max = await run.userId('max');
  await setPreferences(run.as(max), { theme: 'SYSTEM', language: '', timeZone: 'Pacific/Auckland', letterKeys: true, keys: {} });
  await run.open({ displayName: 'Ledger', completionDate: '2026-06-10T20:00:00Z', notificationConfig: { sendKickoff: true } });
  await run.moveTo('2026-06-01T10:00:00Z');
  const days = run.mail.taken.map(({ to, raw }) => `${to[0]}: ${/due on (.*?):/.exec(readMessage(raw).text)?.[1]}`);
  expect(days.sort()).toEqual(['cyn@mail.example: Wednesday, 10 June 2026', 'max@mail.example: Thursday, 11 June 2026']);
});
