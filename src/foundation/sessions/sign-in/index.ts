/** The public interface of the part sign-in: identity providers, who is recognised, and how sessions end. */
export { isIssuer, providerType } from './auth-config.ts';
export { changeAuthConfig, createAuthConfig, deleteAuthConfig, requireAuthConfig } from './change-auth-configs.ts';
export { type SessionRefusal, checkSession, endByToken } from './check-session.ts';
export { endAllOf, endByAdministrator, endOthers, endOwn } from './end-sessions.ts';
export { freshUntil, requireFresh } from './fresh.ts';
export { createProviderClient, isProviderAbsent, type Provider, type ProviderClient } from './provider-client.ts';
export {
  type Beginning,
  type Returning,
  type ShownProvider,
  type SignInError,
  type SignedIn,
  beginSignIn,
  finishSignIn,
  listProviders,
} from './provider-sign-in.ts';
export { linkIdentity } from './link-identity.ts';
export { type Recognized, type Unrecognized, recognize } from './recognize.ts';
export { type AuthConfigRow, listAuthConfigs } from './store-auth-configs.ts';
export { removeOldStates } from './store-states.ts';
export { testProvider } from './test-provider.ts';
