/**
 * What the directory offers to be expanded in other modules' replies: people and roles by id.
 */
import type { Context } from '../../context.ts';
import type { Loader } from '../../wire/expand.ts';
import { listUsersByIds } from './store.ts';
import { shapedRoles, shapeUser } from './view.ts';

/** People by id, for c1.api.user.v1.User. */
export const userLoader: Loader = async (context: Context, ids) => {
  const users = await listUsersByIds(context, ids);
  return new Map([...users].map(([id, row]) => [id, shapeUser(row) as never]));
};

/** Roles by id, for c1.api.iam.v1.Role. */
export const roleLoader: Loader = async (_context, ids) =>
  new Map(
    ids.flatMap((id) => {
      const role = shapedRoles.get(id);
      return role === undefined ? [] : [[id, role as never] as const];
    }),
  );
