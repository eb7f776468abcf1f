/**
 * Jobs that events set in motion: all there is, in one place, since the modules that write events know nothing of those that follow them. How a
 * reaction works is in src/jobs/reactions.ts.
 */
import { checkKind, detectKind, tickKind as conflictTickKind } from './governance/conflicts/index.ts';
import { anchorKind } from './foundation/log-proofs/index.ts';
import { followKind } from './inventory/fetches/index.ts';
import { mailReactions } from './outward/notifications/index.ts';
import { autoReportKind } from './outward/reports/index.ts';
import { handOverKind, requestKind, revocationsDueKind, sendingsKind, verifyKind } from './governance/revocations/index.ts';
import { accessKind, certifiedUntilKind, changesDates, heldKind, peopleKind, timerEvents, timersKind } from './governance/reviews/index.ts';
import { checkTaskKind, foldKind } from './governance/tasks/index.ts';
import { lookConflictsKind, lookKind, tickKind } from './governance/templates/index.ts';
import type { EventKind } from './events/index.ts';
import { createReactions, forTarget, forTenant, on, type Reaction } from './jobs/index.ts';

/** Events of changes that take a revision of the inventory: access may be gone. */
const accessChanges: readonly EventKind[] = [
  'grants.imported',
  'people.imported',
  'scim.user_created',
  'scim.user_updated',
  'scim.user_deleted',
  'scim.group_created',
  'scim.group_updated',
  'scim.group_deleted',
  'grants.expired',
  'grant.duration_changed',
  'entitlement.members_added',
  'entitlement.member_removed',
  'entitlement.deleted',
  'resource_type.merged',
  'resource.merged',
  'entitlement.merged',
  'account.updated',
  'account.deleted',
  'account.merged',
  'account.owner_changed',
  'connector.deleted',
  'connector.match_order_changed',
  'connector.sync_requested',
  'person_claim.accepted',
  'person_record.answered',
  'user.merged',
  'user.split',
  'user.erased',
  'directory.created',
  'directory.updated',
  'app.deleted',
];

/** Events of changes after which somebody may no longer be able to review, or somebody else may take over. */
const peopleChanges: readonly EventKind[] = [
  'people.imported',
  'scim.user_created',
  'scim.user_updated',
  'scim.user_deleted',
  'person_claim.accepted',
  'person_record.answered',
  'user.merged',
  'user.split',
  'service_principal.deleted',
  'user.created',
  'user.erased',
  'user.roles_changed',
  'user.suspended',
  'user.restored',
  'review.owners_changed',
  'samples.removed',
];

/** Asks for the removals that a review's policies want at once, where a decision denied some. */
const requestRemovals = (reviewId: string, { remediates = false }: { readonly remediates?: boolean | undefined } = {}) =>
  remediates ? { kind: requestKind, subjectId: reviewId } : undefined;

/** Every reaction. */
export const allReactions: readonly Reaction[] = [
  // What happened between the last look and the start is followed too.
  on([...accessChanges, 'review.started'], forTenant(accessKind)),
  on([...peopleChanges, 'review.started'], forTenant(peopleKind)),
  on(peopleChanges, forTenant(handOverKind)),
  on(timerEvents, (_event, { tenantId }) => ({ kind: timersKind, subjectId: tenantId })),
  on(['review.updated'], (event, { tenantId }) => (changesDates(event) ? { kind: timersKind, subjectId: tenantId } : undefined)),
  // A source has news, so a start that waits for it may go on.
  on([...accessChanges, 'connector.resumed', 'connector.paused'], forTenant(heldKind)),
  on(
    [
      'connector.created',
      'connector.updated',
      'connector.settings_changed',
      'connector.schedule_changed',
      'connector.paused',
      'connector.resumed',
      'connector.deleted',
    ],
    forTarget(followKind),
  ),
  on(['template.created', 'template.updated', 'tenant.time_zone_changed'], forTenant(tickKind)),
  // Whoever changes people writes one of these events; where no template looks at them, nothing was noted.
  on([...new Set([...accessChanges, ...peopleChanges])], forTenant(lookKind)),
  on(['conflicts.detected'], forTarget(lookConflictsKind)),
  on(accessChanges, forTenant(detectKind)),
  on(
    ['conflict_monitor.enabled', 'conflict_monitor.updated', 'conflict_monitor.entitlement_added', 'conflict_monitor.entitlement_removed'],
    forTarget(checkKind),
  ),
  on(['conflict_monitor.enabled', 'conflict_alert.exempted'], forTenant(conflictTickKind)),
  on(['task.restarted', 'task.hard_reset'], forTarget(checkTaskKind)),
  // Readers add up what is not folded yet, so how often this happens is a matter of speed alone. A decision or submission calls for nothing: it is one
  // statement, and whoever finds many of them calls.
  on(['review.prepared', 'review.started', 'review.closed'], forTenant(foldKind)),
  on(['review.closed'], forTarget(autoReportKind)),
  // What a review came to is held by others soon, and whoever chose a place sees whether it works.
  on(['review.closed', 'log.settings_updated', 'log.restarted'], forTenant(anchorKind)),
  // What is denied is removed from then on; some policies want that at once.
  on(['review.closed', 'review.deleted'], forTarget(requestKind)),
  on(['task.denied'], ({ data }) => requestRemovals(data?.reviewId ?? '', data)),
  on(['review.submitted'], ({ targetId = '', data }) => requestRemovals(targetId, data)),
  // The date until which a decision certified something is waited for.
  on(['task.approved'], ({ data }, { tenantId }) =>
    data?.certifyUntil === undefined ? undefined : { kind: certifiedUntilKind, subjectId: tenantId, settles: true },
  ),
  on(['review.submitted'], ({ data }, { tenantId }) =>
    data?.hasCertifyUntil === true ? { kind: certifiedUntilKind, subjectId: tenantId, settles: true } : undefined,
  ),
  on(accessChanges, forTenant(verifyKind)),
  on(
    [
      'revocations.requested',
      'revocations.requested_anew',
      'revocations.reappeared',
      'revocation.requested',
      'revocation.approved',
      'revocation.retried',
    ],
    forTenant(revocationsDueKind),
  ),
  // What a connector does is proven by a sync; what it does not any more is asked of people.
  on(
    [
      'revocation.sent',
      'revocation.carried_out',
      'revocation.claimed',
      'revocations.verified',
      'revocations.withdrawn',
      'grants.imported',
      'connector.paused',
      'connector.stale',
      'connector.deleted',
      'connector.removals_changed',
    ],
    forTenant(sendingsKind),
  ),
  ...mailReactions,
];

/** Reactions of this program's contexts. */
export const reactions = createReactions(allReactions);
