/** Removals as the console reads them. */
import type { NameSince } from '~/data/names-since.ts';
import type { ReplyOf } from '~/data/query.ts';

export type Removal = NonNullable<ReplyOf<'RevocationService.List'>['list']>[number];

/** The ids of everybody whom a removal names. */
export function idsInRemoval(row: Removal): (string | undefined)[] {
  const { userId, reviewerUserId, reviewerIssuerId, claimedByUserId, claimedIssuerId, actorUserId, actorIssuerId } = row;
  return [userId, reviewerUserId, reviewerIssuerId, claimedByUserId, claimedIssuerId, actorUserId, actorIssuerId];
}

/** A removal whose people who acted have today's names beside those of then. */
export function withNamesSince(row: Removal, since: NameSince): Removal {
  return {
    ...row,
    reviewerDisplayName: since(row.reviewerUserId, row.reviewerDisplayName),
    reviewerIssuerDisplayName: since(row.reviewerIssuerId, row.reviewerIssuerDisplayName),
    claimedByDisplayName: since(row.claimedByUserId, row.claimedByDisplayName),
    claimedIssuerDisplayName: since(row.claimedIssuerId, row.claimedIssuerDisplayName),
    actorDisplayName: since(row.actorUserId, row.actorDisplayName),
    actorIssuerDisplayName: since(row.actorIssuerId, row.actorIssuerDisplayName),
  };
}
