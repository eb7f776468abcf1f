/** The public interface of the part links: links that sign in by mail, and addresses that changed. */
export { linkUrl } from './link-path.ts';
export { changeMailSignIn, mayUseMail, readMailSignIn } from './mail-sign-in.ts';
export {
  type LinkRequest,
  type MailedLink,
  checkRequest,
  findMailedLink,
  makeMailedLink,
  noteRequest,
  settlingMs,
} from './mailed-links.ts';
export { type LinkOpening, type OpenedLink, openLink, printLink, printedSeconds } from './sign-in-links.ts';
export {
  type AddressChange,
  findAddressChange,
  hasMovedSince,
  lockUntoldChanges,
  removeOldChanges,
  updateToldChanges,
} from './store-address-changes.ts';
export { removeOpenLinksOf } from './store-links.ts';
export { type MailSignIn, findMailSignIn } from './store-mail-sign-in.ts';
