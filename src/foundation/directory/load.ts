/** Directory objects to expand in other modules' replies: people and roles by id. */
import type { Role } from '../../gen/c1/api/iam/v1/iam_pb.js';
import type { User } from '../../gen/c1/api/user/v1/user_pb.js';
import type { Loader } from '../../wire/expand.ts';
import { listUsersByIds } from './store.ts';
import { shapedRoles, shapeUser } from './view.ts';

/** People by id, for c1.api.user.v1.User. */
export const userLoader: Loader<User> = async (context, ids) => {
  const users = await listUsersByIds(context, ids);
  return new Map([...users].map(([id, row]) => [id, shapeUser(context.actor, row)]));
};

/** Roles by id, for c1.api.iam.v1.Role. */
export const roleLoader: Loader<Role> = async (_context, ids) =>
  new Map(
    ids.flatMap((id) => {
      const role = shapedRoles.get(id);
      return role === undefined ? [] : [[id, role] as const];
    }),
  );
