/** Possible owners of a review: enabled people of the tenant. */
import type { FieldViolation } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { listUsersByIds } from '../../../foundation/directory/index.ts';

/** Most owners of one review. */
export const maxOwners = 100;

/** Lists what is wrong with these as the owners of a review; `field` is the list they came in. */
export async function listOwnerViolations(context: Context, userIds: readonly string[], field: string): Promise<FieldViolation[]> {
  if (new Set(userIds).size > maxOwners) {
    return [{ field, description: `must name at most ${maxOwners} people` }];
  }
  const users = await listUsersByIds(context, userIds);
  return userIds.flatMap((id, index) =>
    users.get(id)?.status === 'ENABLED'
      ? []
      : [{ field: `${field}[${index}]`, description: `no enabled person has the id ${JSON.stringify(id.slice(0, 64))}` }],
  );
}
