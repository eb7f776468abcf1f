/** Asking for a removal that no review denied: by administrators, by owners of the app, and by whoever holds the access. */
import { AppError, type FieldViolation, invalidFields, refuseInvalid } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { isSuperAdmin } from '../../foundation/authority/index.ts';
import { beginRequested } from './request.ts';
import { describeRemoval, findRevocation } from './record/index.ts';
import { type Asked, findAsked, insertHeld, listHolders, lockAccess } from './store-create.ts';
import { updateOneRequested } from './store-request.ts';

/** Removal that is asked for; the account by its id, or as the one of a person. */
export interface RemovalRequest {
  readonly appId: string;
  readonly entitlementId: string;
  readonly accountId: string;
  readonly userId: string;
  readonly description: string;
}

const longest = 10_000;

function checkFields(asked: RemovalRequest): void {
  const found: FieldViolation[] = [];
  const require = (field: string, value: string): void => {
    if (value === '') {
      found.push({ field, description: 'must not be empty' });
    }
  };
  require('appId', asked.appId);
  require('appEntitlementId', asked.entitlementId);
  if (asked.accountId === '' && asked.userId === '') {
    found.push({
      field: 'appUserId',
      description: 'must name the account that holds the entitlement, or identityUserId the person who owns it',
    });
  }
  if (asked.description.length > longest) {
    found.push({ field: 'description', description: `must have at most ${longest} characters` });
  }
  refuseInvalid(found);
}

/** The one account that is meant; everything that is wrong with the request at once. */
async function findHolder(context: Context, asked: RemovalRequest, named: Asked): Promise<{ accountId: string; userId: string | null }> {
  const { hasEntitlement, hasAccount, hasPerson } = named;
  const found: FieldViolation[] = [];
  if (!hasEntitlement) {
    found.push({ field: 'appEntitlementId', description: 'the app has no such entitlement' });
  }
  if (asked.accountId !== '' && !hasAccount) {
    found.push({ field: 'appUserId', description: 'the app has no such account' });
  }
  if (asked.userId !== '' && !hasPerson) {
    found.push({ field: 'identityUserId', description: 'there is no such person' });
  }
  const holders = found.length > 0 ? [] : await listHolders(context, asked);
  const [holder] = holders;
  if (found.length === 0 && holder === undefined) {
    throw new AppError(
      'FAILED_PRECONDITION',
      'Nobody holds this access: the account, or any of the person, does not have the entitlement.',
    );
  }
  if (holders.length > 1) {
    found.push({ field: 'appUserId', description: 'several accounts of this person hold the entitlement: name one of them' });
  }
  if (found.length > 0 || holder === undefined) {
    throw invalidFields(found);
  }
  return holder;
}

/**
 * Requests the removal of access and returns the id of its task. 400 with everything that is wrong, or where nobody holds it; 404 for an app there is
 * not, 403 for all but Super Administrators, owners of the app and whoever holds the access, 409 while a removal of the same access is open.
 */
export async function requestRemoval(context: Context, asked: RemovalRequest): Promise<string> {
  checkFields(asked);
  return inTransaction(context, async (inner) => {
    const named = await findAsked(inner, asked);
    if (!named.hasApp) {
      throw new AppError('NOT_FOUND', 'There is no such app.');
    }
    const isOwn = named.isOwnAccount || (asked.accountId === '' && asked.userId !== '' && asked.userId === inner.actor.userId);
    if (!isSuperAdmin(inner.actor) && !named.isOwner && !isOwn) {
      throw new AppError(
        'PERMISSION_DENIED',
        'Only owners of the app, Super Administrators and whoever holds the access may request that it is removed.',
      );
    }
    const { accountId, userId } = await findHolder(inner, asked, named);
    const { appId, entitlementId, description } = asked;
    const open = await lockAccess(inner, { appId, entitlementId, accountId });
    if (open !== undefined) {
      const row = await findRevocation(inner, open);
      throw new AppError(
        'CONFLICT',
        `A removal of this access is open already: ${open} (${row === undefined ? '' : describeRemoval(row)}).`,
      );
    }
    const id = newId(inner.now);
    await insertHeld(inner, { id, appId, entitlementId, accountId, userId, description });
    await updateOneRequested(inner, id);
    const begun = await beginRequested(inner, [id]);
    const row = await findRevocation(inner, id);
    const taskId = row?.revokeTaskId ?? '';
    if (taskId === '') {
      throw new AppError('FAILED_PRECONDITION', 'This access has ended already: there is nothing to remove.');
    }
    await recordEvent(inner, {
      kind: 'revocation.requested',
      targetId: id,
      data: { appId, entitlementId, accountId, personId: userId ?? '', taskId, description, ...begun },
    });
    return taskId;
  });
}
