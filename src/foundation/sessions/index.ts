/** The public interface of the module sessions: signing in with a browser, and the cookie that comes of it. */
export type { SessionRefusal } from './sign-in/index.ts';
export {
  createProviderClient,
  isIssuer,
  isProviderAbsent,
  linkIdentity,
  type Provider,
  type ProviderClient,
  recognize,
  type Recognized,
  type Unrecognized,
} from './sign-in/index.ts';
export { changeSessionLimits, readSessionLimits } from './session/index.ts';
export { getHasProviderSql, hasProvider, hashSecret, isProgramSession, isSecret, lockLiveSession, makeSecret } from './session/index.ts';
export { cleanUpSignIns, isSignInCleanUpDue } from './clean-up.ts';
export { changeMailSignIn, readMailSignIn } from './links/index.ts';
export type { MailSignIn } from './links/index.ts';
export { linkUrl } from './links/index.ts';
export { createServices } from './service.ts';
export { type DeviceError, deviceError } from './device/index.ts';
export { deviceIntervalSeconds, deviceSeconds } from './device/index.ts';
export { createSessions, type Sessions } from './sessions.ts';
export { type AddressChange, findAddressChange, lockUntoldChanges, updateToldChanges } from './links/index.ts';
export { findMailedLink, type MailedLink, settlingMs } from './links/index.ts';
export { printedSeconds, printLink } from './links/index.ts';
export { erasePersonSignIns } from './store-erase.ts';
