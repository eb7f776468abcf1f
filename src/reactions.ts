/**
 * Which event sets which job in motion: all there is, in one place, since the modules that write events know nothing of those that follow them.
 * How a reaction works is in src/jobs/reactions.ts.
 */
import { checkKind, detectKind, tickKind as conflictTickKind } from './domains/conflicts/index.ts';
import { mailReactions } from './domains/notifications/index.ts';
import { autoReportKind } from './domains/reports/index.ts';
import { handOverKind, requestKind, revocationsDueKind, verifyKind } from './domains/revocations/index.ts';
import { accessKind, certifiedUntilKind, changesDates, heldKind, peopleKind, timerEvents, timersKind } from './domains/reviews/index.ts';
import { checkTaskKind, foldKind } from './domains/tasks/index.ts';
import { lookConflictsKind, lookKind, tickKind } from './domains/templates/index.ts';
import { createReactions, type Decide, forTarget, forTenant, on, type Reaction } from './jobs/index.ts';

/** Events of changes that take a revision of the inventory: access may be gone. */
const accessChanges = [
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
  'account.updated',
  'account.deleted',
  'account.owner_changed',
  'connector.deleted',
  'connector.match_order_changed',
  'connector.sync_requested',
  'directory.created',
  'directory.updated',
  'app.deleted',
];

/** Events of changes after which somebody may no longer be able to review, or somebody else may take over. */
const peopleChanges = [
  'people.imported',
  'scim.user_created',
  'scim.user_updated',
  'scim.user_deleted',
  'service_principal.deleted',
  'user.created',
  'user.roles_changed',
  'review.owners_changed',
  'samples.removed',
];

/** Asks for the removals that a review's policies want at once, where a decision denied some. */
const remediationOf: Decide = ({ targetId = '', targetType, data = {} }) => {
  const { remediates = false, reviewId = '' } = data as { readonly remediates?: boolean; readonly reviewId?: string };
  return remediates ? { kind: requestKind, subjectId: targetType === 'access_review' ? targetId : reviewId } : undefined;
};

/** Waits for the date until which a decision certified something. */
const waitOf: Decide = ({ data = {} }, { tenantId }) => {
  const { certifyUntil, hasCertifyUntil = false } = data as { readonly certifyUntil?: string; readonly hasCertifyUntil?: boolean };
  return certifyUntil !== undefined || hasCertifyUntil ? { kind: certifiedUntilKind, subjectId: tenantId, settles: true } : undefined;
};

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
  // What is denied is removed from then on; some policies want that at once.
  on(['review.closed', 'review.deleted'], forTarget(requestKind)),
  on(['task.denied', 'review.submitted'], remediationOf),
  on(['task.approved', 'review.submitted'], waitOf),
  on(accessChanges, forTenant(verifyKind)),
  on(
    ['revocations.requested', 'revocations.reappeared', 'revocation.requested', 'revocation.approved', 'revocation.retried'],
    forTenant(revocationsDueKind),
  ),
  ...mailReactions,
];

/** What the contexts of this program carry. */
export const reactions = createReactions(allReactions);
