/**
 * The message of a mail by RFC 5322 and MIME: text and HTML beside each other, and headers in which no name can add another. What the parts say is
 * render-mail.ts.
 */
import MailComposer from 'nodemailer/lib/mail-composer';
import { getAsciiAddress } from '../../../lib/names/same-address.ts';
import { domainOf } from './mail-address.ts';
import type { Mailbox, OutgoingMail } from './mailer.ts';

const longestName = 200;
/** Below what any server takes; what mails say is cut long before. */
const maxMessage = 1_048_576;

/** A text as one line of a header: without control characters and what turns the direction of writing, and not without end. */
function headerText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, longestName);
}

function mailbox({ name, address }: Mailbox): { name: string; address: string } {
  return { name: headerText(name), address: getAsciiAddress(address) };
}

/** The message, and undefined where it would be too large to send. */
export async function buildMessage(mail: OutgoingMail): Promise<Buffer | undefined> {
  const domain = domainOf(mail.from.address) || 'localhost';
  const composer = new MailComposer({
    from: mailbox(mail.from),
    to: mailbox(mail.to),
    ...(mail.replyTo === '' ? {} : { replyTo: getAsciiAddress(mail.replyTo) }),
    subject: headerText(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@${domain}>`,
    date: mail.date,
    // So that no machine answers it (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = await composer.compile().build();
  return message.length > maxMessage ? undefined : message;
}
