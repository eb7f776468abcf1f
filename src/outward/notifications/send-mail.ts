/**
 * Sending a mail: written and marked in one transaction, handed over outside of any, and taken down afterwards. Whoever finds a mail that is marked knows
 * that somebody died in the middle: it may have left, so it is never sent again. Each end is an event of every review that the mail is about.
 */
import { createHash } from 'node:crypto';
import { type Context, inTransaction } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import type { DeliveryKind } from '../../foundation/deliveries/index.ts';
import { writeAddressMail } from './address-mail.ts';
import {
  type MailRow,
  type MailSettings,
  type MailState,
  type OutgoingMail,
  type RenderedMail,
  type SendResult,
  buildMessage,
  findOrigin,
  isUsableAddress,
  listReviewsOfMail,
  lockMail,
  updateMailState,
  updateSending,
} from './mailers/index.ts';
import {
  type NoticeRow,
  type Recipient,
  addressChangedKind,
  listGrounded,
  noticeKinds,
  listNoticesOfMail,
  listRecipients,
  passOn,
  readFacts,
  signInLinkKind,
} from './notices/index.ts';
import { readSender, readWishes } from './settings/index.ts';
import { writeSignInMail } from './sign-in-mail.ts';
import { writeMail } from './write-mail.ts';

/** Longer than a server may take over every step of a mail (smtpTimes), so that the mailer says how it ended. */
const mailTimeLimitMs = 3_600_000;
/** More than a mail can say. */
const maxNotices = 1000;

/** A mail, the text that is kept of it where that is another, and the address where it is not the person's. */
type OwnMail = RenderedMail & { readonly keptText?: string; readonly address?: string };

/** What became of a mail, as its delivery keeps it. */
type MailReceipt = { readonly state: MailState; readonly answer?: string };

type Prepared =
  | { readonly type: 'ended'; readonly state: MailState }
  | { readonly type: 'ready'; readonly mail: OutgoingMail; readonly message: Buffer };

/** Makes mail deliveries with these settings. */
export function createMailDelivery(settings: MailSettings): DeliveryKind<MailReceipt> {
  return {
    timeLimitMs: mailTimeLimitMs,
    concurrency: 4,
    // A server that takes minutes over the mails of one tenant leaves a place for those of others.
    tenantConcurrency: 3,
    async deliver(context, delivery, signal) {
      const id = delivery.subjectId;
      const prepared = await inTransaction(context, (inside) => prepareMail(inside, settings, id));
      if (prepared.type === 'ended') {
        return { state: prepared.state };
      }
      const result = await settings.mailer.send(prepared.mail, prepared.message, signal);
      if (result.outcome !== 'refused') {
        return { state: result.outcome === 'sent' ? 'SENT' : 'UNSURE', answer: result.answer };
      }
      await inTransaction(context, (inside) => putBack(inside, id, result));
      throw new AppError(result.isPermanent ? 'FAILED_PRECONDITION' : 'UNAVAILABLE', `The mail was refused: ${result.answer}`);
    },
    async onDelivered(context, delivery, { state, answer = '' }) {
      const mail = await lockMail(context, delivery.subjectId);
      if (mail?.state === 'SENDING' && (state === 'SENT' || state === 'UNSURE')) {
        await endMail(context, mail, state, answer);
      }
    },
    async onDead(context, delivery, error) {
      const mail = await lockMail(context, delivery.subjectId);
      if (mail?.state === 'WAITING') {
        await endMail(context, mail, 'FAILED', error.message);
      }
    },
  };
}

