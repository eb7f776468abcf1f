/** The door of the credentials room: API credentials, and the tokens they give. */
export { isSourceAllowed } from './check-source.ts';
export type { TokenRefusal } from './check-token.ts';
export { createCredential, type CreatedCredential, issueCredential, type NewCredential } from './create-credential.ts';
export type { IssuedToken, TokenOrigin } from './issue-token.ts';
export { isTokenError, parseTokenRequest, type TokenError, type TokenRequest } from './parse-token-request.ts';
export { createRefusals, type Refusals } from './refusals.ts';
export { defaultSecretLabel } from './secret.ts';
export { createServices, services } from './service.ts';
export { rotateSigningKey } from './signing-keys.ts';
export { createTokens, type Tokens, type TokenSettings } from './tokens.ts';
export { shapeCredential } from './view.ts';
