/** Events of no review that a review rests on: what was imported and kept for it, and the rights of those who acted on it. */
import type { Context } from '../../context.ts';
import type { EventKind } from '../../events/index.ts';
import { listActorsOfReview, listPositionsOf } from '../../foundation/audit/index.ts';
import { listSnapshotPolicyIds, listSourceCounts } from '../../governance/snapshots/index.ts';

const kinds: readonly EventKind[] = [
  'people.imported',
  'grants.imported',
  'policy.created',
  'policy.updated',
  'policy.deleted',
  'user.roles_changed',
  'credential.created',
  'credential.issued',
  'credential.updated',
  'credential.revoked',
  'service_principal.credential_created',
  'service_principal.credential_updated',
  'service_principal.credential_revoked',
];

/** Most events of one bundle; their positions are in the place of its job. Of more the newest count. */
const maxGrounds = 5_000;

/**
 * Returns the positions of these events in a part of the log: the last import of each source at the launch, the policies of the snapshot, and the roles
 * and credentials of whoever acted on the review, each from its beginning on.
 */
export async function listGrounds(
  context: Context,
  reviewId: string,
  within: { readonly from: number; readonly end: number },
): Promise<number[]> {
  const syncIds = (await listSourceCounts(context, reviewId)).map(({ syncId }) => syncId).filter((id) => id !== '');
  const policyIds = await listSnapshotPolicyIds(context, reviewId);
  const actors = await listActorsOfReview(context, reviewId);
  return listPositionsOf(context, [...syncIds, ...policyIds, ...actors], kinds, { ...within, limit: maxGrounds });
}
