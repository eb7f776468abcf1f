/** Permission to sign in with a link by mail: a setting of the tenant. A link by mail passes by the second factors of an identity provider. */
import { type Context, inTransaction } from '../../../context.ts';
import { recordEvent } from '../../audit/index.ts';
import { isAdministrator, type UserRow } from '../../directory/index.ts';
import type { Refusal } from '../session/index.ts';
import { findMailSignIn, type MailSignIn, type MailSignInState, updateMailSignIn } from './store-mail-sign-in.ts';

/** Returns what holds: the setting, or what follows from the providers where there is none. */
function effectiveOf({ set, hasProvider }: MailSignInState): MailSignIn {
  return set ?? (hasProvider ? 'NO_ADMINISTRATORS' : 'EVERYBODY');
}

/** True if somebody with these roles may sign in by mail. */
export function mayUseMail(state: MailSignInState, roleIds: readonly string[]): boolean {
  const who = effectiveOf(state);
  return who === 'EVERYBODY' || (who === 'NO_ADMINISTRATORS' && !isAdministrator(roleIds));
}

/** Finds why the tenant lets this person not sign in by mail; undefined where it does. */
export async function findMailRefusal(context: Context, user: Pick<UserRow, 'roleIds'>): Promise<Refusal | undefined> {
  return mayUseMail(await findMailSignIn(context), user.roleIds) ? undefined : 'mail_off';
}

/** The setting, and what holds now. */
export async function readMailSignIn(context: Context): Promise<{ set: MailSignIn | undefined; now: MailSignIn }> {
  const state = await findMailSignIn(context);
  return { set: state.set ?? undefined, now: effectiveOf(state) };
}

/** Sets who may sign in by mail; undefined for what follows from the providers. It acts with the next link. */
export function changeMailSignIn(context: Context, who: MailSignIn | undefined): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { set } = await readMailSignIn(inside);
    if (set !== who) {
      await updateMailSignIn(inside, who);
      const data = { from: set ?? '', to: who ?? '' };
      await recordEvent(inside, { kind: 'tenant.mail_sign_in_changed', targetId: inside.tenantId, data });
    }
  });
}
