/** The public interface of the module credentials: API credentials, and the tokens they give. */
export { isSourceAllowed } from './check-source.ts';
export type { TokenRefusal } from './check-token.ts';
export { createCredential, type CreatedCredential, type NewCredential } from './create-credential.ts';
export { isTokenError, parseTokenRequest, type TokenError } from './parse-token-request.ts';
export { hasNoBounds } from './permit.ts';
export { createRefusals, type Refusals } from './refusals.ts';
export { createServices, services } from './service.ts';
export { compileSource, maxTokenSeconds } from './session-settings.ts';
export { findSettings as findSessionSettings } from './store-settings.ts';
export { createTokens, type Tokens } from './tokens.ts';
