/**
 * A page of the people who own something in the default role, in their order.
 */
import type { User } from '../../../gen/c1/api/user/v1/user_pb.js';
import type { Context } from '../../../context.ts';
import { pageByKey } from '../../../wire/page.ts';
import type { Row } from '../../../wire/row.ts';
import type { Call } from '../../../wire/service.ts';
import { listUsersByIds, shapeUser } from '../../../foundation/directory/index.ts';
import { defaultRole, listOwners, type Ownable } from '../record/index.ts';

/** The page that a call asks for. */
export async function pageOfOwners(context: Context, call: Call, of: Ownable): Promise<{ list: Row<User>[]; nextPageToken: string }> {
  const { rows, nextPageToken } = await pageByKey(
    call,
    (after, limit) => {
      const [place, ref] = after ?? [];
      const last = ref === undefined ? undefined : { roleSlug: defaultRole, place: Number(place), ref };
      return listOwners(context, of, 'people', defaultRole, last, limit);
    },
    (row) => [String(row.place), row.ref],
  );
  const users = await listUsersByIds(
    context,
    rows.map(({ ref }) => ref),
  );
  const list = rows.flatMap(({ ref }) => {
    const user = users.get(ref);
    return user === undefined ? [] : [shapeUser(context.actor, user)];
  });
  return { list, nextPageToken };
}
