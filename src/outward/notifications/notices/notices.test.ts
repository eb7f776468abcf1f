/** Recipients of mails: each event, each kind of mail, and what makes it go without. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailRun, openMailRun } from '../../../../test/support/mail-run.ts';
import { readMessage } from '../../../../test/support/mail-server.ts';
import { inTransaction } from '../../../context.ts';
import { recordEvent } from '../../../../test/support/any-event.ts';
import { setDelegation } from '../../../foundation/directory/set-delegation.ts';
import { updatePolicy } from '../../../governance/policies/update.ts';
import { closeReview } from '../../../governance/reviews/life/close.ts';
import { remindReview } from '../../../governance/reviews/life/remind.ts';
import { reassignTask } from '../../../governance/tasks/steering/reassign.ts';
import { remindTask } from '../../../governance/tasks/steering/remind.ts';

let run: MailRun;
beforeAll(async () => {
  run = await openMailRun('2026-06-01T12:00:00Z');
});
afterAll(() => run.close());

/** An open task that somebody is asked by. */
async function someTask(reviewId: string, name: string): Promise<string> {
  const [row] = await run.admin(
    `SELECT t.id FROM tasks t JOIN task_assignments s ON s.tenant_id = t.tenant_id AND s.id = t.assignment_id
     WHERE t.review_id = $1 AND t.state = 'OPEN' AND $2 = ANY (s.user_ids) ORDER BY t.id LIMIT 1`,
    [reviewId, await run.userId(name)],
  );
  return String(row?.id);
}

/** Records another module's event. */
const occur = (kind: string, targetType: string, targetId: string, data: object = {}, reviewId = targetId): Promise<void> =>
  inTransaction(run.as(), async (inside) => {
    await recordEvent(inside, { kind, targetType, targetId, reviewId, data });
  }).then(run.pass);

const reassign = async (taskId: string, ...names: string[]): Promise<void> => {
  const newUserIds = await Promise.all(names.map(run.userId));
  await reassignTask(run.as(), { taskId, newUserIds, comment: '', policyStepId: '' });
};

