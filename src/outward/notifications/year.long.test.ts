/**
 * A year of reviews of a template with all that mails are about in each month: kickoff, reminders, reassignment, overdue items, close, removals that are
 * asked for, late and back, a conflict, and a template that makes no review. Each mail comes once, on its day, also after times in which nothing ran.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MailRun, openMailRun } from '../../../test/support/mail-run.ts';
import { readMessage } from '../../../test/support/mail-server.ts';
import { addBinding } from '../../governance/conflicts/change-entitlements.ts';
import { createMonitor, disableMonitor, enableMonitor } from '../../governance/conflicts/change-monitor.ts';
import { closeReview } from '../../governance/reviews/life/close.ts';
import { decideTask } from '../../governance/tasks/decisions/decide.ts';
import { reassignTask } from '../../governance/tasks/steering/reassign.ts';
import { createTemplate } from '../../governance/templates/create.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement';

let run: MailRun;
let monitorId: string;
beforeAll(async () => {
  run = await openMailRun('2026-12-31T12:00:00Z');
});
afterAll(() => run.close());

/** Imports who has what: the same for a whole year, and more. */
const hold = (...more: string[]): Promise<void> => {
  const lines = ['ann pay', 'bob pay', 'dan pay', ...more].map((line) => line.split(' '));
  return run.importGrants([header, ...lines.map(([who, what]) => `${who},${who}@mail.example,USER,ENABLED,role,Ledger,${what}`)], 'Ledger');
};

const two = (number: number): string => String(number).padStart(2, '0');

/** The open task about what somebody holds. */
async function taskOf(reviewId: string, who: string, what: string): Promise<string> {
  const [row] = await run.admin(
    `SELECT t.id FROM tasks t JOIN accounts a ON a.tenant_id = t.tenant_id AND a.app_id = t.app_id AND a.id = t.account_id
     JOIN entitlements e ON e.tenant_id = t.tenant_id AND e.app_id = t.app_id AND e.id = t.entitlement_id
     WHERE t.review_id = $1 AND a.external_id = $2 AND e.external_id = $3`,
    [reviewId, who, what],
  );
  return String(row?.id);
}

async function decide(reviewId: string, by: string, decision: 'APPROVE' | 'DENY', who: string, what: string): Promise<void> {
  const taskId = await taskOf(reviewId, who, what);
  await decideTask(run.as(await run.userId(by)), { taskId, decision, comment: '', policyStepId: '' });
}

/**
 * Plays a month, in which accounts are asked about beside what they hold, from its second day on; while the service is away on some days, what is
 * due then waits. Returns the mails that came.
 */
async function live(month: number, away: readonly number[] = []): Promise<string[]> {
  const extra = `ann m${month}`;
  const to = (day: number, time = '12:00'): Promise<void> => {
    const moment = `2027-${two(month)}-${two(day)}T${time}:00Z`;
    return away.includes(day) ? run.wakeAt(moment) : run.moveTo(moment);
  };
  await to(2);
  await hold(extra);
  await to(5);
  const [review] = await run.admin("SELECT id FROM reviews WHERE state = 'OPEN' AND document ->> 'displayName' = $1", [
    `Monthly, 2027-${two(month)}-01`,
  ]);
  const id = String(review?.id);
  const newUserIds = [await run.userId('dan')];
  await reassignTask(run.as(), { taskId: await taskOf(id, 'bob', 'pay'), newUserIds, comment: '', policyStepId: '' });
  await to(5, '12:30');
  await to(13);
  await decide(id, 'max', 'DENY', 'ann', `m${month}`);
  await run.finish(id, 'max');
  await run.finish(id, 'cyn');
  await to(18);
  await closeReview(run.as(), id, '');
  await to(18, '12:30');
  await to(23);
  await enableMonitor(run.as(), monitorId);
  await run.settle();
  await hold(extra, 'bob read');
  await run.pass();
  await to(24, '01:00');
  await hold(extra);
  await disableMonitor(run.as(), monitorId);
  await to(27, '20:00');
  await hold();
  await to(28, '01:00');
  await hold(extra);
  await to(28, '02:00');
  await hold();
  await to(28, '20:00');
  return run.news().map((line) => line.slice(8));
}

/** The mails of a month in which the service was always there, by day. */
function mailsOf(month: number): string[] {
  const name = `"Monthly, 2027-${two(month)}-01"`;
  const items = (count: number, who: string): string =>
    `${count} item${count === 1 ? '' : 's'} of the access review ${name} wait${count === 1 ? 's' : ''} for ${who}`;
  const remind = (day: number, who: string, count: number): string => `${two(day)}T09:00Z ${who}: Reminder: ${items(count, 'you')}`;
  return [
    ...(month === 1 ? [] : ['01T08:05Z bob: The template "Idle" made no review on 1 date']),
    `03T08:00Z cyn: ${items(2, 'you')}`,
    `03T08:00Z max: ${items(5, 'you')}`,
    `05T12:05Z dan: ${items(1, 'you')}`,
    remind(10, 'cyn', 2),
    remind(10, 'dan', 1),
    remind(10, 'max', 4),
    ...[14, 16, 17].map((day) => remind(day, 'dan', 1)),
    `18T09:00Z dan: Overdue: ${items(1, 'you')}`,
    ...['admin@ours.example', 'bob', 'cyn', 'dan', 'max'].map((who) => `18T12:00Z ${who}: The access review ${name} is closed`),
    '18T12:05Z dan: 1 removal waits for you in "Ledger"',
    `20T12:05Z bob: 1 removal is overdue after the access review ${name}`,
    '20T12:05Z dan: 1 removal is overdue in "Ledger"',
    '23T12:05Z max: 1 person or account is in the access conflict "Pays and reads"',
    '27T12:05Z admin@ours.example: 1 removal is overdue in "Ledger"',
    `28T01:05Z bob: 1 removed grant is back after the access review ${name}`,
    '28T01:05Z dan: 1 removed grant is back in "Ledger"',
  ].sort();
}

