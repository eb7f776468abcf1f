/**
 * Which event sets which job in motion: all there is, in one place, since the modules that write events know nothing of those that follow them.
 * How a reaction works is in src/jobs/reactions.ts.
 */
import { autoReportKind } from './domains/reports/index.ts';
import { accessKind, changesDates, peopleKind, timersKind } from './domains/reviews/index.ts';
import { checkTaskKind } from './domains/tasks/index.ts';
import { createReactions, forTarget, forTenant, on, type Reaction } from './jobs/index.ts';

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
];

/** Every reaction. */
export const allReactions: readonly Reaction[] = [
  // What happened between the last look and the start is followed too.
  on([...accessChanges, 'review.started'], forTenant(accessKind)),
  on([...peopleChanges, 'review.started'], forTenant(peopleKind)),
  on(['review.prepared', 'review.scheduled', 'review.started'], (_event, { tenantId }) => ({ kind: timersKind, subjectId: tenantId })),
  on(['review.updated'], (event, { tenantId }) => (changesDates(event) ? { kind: timersKind, subjectId: tenantId } : undefined)),
  on(['task.restarted'], forTarget(checkTaskKind)),
  on(['review.closed'], forTarget(autoReportKind)),
];

/** What the contexts of this program carry. */
export const reactions = createReactions(allReactions);