describe('notices', () => {
  it('of several reviews that are due together are one mail', async () => {
    const first = await run.open({ displayName: 'A', notificationConfig: { sendReminders: true } });
    const second = await run.open({ displayName: 'B', notificationConfig: { sendReminders: true } });
    await run.moveTo('2026-06-08T10:00:00Z');
    expect(run.news()).toEqual([
      '2026-06-08T09:00Z cyn: 2 messages about access reviews',
      '2026-06-08T09:00Z max: 2 messages about access reviews',
    ]);
    const { text } = readMessage(run.mail.to('max@mail.example').at(-1)?.raw ?? '');
    expect(text.match(/^Access review "[AB]"$/gm)).toEqual(['Access review "A"', 'Access review "B"']);
    for (const id of [first, second]) {
      await closeReview(run.as(), id, '');
      await run.settle();
      // Both have their part of the evidence, in an event each.
      expect(await run.events(id)).toEqual(['mail.sent', 'mail.sent']);
    }
  });

  it('of tasks that are reassigned go to those newly asked, together after some minutes', async () => {
    const id = await run.open({ displayName: 'Moved' });
    await run.moveTo('2026-06-08T12:01:00Z');
    await reassign(await someTask(id, 'max'), 'dan');
    await reassign(await someTask(id, 'max'), 'max', 'dan');
    await run.moveTo('2026-06-08T12:30:00Z');
    expect(run.news()).toEqual(['2026-06-08T12:05Z dan: 2 items of the access review "Moved" wait for you']);
    // Those who decided before the mail left get none.
    await reassign(await someTask(id, 'cyn'), 'max');
    // Whom the task asks is looked up by the job that follows: after the decision it would find nobody, and write no mail that could be dropped.
    await run.settle();
    await run.finish(id, 'max');
    await run.moveTo('2026-06-08T13:00:00Z');
    expect(run.news()).toEqual([]);
    expect((await run.events(id)).at(-1)).toBe('mail.dropped');
    await closeReview(run.as(), id, '');
    await run.settle();
  });

  it('of reminders on demand go at once, each time', async () => {
    const id = await run.open({ displayName: 'Asked' });
    await run.moveTo('2026-06-09T12:00:00Z');
    await occur('review.reminded', 'access_review', id);
    await occur('task.reminded', 'task', await someTask(id, 'cyn'), { reviewId: id }, id);
    await occur('review.reminded', 'access_review', id);
    expect(run.news()).toEqual([
      '2026-06-09T12:00Z cyn: Reminder: 1 item of the access review "Asked" waits for you',
      '2026-06-09T12:00Z cyn: Reminder: 1 item of the access review "Asked" waits for you',
      '2026-06-09T12:00Z cyn: Reminder: 1 item of the access review "Asked" waits for you',
      '2026-06-09T12:00Z max: Reminder: 3 items of the access review "Asked" wait for you',
      '2026-06-09T12:00Z max: Reminder: 3 items of the access review "Asked" wait for you',
    ]);
  });

  it('of an end go to everybody who was ever asked, and to the owners', async () => {
    const id = await run.open({ displayName: 'Ended', notificationConfig: { sendClose: true }, autoGenerateReport: true }, [
      await run.userId('bob'),
    ]);
    await reassign(await someTask(id, 'max'), 'dan');
    await reassign(await someTask(id, 'dan'), 'max');
    await run.finish(id, 'max');
    await closeReview(run.as(), id, '');
    await run.moveTo('2026-06-09T13:00:00Z');
    const news = run.news().filter((line) => !line.includes('wait'));
    const closed = ['admin@ours.example', 'bob', 'cyn', 'dan', 'max'];
    expect(news.filter((line) => line.includes('is closed')).map((line) => line.slice(18).split(':')[0])).toEqual(closed);
    expect(news.filter((line) => !line.includes('is closed'))).toEqual([
      '2026-06-09T12:00Z bob: The report of the access review "Ended" is ready',
    ]);
  });

  it('of what goes wrong go to the owners', async () => {
    const id = await run.open({ displayName: 'Late' }, [await run.userId('bob')]);
    await occur('review.start_held', 'access_review', id, { sources: [] });
    await occur('review.prepare_failed', 'access_review', id, { error: 'No <items>.' });
    await occur('review.close_held', 'access_review', id, { userIds: [await run.userId('dan')] });
    expect(run.news().map((line) => line.slice(18))).toEqual([
      'bob: The access review "Late" could not be prepared',
      'bob: The access review "Late" waits for an acknowledgement',
      'bob: The start of the access review "Late" is held',
      'dan: The access review "Late" waits for an acknowledgement',
    ]);
    await closeReview(run.as(), id, '');
    await run.settle();
  });

  it('of reminders that name people go to them alone', async () => {
    const id = await run.open({ displayName: 'Some' });
    await run.moveTo('2026-06-10T12:00:00Z');
    run.news();
    await occur('review.reminded', 'access_review', id, { userIds: [await run.userId('max'), await run.userId('bob')] });
    expect(run.news()).toEqual(['2026-06-10T12:00Z max: Reminder: 3 items of the access review "Some" wait for you']);
    await closeReview(run.as(), id, '');
    await run.settle();
    run.news();
  });

  it('of reminders reach nobody twice in a quarter of an hour, whether of the review or of its tasks', async () => {
    const id = await run.open({ displayName: 'Once' });
    await run.moveTo('2026-06-10T14:00:00Z');
    run.news();
    const [first, second] = await run.admin(
      `SELECT t.id FROM tasks t JOIN task_assignments s ON s.tenant_id = t.tenant_id AND s.id = t.assignment_id
       WHERE t.review_id = $1 AND t.state = 'OPEN' AND $2 = ANY (s.user_ids) ORDER BY t.id LIMIT 2`,
      [id, await run.userId('max')],
    );
    const max = await run.userId('max');
    expect(await remindTask(run.as(), String(first?.id))).toMatchObject({ remindedUserIds: [max], leftOutUserIds: [] });
    await run.pass();
    expect(await remindTask(run.as(), String(second?.id))).toEqual({ actionId: '', remindedUserIds: [], leftOutUserIds: [max] });
    expect(await remindReview(run.as(), id)).toMatchObject({ people: 1, leftOut: 1 });
    await run.pass();
    expect(run.news()).toEqual([
      '2026-06-10T14:00Z cyn: Reminder: 1 item of the access review "Once" waits for you',
      '2026-06-10T14:00Z max: Reminder: 3 items of the access review "Once" wait for you',
    ]);
    await run.moveTo('2026-06-10T14:16:00Z');
    await reassign(String(second?.id), 'max', 'cyn');
    await run.moveTo('2026-06-10T14:25:00Z');
    run.news();
    await remindReview(run.as(), id, [max]);
    await run.pass();
    expect(await remindTask(run.as(), String(second?.id))).toMatchObject({
      remindedUserIds: [await run.userId('cyn')],
      leftOutUserIds: [max],
    });
    await run.pass();
    expect(run.news().map((line) => line.slice(18, 31))).toEqual(['cyn: Reminder', 'max: Reminder']);
    await closeReview(run.as(), id, '');
    await run.settle();
  });

  it('go to the delegate alone where the step allows it, and never to somebody disabled', async () => {
    const [policy] = await run.admin("SELECT id FROM policies WHERE document ->> 'policyType' = 'POLICY_TYPE_CERTIFY' LIMIT 1");
    const steps = (allowDelegation: boolean) => ({
      policySteps: { certify: { steps: [{ approval: { manager: { fallback: true }, allowDelegation } }] } },
    });
    await setDelegation(run.as(), {
      userId: await run.userId('max'),
      delegatedUserId: await run.userId('dan'),
      startsAt: null,
      expiresAt: null,
    } as never);
    await run.admin("UPDATE users SET status = 'DISABLED' WHERE email_key = 'cyn@mail.example'");
    await updatePolicy(run.as(), String(policy?.id), steps(true) as never, undefined as never);
    await run.open({ displayName: 'For Dan', notificationConfig: { sendKickoff: true } });
    expect(
      run
        .news()
        .map((line) => line.slice(18))
        .filter((line) => !line.startsWith('admin')),
    ).toEqual(['dan: 3 items of the access review "For Dan" wait for you']);
    const { text } = readMessage(run.mail.to('dan@mail.example').at(-1)?.raw ?? '');
    expect(text).toContain('3 items wait for you as the delegate of Max Manager.');
    await updatePolicy(run.as(), String(policy?.id), steps(false) as never, undefined as never);
    await run.open({ displayName: 'For Max', notificationConfig: { sendKickoff: true } });
    expect(
      run
        .news()
        .map((line) => line.slice(18))
        .filter((line) => !line.startsWith('admin')),
    ).toEqual(['max: 3 items of the access review "For Max" wait for you']);
  });
});
