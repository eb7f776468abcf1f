/** Giving people back what was suspended as they left. Only once they are enabled again, and never by itself. */
import { AppError } from '../../errors.ts';
import { type Context, inTransaction } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { isBehind } from '../authority/index.ts';
import {
  countSuspensions,
  findSuspendedDelegate,
  findUser,
  holdPerson,
  listDelegationChain,
  listNamesAt,
  lockDelegations,
  lockRoles,
  restoreCredentials,
  restoreDelegations,
  restoreRoles,
  type SuspensionKey,
  updateUserTime,
} from '../directory/index.ts';
import { askSecondPerson, type RequestRow, type SecondPersonAct } from '../second-persons/index.ts';
import { findRestoreTakes } from '../tenants/index.ts';

/**
 * Restores what is suspended of a person, or asks another Super Administrator to where the tenant wants two: then for all of it. INVALID_ARGUMENT for
 * a request without a reason, and otherwise as `restoreSuspended` refuses.
 */
export function restoreOrAsk(
  context: Context,
  userId: string,
  chosen: readonly SuspensionKey[],
  reason: string,
): Promise<Restored | RequestRow> {
  return inTransaction(context, async (inside) => {
    if ((await findRestoreTakes(inside.db, inside.tenantId)) === 'ONE') {
      return restoreSuspended(inside, userId, chosen);
    }
    if (chosen.length > 0) {
      throw new AppError(
        'FAILED_PRECONDITION',
        'Another Super Administrator has to confirm it, and of all that is suspended: name nothing.',
      );
    }
    await requireRestorable(inside, userId, []);
    return askSecondPerson(inside, { kind: 'RESTORE_PERSON', subjectId: userId, reason });
  });
}

/** Restoring, once it is confirmed. */
export const restoreAct: SecondPersonAct = {
  async apply(context, { subjectId }) {
    if (isBehind(context.actor, subjectId)) {
      throw new AppError('FAILED_PRECONDITION', 'Nobody can confirm that they get back what they had.');
    }
    await restoreSuspended(context, subjectId, []);
  },
  async nameSubject(context, { subjectId, askedAt }) {
    const [name = ''] = await listNamesAt(context, [{ id: subjectId, at: askedAt }]);
    return name;
  },
};

/** Numbers of what is in force again, and of what stays suspended. */
export interface Restored {
  readonly roles: number;
  readonly credentials: number;
  readonly delegations: number;
  readonly left: number;
}

/** More credentials than these are counted in an event, not named. */
const maxNamed = 100;

/**
 * Restores what of a person is suspended: what is named, or all. NOT_FOUND for nobody, FAILED_PRECONDITION while they are not enabled, and where
 * something that is named is not suspended, or nothing is.
 */
function restoreSuspended(context: Context, userId: string, chosen: readonly SuspensionKey[]): Promise<Restored> {
  return inTransaction(context, async (inside) => {
    await requireRestorable(inside, userId, chosen);
    const roleIds = await restoreRoles(inside, userId, chosen);
    const credentialIds = await restoreCredentials(inside, userId, chosen);
    const { delegatedUserId, delegators } = await restoreOfDelegations(inside, userId, chosen);
    const left = await countSuspensions(inside, userId, chosen);
    await updateUserTime(inside, userId);
    await recordEvent(inside, {
      kind: 'user.restored',
      targetId: userId,
      data: {
        roleIds,
        credentialIds: credentialIds.slice(0, maxNamed),
        credentials: credentialIds.length,
        delegatedUserId,
        delegators,
        left,
      },
    });
    const delegations = delegators + (delegatedUserId === '' ? 0 : 1);
    return { roles: roleIds.length, credentials: credentialIds.length, delegations, left };
  });
}

/** Refuses to restore what is not there, or of somebody who is not; holds them as they are. */
async function requireRestorable(context: Context, userId: string, chosen: readonly SuspensionKey[]): Promise<void> {
  // As whoever disables people: nobody leaves meanwhile.
  await lockRoles(context);
  await lockDelegations(context);
  await holdPerson(context, userId);
  const user = await findUser(context, userId);
  if (user === undefined || user.erasedAt !== null) {
    throw new AppError('NOT_FOUND', 'There is no such user.');
  }
  if (user.mergedIntoId !== null) {
    throw new AppError('FAILED_PRECONDITION', 'This person was merged into another one: nothing of what they had is given back.');
  }
  if (user.status !== 'ENABLED') {
    throw new AppError(
      'FAILED_PRECONDITION',
      'This person is not enabled. Their source has to enable them first; then restore what they had.',
    );
  }
  const wanted = await countSuspensions(context, userId, chosen);
  if (wanted === 0 || wanted < chosen.length) {
    const what = chosen.length === 0 ? 'Nothing of this person is suspended' : 'Something that is named is not suspended';
    throw new AppError('FAILED_PRECONDITION', `${what}: list the suspensions again.`);
  }
}

/** The person's own first: whether those to them make a circle depends on it. */
async function restoreOfDelegations(
  context: Context,
  userId: string,
  chosen: readonly SuspensionKey[],
): Promise<{ delegatedUserId: string; delegators: number }> {
  const delegateId = (await findSuspendedDelegate(context, userId)) ?? '';
  const isCircle = delegateId !== '' && (await listDelegationChain(context, delegateId)).includes(userId);
  const own = await restoreDelegations(context, userId, chosen, 'own', isCircle ? [userId] : []);
  const delegators = await restoreDelegations(context, userId, chosen, 'others', await listDelegationChain(context, userId));
  return { delegatedUserId: own > 0 ? delegateId : '', delegators };
}
