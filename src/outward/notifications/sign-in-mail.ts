/**
 * The mail with a link that somebody asked for to sign in: made at once, past whatever else waits, and written when it leaves. What is kept of it does not
 * hold the link.
 */
import type { Context } from '../../context.ts';
import type { JobKind } from '../../jobs/index.ts';
import { newId } from '../../wire/ids.ts';
import { enqueueDelivery } from '../../foundation/deliveries/index.ts';
import { findMailedLink, linkUrl, type MailedLink } from '../../foundation/sessions/index.ts';
import { signInLinkKind } from './notices/index.ts';
import { type RenderedMail, insertMailOfNotice, mailDeliveryKind, renderMail } from './mailers/index.ts';
import { plain } from './say-words.ts';

/** The kind of job; its subject is the link. */
export const signInLinkJobKind = 'mail.sign-in-link';

/** Stands for the secret in what is kept. */
const hidden = '(the link was left out)';

/** Makes the mail of a link, once. */
export const signInLinkJob: JobKind = {
  async handler(context, job) {
    const link = await findMailedLink(context, job.subjectId);
    if (link !== undefined) {
      const id = newId(context.now);
      const notice = { kind: signInLinkKind, subjectId: job.subjectId, personId: link.userId };
      if (await insertMailOfNotice(context, id, notice)) {
        await enqueueDelivery(context, { kind: mailDeliveryKind, subjectId: id, idempotencyKey: id, runAt: context.now });
      }
    }
    return 'finished';
  },
};

/** A mail as it leaves, and the text that is kept of it. */
export interface SignInMail extends RenderedMail {
  readonly keptText: string;
}

/** The words of the mail. */
export function renderSignInMail(
  name: string,
  link: Pick<MailedLink, 'token' | 'expiresAt'>,
  place: { base: string; host: string },
): SignInMail {
  const url = linkUrl(place.base, link.token);
  const until = `${link.expiresAt.toISOString().slice(11, 16)} UTC`;
  const mail = renderMail({
    subject: `Your link to sign in at ${place.host}`,
    greeting: `Hello ${plain(name)},`,
    sections: [
      {
        heading: 'Sign in to Countersign',
        lines: [`This link signs you in once, until ${until}, and only in the browser in which you asked for it.`],
        markdown: '',
        link: { label: 'Sign in', url },
      },
    ],
    footer: ['If you did not ask for it, do nothing: nobody else can use the link.', `Countersign sends you this from ${place.host}.`],
  });
  return { ...mail, keptText: mail.text.replaceAll(url, hidden) };
}

/** The mail about a link; undefined once the link was used or has expired. */
export async function writeSignInMail(
  context: Context,
  linkId: string,
  recipient: { displayName: string; email: string },
  place: { base: string; host: string },
): Promise<SignInMail | undefined> {
  const link = await findMailedLink(context, linkId);
  return link === undefined ? undefined : renderSignInMail(recipient.displayName || recipient.email, link, place);
}
