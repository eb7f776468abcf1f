/** The public interface of the module sessions: signing in with a browser, and the cookie that comes of it. */
export type { SessionRefusal } from './check-session.ts';
export { changeSessionLimits, readSessionLimits } from './change-limits.ts';
export { cleanUpSignIns, isSignInCleanUpDue } from './clean-up.ts';
export { baseUrlOf, linkUrl } from './link-path.ts';
export { createServices } from './service.ts';
export { createSessions, type Sessions } from './sessions.ts';
export { findMailedLink, type MailedLink } from './mailed-links.ts';
export { printedSeconds, printLink } from './sign-in-links.ts';