/** Writes the mail as things stand now and marks it, or ends it where it must not or need not be sent. */
async function prepareMail(context: Context, settings: MailSettings, id: string): Promise<Prepared> {
  const mail = await lockMail(context, id);
  if (mail === undefined) {
    return { type: 'ended', state: 'DROPPED' };
  }
  if (mail.state === 'SENDING') {
    await endMail(
      context,
      mail,
      'UNSURE',
      'The service ended while the mail was being sent. It may have arrived, so it is not sent again.',
    );
    return { type: 'ended', state: 'UNSURE' };
  }
  // One that failed for good is repeated by an administrator.
  if (mail.state !== 'WAITING' && mail.state !== 'FAILED') {
    return { type: 'ended', state: mail.state };
  }
  const recipient = (await listRecipients(context, [mail.personId])).get(mail.personId);
  const listed = await listNoticesOfMail(context, id, maxNotices);
  const own = listed[0]?.kind;
  // To an address that the person has no longer: whether they may sign in does not matter.
  const obstacle = own === addressChangedKind ? undefined : findObstacle(recipient);
  if (recipient !== undefined) {
    await passOn(context, recipient, listed);
  }
  if (recipient === undefined || obstacle !== undefined) {
    return drop(context, mail, obstacle ?? 'The person is not there any more.');
  }
  const { base, host } = await findOrigin(context, settings);
  const wishes = await readWishes(context, mail.personId);
  const isOwn = own === signInLinkKind || own === addressChangedKind;
  const notices = isOwn ? listed : listed.filter(({ kind }) => wishes.email && wishes[noticeKinds[kind].wish]);
  if (notices.length === 0) {
    return drop(context, mail, 'The settings of the person or of the organization turn this mail off.');
  }
  const written = isOwn
    ? await writeOwnMail(context, own, listed[0]?.subjectId ?? '', recipient, { base, host })
    : await writeNotices(context, recipient, notices, { base, host });
  if (written === undefined) {
    return drop(context, mail, 'There was nothing left to say: what it asked for was done, or is over.');
  }
  const { address = recipient.email, keptText = written.text } = written as OwnMail;
  const sender = await readSender(context, settings.from);
  const outgoing: OutgoingMail = {
    id,
    from: { name: sender.fromName, address: sender.fromAddress },
    replyTo: sender.replyToAddress,
    to: { name: recipient.displayName, address },
    subject: written.subject,
    text: written.text,
    html: written.html,
    date: context.now,
  };
  const message = await buildMessage(outgoing);
  if (message === undefined) {
    return drop(context, mail, 'The mail would have been larger than 1 MiB.');
  }
  const digest = createHash('sha256').update(message).digest('hex');
  await updateSending(context, id, { address, subject: written.subject, body: keptText, digest });
  return { type: 'ready', mail: outgoing, message };
}

/** A mail of the notices that still concern its reader. */
async function writeNotices(
  context: Context,
  recipient: Recipient,
  notices: readonly NoticeRow[],
  { base, host }: { base: string; host: string },
): Promise<RenderedMail | undefined> {
  const grounded = await listGrounded(context, recipient.id, notices, noticeKinds);
  return writeMail(grounded, await readFacts(context, recipient, grounded, (path) => `${base}${path}`), host);
}

/** A mail of its own, apart from whatever else is due. */
function writeOwnMail(
  context: Context,
  kind: typeof signInLinkKind | typeof addressChangedKind,
  subjectId: string,
  recipient: Recipient,
  place: { base: string; host: string },
): Promise<OwnMail | undefined> {
  return kind === addressChangedKind
    ? writeAddressMail(context, subjectId, recipient, place)
    : writeSignInMail(context, subjectId, recipient, place);
}

/** Finds why somebody gets no mail at all. */
function findObstacle(recipient: Recipient | undefined): string | undefined {
  if (recipient === undefined || recipient.status !== 'ENABLED') {
    return 'The person is disabled.';
  }
  if (recipient.userType !== 'HUMAN') {
    return 'A service principal gets no mail.';
  }
  return isUsableAddress(recipient.email) ? undefined : 'The person has no address that mail can be sent to.';
}

async function drop(context: Context, mail: MailRow, reason: string): Promise<Prepared> {
  await endMail(context, mail, 'DROPPED', reason);
  return { type: 'ended', state: 'DROPPED' };
}

/** After a refusal the mail waits again; whether anybody tries is the delivery's to know. */
async function putBack(context: Context, id: string, result: SendResult & { readonly outcome: 'refused' }): Promise<void> {
  const mail = await lockMail(context, id);
  if (mail?.state !== 'SENDING') {
    return;
  }
  await updateMailState(context, id, 'WAITING', result.answer);
  if (!result.isPermanent) {
    await recordMail(context, { ...mail, answer: result.answer }, 'mail.failed', { isFinal: false });
  }
}

type MailEventKind = 'mail.sent' | 'mail.failed' | 'mail.unsure' | 'mail.dropped';

const eventKinds: Readonly<Partial<Record<MailState, MailEventKind>>> = {
  SENT: 'mail.sent',
  FAILED: 'mail.failed',
  UNSURE: 'mail.unsure',
  DROPPED: 'mail.dropped',
};

async function endMail(context: Context, mail: MailRow, state: MailState, answer: string): Promise<void> {
  await updateMailState(context, mail.id, state, answer);
  await recordMail(context, { ...mail, answer }, eventKinds[state] ?? 'mail.failed', state === 'FAILED' ? { isFinal: true } : {});
}

/** One event for each review that the mail is about, so that the evidence of each is complete. */
async function recordMail(context: Context, mail: MailRow, kind: MailEventKind, more: { readonly isFinal?: boolean }): Promise<void> {
  const { id, personId, address, subject, digest, attempts, answer } = mail;
  const reviewIds = await listReviewsOfMail(context, id);
  for (const reviewId of reviewIds.length === 0 ? [''] : reviewIds) {
    const data = { personId, address, subject, digest, attempts, answer, ...more };
    await recordEvent(context, { kind, targetId: id, reviewId, data });
  }
}
