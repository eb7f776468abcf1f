/** Values of the variables of conditions in a snapshot: people, accounts, entitlements and tasks as they were frozen. */
import { objectValue, type Variables } from '../../../lib/cel/index.ts';
import type { CelObject } from '../../../lib/cel/values.ts';
import { accountValue, personValue } from '../../policies/index.ts';
import type { SnapshotMoment } from './plan-conditions.ts';
import type { FrozenAccount, FrozenEntitlement } from './store-conditions.ts';
import type { FrozenItem } from './store-item-conditions.ts';

/** Of an entitlement. */
export const ofEntitlement = (one: FrozenEntitlement): Variables => ({ entitlement: objectValue('AppEntitlement', { ...one }) });

/** Known facts of the task of an account; its grant says the rest. */
const taskOf = ({ createdById, takenAt }: SnapshotMoment, { account }: Pick<FrozenAccount, 'account'>, ofGrant = {}): CelObject =>
  objectValue('Task', {
    origin: 'ACCESS_REVIEW',
    subjectUserId: account.userId ?? '',
    requestorUserId: createdById,
    createdAt: takenAt,
    isGrantPermanent: undefined,
    grantDuration: undefined,
    analysis: undefined,
    ...ofGrant,
  });

/** Of an account with its owner. */
export const ofAccount = (moment: SnapshotMoment, one: FrozenAccount): Variables => ({
  subject: one.person === null ? null : personValue(one.person),
  account: one.principalKind === 'A' ? accountValue(one.account) : null,
  task: taskOf(moment, one),
});

/** Of an item: what its account and its entitlement are, when its grant began and ends, and which conflicts that makes. */
export function ofItem(moment: SnapshotMoment, one: FrozenItem): Variables {
  const { grantedAt, endsAt, monitorIds } = one;
  const task = taskOf(moment, one, {
    isGrantPermanent: endsAt === null,
    grantDuration: grantedAt === null || endsAt === null ? undefined : BigInt(endsAt.getTime() - grantedAt.getTime()) * 1_000_000n,
    analysis: { id: '', hasConflictViolations: monitorIds.length > 0, conflictViolations: monitorIds },
  });
  return { ...ofAccount(moment, one), ...ofEntitlement(one.entitlement), task };
}
