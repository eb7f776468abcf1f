/** `countersign user sign-in-link <person>`: a link that signs a person in once, through the API; `--local`, past the API, is in local/sign-in-link.ts. */
import { SignInLinkService } from '../../gen/countersign/v1/sessions_pb.js';
import type { Commands } from '../frame/commands.ts';
import { withConnection } from '../frame/connect.ts';
import { findPersonId } from '../frame/find.ts';
import { UsageError } from '../frame/io.ts';
import { withDatabase } from '../local/database.ts';

/** Link as printed. */
export interface PrintedLink {
  readonly url: string;
  readonly expiresAt: string;
}

/** Adds `user sign-in-link` to the group of users. */
export function addSignInLink(group: Commands): void {
  group.run('sign-in-link', {
    description: 'print a link that signs a person in once, within 10 minutes',
    shared: (command) => withDatabase(withConnection(command)),
    operands: { '<person>': 'mail address or id; with --local the mail address' },
    options: {
      '--local': 'work on the database itself: for an administrator who cannot sign in',
      '--tenant-host <host>': 'with --local: the tenant, if there are several',
    },
    act: async (given, session) => {
      const { person, local, tenantHost } = given;
      if (tenantHost !== undefined && local !== true) {
        throw new UsageError('--tenant-host goes with --local');
      }
      let made: PrintedLink;
      if (local === true) {
        const { printLocalLink } = await import('../local/sign-in-link.ts');
        made = await printLocalLink(session.io, given, person, tenantHost);
      } else {
        const { client } = session;
        const userId = await findPersonId(client, person);
        const { url = '', expiresAt = '' } = await client.call(SignInLinkService.method.print, { userId });
        made = { url, expiresAt };
      }
      return { json: made, text: [made.url, `It works once, until ${made.expiresAt}.`] };
    },
  });
}
