/**
 * The job that makes mails of what is due: one for each person, of whatever they have to learn. Sending them is send-mail.ts; nothing is rendered here, so
 * that a mail says what is true when it leaves.
 */
import type { Context } from '../../context.ts';
import { callAgain, type JobKind } from '../../jobs/index.ts';
import { newId } from '../../wire/ids.ts';
import { enqueueDelivery } from '../../foundation/deliveries/index.ts';
import { insertMails, mailDeliveryKind, updateFutureNotices, updatePace } from './mailers/index.ts';
import { findNextDue, listDuePeople, notifyKind } from './notices/index.ts';

/** Mails of one transaction. */
const mailsPerChunk = 500;

/** The job, with the most mails of a tenant in a minute. */
export function createNotifyJob(perMinute: number): JobKind {
  return {
    // Giving up would silently leave people without their mails.
    maxAttempts: Number.MAX_SAFE_INTEGER,
    async handler(context, job) {
      const after = typeof job.cursor.after === 'string' ? job.cursor.after : '';
      if (after === '') {
        await updateFutureNotices(context);
      }
      const people = await listDuePeople(context, after, mailsPerChunk);
      if (people.length > 0) {
        await makeMails(context, people, 60_000 / perMinute);
      }
      const last = people.at(-1);
      if (last !== undefined && people.length === mailsPerChunk) {
        return { cursor: { after: last }, done: job.done + people.length, total: 0 };
      }
      const next = await findNextDue(context);
      if (next !== undefined) {
        await callAgain(
          context.db,
          { tenantId: context.tenantId, kind: notifyKind, subjectId: context.tenantId, runAt: next },
          context.now,
        );
      }
      return 'finished';
    },
  };
}

async function makeMails(context: Context, people: readonly string[], gapMs: number): Promise<void> {
  const mails = people.map((personId) => ({ id: newId(context.now), personId }));
  await insertMails(context, mails);
  const first = await updatePace(context, mails.length, gapMs);
  for (const [index, { id }] of mails.entries()) {
    const runAt = new Date(first.getTime() + index * gapMs);
    await enqueueDelivery(context, { kind: mailDeliveryKind, subjectId: id, idempotencyKey: id, runAt });
  }
}
