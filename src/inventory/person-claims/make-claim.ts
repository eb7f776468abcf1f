/** Noting what a source asks to change of a person, and that it asks for it no longer. Deciding about it is in decide-claim.ts. */
import type { Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { isSameWanted, type Wanted } from './content.ts';
import { type ClaimKind, type ClaimRow, insertClaim, lockClaimOn, removeClaim } from './store-claims.ts';

/** Request of a source right now. */
export interface Asking {
  readonly userId: string;
  readonly sourceId: string;
  readonly kind: ClaimKind;
  readonly wanted: Wanted;
}

/** True if a claim that is there says it all: nobody is asked twice, nor again about what was rejected. */
function isAnswered(claim: ClaimRow, { kind, wanted }: Asking): boolean {
  const isSame = claim.kind === kind && isSameWanted(claim.wanted, wanted);
  switch (claim.state) {
    case 'WAITING':
      return isSame;
    case 'REJECTED':
      // The source does not get another's person, whatever else it says.
      return kind === 'MATCH' ? claim.kind === 'MATCH' : isSame;
    case 'ACCEPTED':
      return false;
  }
}

/**
 * Lets a claim wait. A claim that wants something else is replaced under a new id, so that nobody accepts what they did not see. The lock of roles
 * is held.
 */
export async function makeClaim(context: Context, asking: Asking): Promise<void> {
  const former = await lockClaimOn(context, asking.userId, asking.sourceId);
  if (former !== undefined && isAnswered(former, asking)) {
    return;
  }
  if (former !== undefined) {
    await removeClaim(context, former.id);
  }
  const id = newId(context.now);
  await insertClaim(context, { id, ...asking });
  await recordEvent(context, {
    kind: 'person_claim.made',
    targetId: asking.userId,
    data: {
      claimId: id,
      claimKind: asking.kind,
      sourceId: asking.sourceId,
      wanted: asking.wanted,
      ...(former?.state === 'WAITING' ? { replacedId: former.id } : {}),
    },
  });
}

/** Takes back a claim that waits: its source asks for nothing more of the person. */
export async function withdrawClaim(context: Context, userId: string, sourceId: string): Promise<void> {
  const former = await lockClaimOn(context, userId, sourceId);
  if (former?.state !== 'WAITING') {
    return;
  }
  await removeClaim(context, former.id);
  await recordEvent(context, {
    kind: 'person_claim.withdrawn',
    targetId: userId,
    data: { claimId: former.id, claimKind: former.kind, sourceId },
  });
}

/** True if an administrator refused to give the person to the source. */
export async function isRefused(context: Context, userId: string, sourceId: string): Promise<boolean> {
  const claim = await lockClaimOn(context, userId, sourceId);
  return claim?.state === 'REJECTED' && claim.kind === 'MATCH';
}
