/** The public interface of the part mailers: sending a mail by SMTP or into a folder, and the mails that were sent. */
export { buildMessage } from './build-message.ts';
export { isUsableAddress } from './mail-address.ts';
export { mailDeliveryKind } from './mail-delivery-kind.ts';
export type { MailSettings } from './mail-settings.ts';
export type { OutgoingMail, SendResult } from './mailer.ts';
export { openMailer } from './open-mailer.ts';
export { findOrigin } from './origin.ts';
export { type RenderedMail, type Section, renderMail } from './render-mail.ts';
export {
  type MailRow,
  type MailState,
  countUnsureMails,
  insertMailOfNotice,
  insertMails,
  listReviewsOfMail,
  lockMail,
  updateFutureNotices,
  updateMailState,
  updatePace,
  updateSending,
} from './store-mails.ts';
