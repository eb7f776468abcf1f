/**
 * Notices whose reader changed: between writing a notice down and its mail a delegation may begin or end, or a delegate leave. Whoever decides by now gets
 * the notice, too; the mail of the first reader says only what is left to them.
 */
import type { Context } from '../../../context.ts';
import { callNotify, isAsking } from './notices.ts';
import { hasDelegate, type Recipient } from './store-facts.ts';
import { insertNoticesForSuccessors, type NoticeRow } from './store-notices.ts';

/** Writes down, for whoever decides by now, the notices of a mail that ask its reader, where that may be somebody else. */
export async function passOn(context: Context, recipient: Recipient, notices: readonly NoticeRow[]): Promise<void> {
  const asking = notices.filter(({ kind }) => isAsking(kind));
  if (asking.length === 0) {
    return;
  }
  const mayDiffer = recipient.status !== 'ENABLED' || (await hasDelegate(context, recipient.id));
  let added = 0;
  for (const { kind, subjectId, slot, reviewId, data, onBehalfId } of asking) {
    if (mayDiffer || onBehalfId !== '') {
      const notice = { kind, subjectId, slot, reviewId, data, dueAt: context.now };
      added += await insertNoticesForSuccessors(context, notice, onBehalfId === '' ? recipient.id : onBehalfId);
    }
  }
  if (added > 0) {
    await callNotify(context, context.now);
  }
}
