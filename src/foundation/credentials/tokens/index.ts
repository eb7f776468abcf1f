/** The public interface of the part tokens: issuing, checking and remembering access tokens (RFC 6749, RFC 7523). */
export type { TokenRefusal } from './check-token.ts';
export { type TokenError, isTokenError, parseTokenRequest } from './parse-token-request.ts';
export { type Tokens, createTokens } from './tokens.ts';
