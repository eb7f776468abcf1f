/** Check for an entitlement in an access profile. */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { requireProfile } from './require.ts';
import { findEntry, type Ref } from './store-entries.ts';

/** NOT_FOUND unless there is such a profile and it gives this entitlement. */
export async function requireEntry(context: Context, profileId: string, ref: Ref): Promise<void> {
  await requireProfile(context, profileId);
  if ((await findEntry(context, profileId, ref)) === undefined) {
    throw new AppError('NOT_FOUND', 'This entitlement is not in the access profile.');
  }
}
