/** The public interface of the module credentials: API credentials, and the tokens they give. */
export { isSourceAllowed } from './settings/index.ts';
export type { TokenRefusal } from './tokens/index.ts';
export {
  createConnectorCredential,
  createCredential,
  getConnectorCredential,
  listConnectorCredentials,
  revokeConnectorCredential,
} from './clients/index.ts';
export { isTokenError, parseTokenRequest, type TokenError } from './tokens/index.ts';
export { findCaller, hasNoBounds } from './clients/index.ts';
export { createRefusals, credentialSlot, findCredential, importPublicKey, listCredentialNames, type Refusals } from './record/index.ts';
export { createServices } from './service.ts';
export { compileSource, maxTokenSeconds } from './settings/index.ts';
export { findSettings as findSessionSettings } from './settings/index.ts';
export type { CredentialRow } from './record/index.ts';
export { createTokens, type Tokens } from './tokens/index.ts';
export { erasePersonCredentials } from './store-erase.ts';
