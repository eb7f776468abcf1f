/** Events that the mails follow; src/reactions.ts puts them among the others. */
import { forTarget, forTenant, on, type Reaction } from '../../jobs/index.ts';
import { addressChangesJobKind } from './address-mail.ts';
import { noticeJobKinds } from './notice-jobs.ts';
import { subjectJobKinds } from './subject-jobs.ts';
import { recordsJobKind } from './record-jobs.ts';
import { changesReminders, remindersKind } from './remind.ts';
import { signInLinkJobKind } from './sign-in-mail.ts';
import { sourceJobKind } from './source-jobs.ts';

/** Every reaction of this module. */
export const mailReactions: readonly Reaction[] = [
  on(['sign_in_link.requested'], forTarget(signInLinkJobKind)),
  on(
    [
      'people.imported',
      'scim.user_created',
      'scim.user_updated',
      'person_claim.accepted',
      'person_record.answered',
      'user.merged',
      'user.split',
    ],
    forTenant(addressChangesJobKind),
  ),
  on(['people.imported', 'scim.user_created', 'scim.user_updated'], forTenant(recordsJobKind)),
  on(['review.started'], forTarget(noticeJobKinds.started)),
  on(['review.reminded'], forTarget(noticeJobKinds.reminded)),
  on(['review.reviewer_handed_over'], forTarget(noticeJobKinds.handedOver)),
  on(['review.closed'], forTarget(noticeJobKinds.closed)),
  on(['review.prepare_failed', 'review.start_failed', 'review.start_held'], forTarget(noticeJobKinds.owners)),
  on(['review.close_held'], forTarget(noticeJobKinds.closeHeld)),
  on(['report.generated'], forTarget(noticeJobKinds.reported)),
  on(['task.reminded', 'task.reassigned', 'task.restarted', 'task.hard_reset', 'task.escalated'], forTarget(noticeJobKinds.task)),
  on(['second_review.drawn'], forTarget(subjectJobKinds.secondReview)),
  on(['conflicts.detected'], forTarget(subjectJobKinds.conflicts)),
  on(['template.occurrence_missed', 'template.occurrence_skipped', 'template.trigger_failed'], forTarget(subjectJobKinds.template)),
  on(
    [
      'revocations.requested',
      'revocations.requested_anew',
      'revocations.handed_over',
      'revocation.requested',
      'revocation.approved',
      'revocation.retried',
      'revocation.failed',
      'revocations.left_to_people',
      'revocations.reappeared',
      'revocation.overdue',
    ],
    forTarget(subjectJobKinds.removals),
  ),
  on(
    [
      'connector.fetch_failing',
      'connector.sync_held',
      'connector.stale',
      'connector.recovered',
      'connector.resumed',
      'connector.credential_created',
      'connector.hello',
    ],
    forTarget(sourceJobKind),
  ),
  on(['review.submitted'], (event) => ({ kind: noticeJobKinds.decided, subjectId: event.targetId ?? '', settles: true })),
  on(['task.approved', 'task.step_skipped'], (event) => {
    // A decision that ends its task asks nobody else, and is no transaction of its own that a call could be part of.
    const { reviewId = '', outcome = '' } = event.data ?? {};
    return reviewId === '' || outcome !== '' ? undefined : { kind: noticeJobKinds.decided, subjectId: reviewId, settles: true };
  }),
  on(['review.started', 'tenant.time_zone_changed'], (_event, { tenantId }) => ({ kind: remindersKind, subjectId: tenantId })),
  on(['review.updated'], (event, { tenantId }) => (changesReminders(event) ? { kind: remindersKind, subjectId: tenantId } : undefined)),
];
