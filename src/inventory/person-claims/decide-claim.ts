/** Accepting and rejecting what a source asks to change of a person. */
import { sayState } from '../../lib/names/say-state.ts';
import { AppError, orThrow } from '../../errors.ts';
import { type Context, inTransaction } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { setLockWait } from '../catalog/index.ts';
import { findUser, lockRoles, updatePeople } from '../../foundation/directory/index.ts';
import { listPersonKeys, matchPerson, type PersonRematch, tellRematch } from '../identity/index.ts';
import { findStanding, updateHeard } from '../people/index.ts';
import { contentWith, getPersonRowSql, type Wanted } from './content.ts';
import { type ClaimRow, countWaiting, findClaim, listEasyClaims, type ListedClaim, lockClaim, updateClaim } from './store-claims.ts';
import { countAbove, findExternalId, insertBelonging } from './store-sources.ts';

/** Of one request. */
const maxAtOnce = 200;

/** The claim; NOT_FOUND for none. */
export async function requireClaim(context: Context, id: string): Promise<ListedClaim> {
  const claim = await findClaim(context, id);
  return orThrow(claim, 'NOT_FOUND', 'There is no such claim. The source may have asked for something else since: list the claims again.');
}

async function lockDecidable(context: Context, id: string, isOpen: (claim: ClaimRow) => boolean): Promise<ClaimRow> {
  await requireClaim(context, id);
  // As whoever pushes: roles first, so that nobody gets a role or loses the last one meanwhile.
  await setLockWait(context);
  await lockRoles(context);
  const claim = orThrow(await lockClaim(context, id), 'NOT_FOUND', 'The source asks for something else now. List the claims again.');
  if (!isOpen(claim)) {
    throw new AppError('FAILED_PRECONDITION', `The claim is ${sayState(claim.state)}: only a claim that waits can be decided.`);
  }
  return claim;
}

async function applyWanted(context: Context, { userId, sourceId, wanted: asked }: ClaimRow): Promise<PersonRematch> {
  await updateHeard(context, userId, sourceId);
  const { status } = await findStanding(context, userId, sourceId);
  // What all sources say together: one that owns employment may say that the person left.
  const wanted: Wanted = asked.status === undefined || status === null ? asked : { ...asked, status };
  const found = orThrow(await findUser(context, userId), 'NOT_FOUND', 'There is no such user.');
  const managerId = wanted.managerId ?? '';
  if (managerId !== '' && (await countAbove(context, managerId, userId)) > 0) {
    throw new AppError('FAILED_PRECONDITION', 'The person would be their own manager. Change the managers first, or reject the claim.');
  }
  const keysBefore = await listPersonKeys(context, [userId]);
  const person = { ...found, externalId: await findExternalId(context, userId) };
  await updatePeople(context, getPersonRowSql(userId, contentWith(person, wanted, sourceId), false));
  return matchPerson(context, [userId], keysBefore, 'SCIM');
}

/**
 * Accepts a claim: the person says what it wants, and belongs to the source. NOT_FOUND where the source asks for something else by now,
 * FAILED_PRECONDITION where it was decided, would disable the last Super Administrator, or would make a circle of managers; CONFLICT where somebody
 * else has the address.
 */
export function acceptClaim(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const claim = await lockDecidable(inside, id, ({ state, kind }) => state === 'WAITING' || (state === 'REJECTED' && kind === 'MATCH'));
    const rematch = await applyWanted(inside, claim);
    const { userId, sourceId } = claim;
    await insertBelonging(inside, { userId, sourceId, how: 'GIVEN', givenById: inside.actor.userId });
    await updateClaim(inside, id, 'ACCEPTED');
    // The accounts, of whatever app, that are theirs now, or no longer.
    await recordDecision(inside, claim, 'person_claim.accepted', tellRematch(rematch));
  });
}

/** Rejects a claim; the person stays as they are. NOT_FOUND and FAILED_PRECONDITION as for accepting. */
export function rejectClaim(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const claim = await lockDecidable(inside, id, ({ state }) => state === 'WAITING');
    await updateClaim(inside, id, 'REJECTED');
    await recordDecision(inside, claim, 'person_claim.rejected');
  });
}

async function recordDecision(
  context: Context,
  claim: ClaimRow,
  kind: 'person_claim.accepted' | 'person_claim.rejected',
  matched: object = {},
): Promise<void> {
  await recordEvent(context, {
    kind,
    targetId: claim.userId,
    data: { claimId: claim.id, claimKind: claim.kind, sourceId: claim.sourceId, wanted: claim.wanted, ...matched },
  });
}

/** Accepts waiting claims of a source that nobody has to look at one by one, each in a transaction of its own; those that cannot be are left. */
export async function acceptEasyClaims(context: Context, sourceId: string): Promise<{ acceptedCount: number; waitingCount: number }> {
  let acceptedCount = 0;
  for (const id of await listEasyClaims(context, sourceId, maxAtOnce)) {
    try {
      await acceptClaim(context, id);
      acceptedCount += 1;
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'INTERNAL' || error.code === 'UNAVAILABLE') {
        throw error;
      }
    }
  }
  return { acceptedCount, waitingCount: await countWaiting(context, sourceId) };
}
