/**
 * Whether an access profile gives an entitlement.
 */
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { requireProfile } from './require.ts';
import { findEntry, type Ref } from './store-entries.ts';

/** NOT_FOUND unless there is such a profile and it gives this entitlement. */
export async function requireEntry(scope: Scope, profileId: string, ref: Ref): Promise<void> {
  await requireProfile(scope, profileId);
  if ((await findEntry(scope, profileId, ref)) === undefined) {
    throw new AppError('NOT_FOUND', 'The access profile does not give this entitlement.');
  }
}
