/** `user sign-in-link --local`: a link made on the database itself, for an administrator who cannot sign in. */
import { type Context, systemActor } from '../../context.ts';
import '../../slots.ts';
import { findUserByEmail } from '../../foundation/directory/index.ts';
import { linkUrl, printLink } from '../../foundation/sessions/index.ts';
import { hostBaseUrl } from '../../foundation/tenants/index.ts';
import { reactions } from '../../reactions.ts';
import { newId } from '../../wire/ids.ts';
import { chooseTenant } from './credential.ts';
import { CommandFailure, type CommandIo } from '../frame/io.ts';
import { type LocalOptions, withLocalDatabase } from './database.ts';
import type { PrintedLink } from '../sign-in/sign-in-link.ts';

/** Makes the link for the person with this mail address; its session has all roles they hold. */
export function printLocalLink(io: CommandIo, options: LocalOptions, email: string, tenantHost: string | undefined): Promise<PrintedLink> {
  return withLocalDatabase(io, options, async (database, log) => {
    const tenant = await chooseTenant(database, tenantHost);
    const now = new Date();
    const actor = systemActor(newId(now));
    const context: Context = { db: database.tenant(tenant.id), tenantId: tenant.id, actor, now, log, react: reactions };
    const person = await findUserByEmail(context, email);
    if (person === undefined) {
      throw new CommandFailure(`no person in ${tenant.host} has the mail address ${email}`);
    }
    const { token, expiresAt } = await printLink(context, person.id);
    return { url: linkUrl(hostBaseUrl(tenant.host), token), expiresAt: expiresAt.toISOString() };
  });
}
