/**
 * Making a person manually: the first administrator of a tenant. Everybody else comes through imports.
 */
import { invalidField } from '../../errors.ts';
import { inTransaction, type RoleName, type Context } from '../../context.ts';
import { getIdKey } from '../../lib/names/same-name.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { ROLES } from './roles.ts';
import { setRoles } from './set-roles.ts';
import { insertUser } from './store.ts';

/** Person to create. */
export interface NewUser {
  readonly email: string;
  readonly displayName: string;
  readonly roles: readonly RoleName[];
}

/** Makes an enabled person with these roles and returns the id. CONFLICT where somebody has the address. */
export function createUser(context: Context, user: NewUser): Promise<string> {
  const email = getIdKey(user.email);
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
    return Promise.reject(invalidField('email', 'must be a mail address'));
  }
  return inTransaction(context, async (inside) => {
    const id = newId(inside.now);
    await insertUser(inside, { id, email, displayName: user.displayName });
    await recordEvent(inside, { kind: 'user.created', targetId: id, data: { email, displayName: user.displayName } });
    await setRoles(
      inside,
      id,
      user.roles.map((role) => ROLES[role].id),
    );
    return id;
  });
}
