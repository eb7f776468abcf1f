/** Mails to delegates: each item goes to whoever may decide it, once, whichever way it reaches them, and as things stand when the mail leaves. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MailRun, openMailRun } from '../../../../test/support/mail-run.ts';
import { readMessage } from '../../../../test/support/mail-server.ts';
import { setDelegation } from '../../../foundation/directory/set-delegation.ts';
import { remindReview } from '../../../governance/reviews/life/remind.ts';
import { reassignTask } from '../../../governance/tasks/steering/reassign.ts';
import { remindTask } from '../../../governance/tasks/steering/remind.ts';

let run: MailRun;
beforeEach(async () => {
  run = await openMailRun('2026-06-01T12:00:00Z');
});
afterEach(() => run.close());

/** From now on, or never more, somebody decides in the place of another. */
const delegate = async (from: string, to = '', expiresAt: string | null = null): Promise<void> => {
  const delegatedUserId = to === '' ? '' : await run.userId(to);
  await setDelegation(run.as(), {
    userId: await run.userId(from),
    delegatedUserId,
    startsAt: null,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  });
};

/** An open task about somebody's access, the first of those they have. */
async function taskAbout(reviewId: string, name: string): Promise<string> {
  const [row] = await run.admin("SELECT id FROM tasks WHERE review_id = $1 AND state = 'OPEN' AND user_id = $2 ORDER BY id LIMIT 1", [
    reviewId,
    await run.userId(name),
  ]);
  return String(row?.id);
}

const reassign = async (taskId: string, ...names: string[]): Promise<void> => {
  const newUserIds = await Promise.all(names.map(run.userId));
  await reassignTask(run.as(), { taskId, newUserIds, comment: '', policyStepId: '' });
  await run.settle();
};

/** Mails since this was asked last, without their moments; none of those to administrators. */
const news = (): string[] =>
  run
    .news()
    .map((line) => line.slice(18))
    .filter((line) => !line.startsWith('admin'));
const textTo = (name: string): string => readMessage(run.mail.to(`${name}@mail.example`).at(-1)?.raw ?? '').text;
const kickoff = { displayName: 'R', notificationConfig: { sendKickoff: true } };

describe('mails to delegates', () => {
  it('leave with the reviewer what is the access of the delegate', async () => {
    // Of the three items that Max is asked about, two are Ann's.
    await delegate('max', 'ann');
    const id = await run.open(kickoff);
    expect(news()).toEqual([
      'ann: 1 item of the access review "R" waits for you',
      'cyn: 1 item of the access review "R" waits for you',
      'max: 2 items of the access review "R" wait for you',
    ]);
    expect(textTo('ann')).toContain('1 item waits for you as the delegate of Max Manager.');
    await remindReview(run.as(), id);
    await run.pass();
    const reminded = ['ann: Reminder: 1 item', 'cyn: Reminder: 1 item', 'max: Reminder: 2 items'];
    expect(news().map((line) => line.slice(0, line.indexOf(' of')))).toEqual(reminded);
    await run.moveTo('2026-06-01T12:30:00Z');
    await remindTask(run.as(), await taskAbout(id, 'ann'));
    await run.pass();
    expect(news().map((line) => line.slice(0, line.indexOf(' of')))).toEqual(['max: Reminder: 2 items']);
  });

  it('go along a chain of delegates to its end, and back to the last who may decide', async () => {
    await delegate('max', 'cyn');
    await delegate('cyn', 'dan');
    await run.open(kickoff);
    // Cyn is asked about Dan's access alone.
    expect(news()).toEqual(['cyn: 1 item of the access review "R" waits for you', 'dan: 3 items of the access review "R" wait for you']);
    expect(textTo('dan')).toContain('3 items wait for you as the delegate of Max Manager.');
  });

  it('come to the end of a circle that times or merges left', async () => {
    await delegate('max', 'cyn');
    await run.admin(
      'INSERT INTO delegations (tenant_id, user_id, delegated_user_id, created_at, updated_at) SELECT tenant_id, delegated_user_id, user_id, created_at, updated_at FROM delegations',
      [],
    );
    await run.open(kickoff);
    expect(news()).toEqual(['cyn: 3 items of the access review "R" wait for you', 'max: 1 item of the access review "R" waits for you']);
  });

  it('count an item once that asks the delegate, too, or two whose delegate they are', async () => {
    const id = await run.open({ displayName: 'R' });
    await delegate('max', 'dan');
    await delegate('cyn', 'dan');
    await reassign(await taskAbout(id, 'ann'), 'max', 'dan');
    await reassign(await taskAbout(id, 'bob'), 'max', 'cyn');
    await run.moveTo('2026-06-01T12:10:00Z');
    // Of Max alone, of Max and Dan, of Max and Cyn; Dan's own access waits for Cyn.
    expect(news()).toEqual(['dan: 3 items of the access review "R" wait for you']);
    const text = textTo('dan');
    expect(text).toContain('3 items wait for your decision.');
    expect(text.match(/\d items? waits? for you as the delegate of .*\./g)?.length ?? 0).toBeLessThanOrEqual(2);
    await run.moveTo('2026-06-01T13:00:00Z');
    await remindReview(run.as(), id);
    await run.pass();
    expect(news()).toEqual([
      'cyn: Reminder: 1 item of the access review "R" waits for you',
      'dan: Reminder: 3 items of the access review "R" wait for you',
    ]);
  });

  it('follow a delegation that begins or ends before the mail leaves', async () => {
    const id = await run.open({ displayName: 'R' });
    await reassign(await taskAbout(id, 'dan'), 'max');
    await delegate('max', 'cyn');
    await run.moveTo('2026-06-01T12:10:00Z');
    expect(news()).toEqual(['cyn: 4 items of the access review "R" wait for you']);
    await reassign(await taskAbout(id, 'dan'), 'cyn');
    await reassign(await taskAbout(id, 'dan'), 'max');
    await delegate('max');
    await run.moveTo('2026-06-01T12:20:00Z');
    expect(news()).toEqual(['max: 4 items of the access review "R" wait for you']);
  });

  it('go back to the reviewer when the delegate leaves before the mail does', async () => {
    const id = await run.open({ displayName: 'R' });
    await delegate('max', 'cyn');
    await reassign(await taskAbout(id, 'dan'), 'max');
    await run.admin("UPDATE users SET status = 'DISABLED' WHERE email_key = 'cyn@mail.example'", []);
    await run.moveTo('2026-06-01T12:10:00Z');
    expect(news()).toEqual(['max: 4 items of the access review "R" wait for you']);
  });

  it('remind, and say what is overdue, by the same counts', async () => {
    await delegate('max', 'ann');
    await run.open({ displayName: 'R', completionDate: '2026-06-10T12:00:00Z', notificationConfig: { sendReminders: true } });
    await run.moveTo('2026-06-09T12:00:00Z');
    expect([...new Set(news())]).toEqual([
      'ann: Reminder: 1 item of the access review "R" waits for you',
      'cyn: Reminder: 1 item of the access review "R" waits for you',
      'max: Reminder: 2 items of the access review "R" wait for you',
    ]);
    await run.moveTo('2026-06-11T12:00:00Z');
    expect([...new Set(news())].filter((line) => line.includes('Overdue'))).toEqual([
      'ann: Overdue: 1 item of the access review "R" waits for you',
      'cyn: Overdue: 1 item of the access review "R" waits for you',
      'max: Overdue: 2 items of the access review "R" wait for you',
    ]);
  });
});
