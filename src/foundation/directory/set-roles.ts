/**
 * Giving roles to a person and taking them away. The tenant never loses its last active Super Administrator.
 */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { asTexts } from '../../lib/json.ts';
import { asReadBy, recordEvent, refuseStale } from '../audit/index.ts';
import { findRole, ROLES } from './roles.ts';
import { findUser } from './store.ts';
import { countActiveHolders, lockRoles, updateUserRoles, updateUserTime } from './store-roles.ts';

const basicUser = ROLES.BASIC_USER.id;
const superAdministrator = ROLES.SUPER_ADMINISTRATOR.id;

/** Role ids with Basic User among them, each once, sorted. */
export function withBasicUser(roleIds: Iterable<string>): string[] {
  return [...new Set([...roleIds, basicUser])].sort();
}

/**
 * Makes exactly these the roles of a person (Basic User is always held) and returns them. NOT_FOUND for nobody, INVALID_ARGUMENT
 * for ids that are no role, FAILED_PRECONDITION where the last active Super Administrator would lose that role.
 */
export function setRoles(context: Context, userId: string, roleIds: readonly string[]): Promise<string[]> {
  const violations = roleIds.flatMap((id, index) =>
    findRole(id) === undefined
      ? [{ field: `roleIds[${index}]`, description: `no role has the id ${JSON.stringify(id.slice(0, 64))}` }]
      : [],
  );
  if (violations.length > 0) {
    return Promise.reject(new AppError('INVALID_ARGUMENT', 'roleIds names a role that does not exist.', { violations }));
  }
  return inTransaction(context, async (inside) => {
    await lockRoles(inside);
    const user = await findUser(inside, userId);
    if (user === undefined || user.status === 'DELETED') {
      throw new AppError('NOT_FOUND', 'There is no such user.');
    }
    const before = withBasicUser(user.roleIds);
    const after = withBasicUser(roleIds);
    const added = after.filter((id) => !before.includes(id));
    const removed = before.filter((id) => !after.includes(id));
    if (added.length === 0 && removed.length === 0) {
      return after;
    }
    const read = asReadBy(inside, (asRead) => ({ roleIds: withBasicUser(asTexts(asRead.roleIds)) }));
    await refuseStale(inside, { targetId: userId, kinds: ['user.roles_changed'], read, before: { roleIds: before } });
    if (added.length > 0 && user.status !== 'ENABLED' && user.userType === 'HUMAN') {
      throw new AppError('FAILED_PRECONDITION', 'This person is disabled, so they get no role. Their source has to enable them first.');
    }
    if (
      removed.includes(superAdministrator) &&
      user.status === 'ENABLED' &&
      user.userType === 'HUMAN' &&
      (await countActiveHolders(inside, superAdministrator, userId)) === 0
    ) {
      throw new AppError('FAILED_PRECONDITION', 'This is the last active Super Administrator. Make another person one first.');
    }
    await updateUserRoles(
      inside,
      userId,
      after.filter((id) => id !== basicUser),
    );
    await updateUserTime(inside, userId);
    await recordEvent(inside, {
      kind: 'user.roles_changed',
      targetId: userId,
      data: { added, removed, roleIds: after },
    });
    return after;
  });
}
