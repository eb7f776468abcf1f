/**
 * Letting somebody decide in a person's place for a while. What a delegate may do is said by the rules of tasks; here is who may be one.
 */
import { AppError, type FieldViolation, invalidField, refuseInvalid } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { findUser, holdPerson, type UserRow } from './store.ts';
import {
  type DelegationRow,
  findDelegation,
  listDelegationChain,
  lockDelegations,
  removeDelegation,
  updateDelegation,
} from './store-delegations.ts';
import { removeSuspendedDelegation } from './suspension/index.ts';

/** Delegate of somebody, and the times. */
export interface NewDelegation {
  readonly userId: string;
  /** Empty: nobody any more. */
  readonly delegatedUserId: string;
  readonly startsAt: Date | null;
  readonly expiresAt: Date | null;
}

/** A delegation as it is now; `deletedAt` where it was just ended. */
export type SetDelegation = DelegationRow & { readonly deletedAt: Date | null };

async function requireDelegator(context: Context, id: string): Promise<UserRow> {
  await holdPerson(context, id);
  const user = await findUser(context, id);
  if (user === undefined || user.status === 'DELETED') {
    throw new AppError('NOT_FOUND', 'There is no such user.');
  }
  return user;
}

function checkTimes({ startsAt, expiresAt }: NewDelegation, now: Date): void {
  const violations: FieldViolation[] = [];
  if (expiresAt !== null && expiresAt <= now) {
    violations.push({ field: 'delegationExpireAt', description: 'must be in the future; leave it out for a delegation without an end' });
  }
  if (expiresAt !== null && startsAt !== null && expiresAt <= startsAt) {
    violations.push({ field: 'delegationExpireAt', description: 'must be after delegationStartAt' });
  }
  refuseInvalid(violations);
}

async function checkDelegate(context: Context, user: UserRow, delegateId: string): Promise<void> {
  if (user.userType === 'SERVICE') {
    throw new AppError('FAILED_PRECONDITION', 'A service principal is never asked to review, so it needs no delegate.');
  }
  if (user.status !== 'ENABLED') {
    throw new AppError('FAILED_PRECONDITION', 'This person is disabled, so nobody decides in their place. Hand over their tasks.');
  }
  if (delegateId === user.id) {
    throw invalidField('delegatedUserId', 'must be another person');
  }
  await holdPerson(context, delegateId);
  const delegate = await findUser(context, delegateId);
  if (delegate === undefined || delegate.status === 'DELETED') {
    throw invalidField('delegatedUserId', 'no user has this id');
  }
  if (delegate.userType === 'SERVICE') {
    throw invalidField('delegatedUserId', 'must be a person: a service principal is never asked to review');
  }
  if (delegate.status !== 'ENABLED') {
    throw new AppError('FAILED_PRECONDITION', 'The delegate is disabled. Name an enabled person.');
  }
  if ((await listDelegationChain(context, delegateId)).includes(user.id)) {
    throw new AppError('FAILED_PRECONDITION', 'This would make a circle: this person already decides for the delegate.');
  }
}

/**
 * Sets, replaces or (without a delegate) ends the delegation of a person. Nothing changes and nothing is recorded where it is like that
 * already. NOT_FOUND for nobody; INVALID_ARGUMENT or FAILED_PRECONDITION for a delegate who cannot be one and for times that make no sense.
 */
export function setDelegation(context: Context, wanted: NewDelegation): Promise<SetDelegation> {
  return inTransaction(context, async (inside) => {
    await lockDelegations(inside);
    const user = await requireDelegator(inside, wanted.userId);
    const before = await findDelegation(inside, user.id);
    if (wanted.delegatedUserId === '') {
      return endDelegation(inside, user.id, before);
    }
    checkTimes(wanted, inside.now);
    await checkDelegate(inside, user, wanted.delegatedUserId);
    const { startsAt, expiresAt, delegatedUserId } = wanted;
    if (
      before?.delegatedUserId === delegatedUserId &&
      before.startsAt?.getTime() === startsAt?.getTime() &&
      before.expiresAt?.getTime() === expiresAt?.getTime()
    ) {
      return { ...before, deletedAt: null };
    }
    await updateDelegation(inside, { userId: user.id, delegatedUserId, startsAt, expiresAt });
    await recordEvent(inside, {
      kind: 'user.delegation_set',
      targetId: user.id,
      data: { before: before === undefined ? null : describe(before), after: describe({ delegatedUserId, startsAt, expiresAt }) },
    });
    const createdAt = before?.createdAt ?? inside.now;
    return { userId: user.id, delegatedUserId, startsAt, expiresAt, createdAt, updatedAt: inside.now, deletedAt: null };
  });
}

async function endDelegation(context: Context, userId: string, before: DelegationRow | undefined): Promise<SetDelegation> {
  const { now } = context;
  await removeSuspendedDelegation(context, userId);
  if (before === undefined) {
    return { userId, delegatedUserId: '', startsAt: null, expiresAt: null, createdAt: now, updatedAt: now, deletedAt: now };
  }
  await removeDelegation(context, userId);
  await recordEvent(context, {
    kind: 'user.delegation_ended',
    targetId: userId,
    data: { before: describe(before) },
  });
  return { ...before, delegatedUserId: '', updatedAt: now, deletedAt: now };
}

function describe({ delegatedUserId, startsAt, expiresAt }: Pick<DelegationRow, 'delegatedUserId' | 'startsAt' | 'expiresAt'>) {
  return { delegatedUserId, startsAt: startsAt?.toISOString() ?? null, expiresAt: expiresAt?.toISOString() ?? null };
}