it('says everything once, on its day, and after an outage what is still true', { timeout: 900_000 }, async () => {
  const admin = run.as();
  const emailNotifications = { enabled: true, identityUserIds: [await run.userId('max')] };
  monitorId = (await createMonitor(admin, { displayName: 'Pays and reads', notificationConfig: { emailNotifications } })).id;
  for (const [name, side] of [
    ['pay', 'A'],
    ['read', 'B'],
  ] as const) {
    const [row] = await run.admin('SELECT id FROM entitlements WHERE app_id = $1 AND external_id = $2', [run.appId, name]);
    await addBinding(admin, { monitorId, appId: run.appId, entitlementId: String(row?.id), side });
  }
  await run.admin(
    'UPDATE apps SET document = jsonb_set(document, \'{annotations}\', \'{"countersign/revocation_days": "2"}\') WHERE id = $1',
    [run.appId],
  );
  await run.admin('INSERT INTO app_owners (tenant_id, app_id, user_id, created_at) VALUES ($1, $2, $3, now())', [
    run.ours.tenant.id,
    run.appId,
    await run.userId('dan'),
  ]);
  await hold();
  const owners = [await run.userId('bob')];
  const recurrenceRule = { frequency: 'FREQUENCY_MONTHLY', startDate: '2027-01-01T08:00:00Z' };
  const schedule = { isCampaignScheduleEnabled: true, recurrenceRule };
  await createTemplate(
    admin,
    {
      ...schedule,
      displayName: 'Monthly',
      autoStartCampaign: true,
      accessReviewDuration: '1209600s',
      notificationConfig: { sendKickoff: true, sendReminders: true, sendClose: true },
      scope: { accountCriteria: { accountTypes: ['APP_USER_TYPE_USER'] } },
    } as never,
    owners,
  );
  await createTemplate(admin, { ...schedule, displayName: 'Idle' } as never, owners);
  run.news();
  for (const month of [1, 2, 3]) {
    expect(await live(month), `month ${month}`).toEqual(mailsOf(month));
  }
  // Nothing runs in April. Its review was missed, that of May is made, and what Idle did not make either is said together.
  await run.wakeAt('2027-05-02T06:00:00Z');
  await run.moveTo('2027-05-02T07:00:00Z');
  const may = mailsOf(5).filter((line) => !line.startsWith('01T'));
  expect(run.news().map((line) => line.slice(8).replace(/^02T06:\d\d/, ''))).toEqual(['Z bob: 2 messages about access']);
  expect(await live(5)).toEqual(may);
  for (const month of [6, 7]) {
    expect(await live(month), `month ${month}`).toEqual(mailsOf(month));
  }
  // Away from the 5th to the 13th, when the latest reminder comes, and from the 18th to the 23rd.
  const late = mailsOf(8).map((line) => line.replace(/^10T09:00/, '13T12:00').replace(/^20T/, '23T'));
  expect(await live(8, [13, 23])).toEqual(late.sort());
  for (const month of [9, 10, 11, 12]) {
    expect(await live(month), `month ${month}`).toEqual(mailsOf(month));
  }
  // Every mail that was made was sent once or had nothing left to say, and every notice is in one.
  const states = await run.admin("SELECT DISTINCT state FROM mails WHERE state NOT IN ('SENT', 'DROPPED')");
  expect(states).toEqual([]);
  const [sent] = await run.admin("SELECT count(*)::int AS count FROM mails WHERE state = 'SENT'");
  const ids = run.mail.taken.map(({ raw }) => readMessage(raw).headers.get('message-id'));
  expect([ids.length, new Set(ids).size]).toEqual([sent?.count, sent?.count]);
  expect(await run.admin('SELECT id FROM mail_outbox WHERE mail_id IS NULL')).toEqual([]);
  const kinds = (await run.admin('SELECT DISTINCT kind FROM mail_outbox ORDER BY kind')).map(({ kind }) => String(kind));
  expect(kinds).toEqual(
    [
      ...['ASSIGNED', 'CLOSED', 'CONFLICT_ACTIVE', 'KICKOFF', 'OCCURRENCE_MISSED', 'OCCURRENCE_SKIPPED', 'REMINDER'],
      ...['REMOVALS_OVERDUE', 'REMOVALS_REAPPEARED', 'REMOVALS_REQUESTED'],
    ].sort(),
  );
});
