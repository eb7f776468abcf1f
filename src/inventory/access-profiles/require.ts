/** Requirements of requests about access profiles. */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { findProfile, lockProfile, type ProfileRow } from './store.ts';
import { listLiveRefs, type Ref } from './store-entries.ts';

function refuse(): never {
  throw new AppError('NOT_FOUND', 'There is no such access profile.');
}

/** The profile with this id; NOT_FOUND for none and for a deleted one. */
export async function requireProfile(context: Context, id: string): Promise<ProfileRow> {
  return (await findProfile(context, id)) ?? refuse();
}

/** The same, locked until the transaction ends. */
export async function requireLockedProfile(context: Context, id: string): Promise<ProfileRow> {
  return (await lockProfile(context, id)) ?? refuse();
}

/** INVALID_ARGUMENT unless each of these is an entitlement of its app; `field` is the list's path in the request. */
export async function requireRefs(context: Context, refs: readonly Ref[], field: string): Promise<void> {
  const live = await listLiveRefs(context, refs);
  const violations = refs.flatMap(({ appId, id }, index) =>
    live.has(`${appId}/${id}`)
      ? []
      : [
          {
            field: `${field}[${index}]`,
            description: `no app ${JSON.stringify(appId.slice(0, 64))} has an entitlement ${JSON.stringify(id.slice(0, 64))}`,
          },
        ],
  );
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', `${field} names an entitlement that does not exist.`, { violations });
  }
}
