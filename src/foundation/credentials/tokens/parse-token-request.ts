/**
 * Reading the form of a token request (RFC 6749 section 4.4, RFC 7523): which of the two flows it is, or what is wrong with it. Nothing is
 * looked up here.
 */

/** A refusal in the words of RFC 6749 section 5.2. */
export interface TokenError {
  readonly status: 400 | 401 | 429 | 500 | 503;
  readonly error: 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'temporarily_unavailable' | 'server_error';
  readonly description: string;
  readonly retryAfterSeconds?: number;
}

/** A well-formed request: who, and by which proof. */
export type TokenRequest =
  | { readonly clientId: string; readonly proof: 'secret'; readonly secret: string }
  | { readonly clientId: string; readonly proof: 'assertion'; readonly assertion: string };

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const known = ['grant_type', 'client_id', 'client_secret', 'client_assertion_type', 'client_assertion', 'scope'] as const;
type Known = (typeof known)[number];

function isKnown(name: string): name is Known {
  return (known as readonly string[]).includes(name);
}

function refuse(description: string, error: TokenError['error'] = 'invalid_request', status: TokenError['status'] = 400): TokenError {
  return { status, error, description };
}

/** True if what came back is a refusal. */
export function isTokenError(value: TokenRequest | TokenError): value is TokenError {
  return 'error' in value;
}

/** Reads the form. Unknown fields are ignored and empty ones count as absent; a known one twice is refused. */
export function parseTokenRequest(body: string): TokenRequest | TokenError {
  const sent = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (isKnown(name)) {
      if (sent.has(name)) {
        return refuse(`Send the parameter ${name} only once.`);
      }
      sent.set(name, value);
    }
  }
  const fields: Partial<Record<Known, string>> = Object.fromEntries([...sent].filter(([, value]) => value !== ''));
  if (fields.grant_type === undefined) {
    return refuse('The parameter grant_type is missing.');
  }
  if (fields.grant_type !== 'client_credentials') {
    return refuse(
      'The grant types served are client_credentials and urn:ietf:params:oauth:grant-type:device_code.',
      'unsupported_grant_type',
    );
  }
  if (fields.client_id === undefined) {
    return refuse('The parameter client_id is missing.');
  }
  return readProof(fields.client_id, fields.client_secret, fields.client_assertion_type, fields.client_assertion);
}

function readProof(
  clientId: string,
  secret: string | undefined,
  type: string | undefined,
  assertion: string | undefined,
): TokenRequest | TokenError {
  if (secret !== undefined && (assertion !== undefined || type !== undefined)) {
    return refuse('Send client_secret or client_assertion, not both.');
  }
  if (secret !== undefined) {
    return { clientId, proof: 'secret', secret };
  }
  if (assertion === undefined) {
    return type === undefined
      ? refuse('Send client_secret or client_assertion in the body.', 'invalid_client', 401)
      : refuse('The parameter client_assertion is missing.');
  }
  if (type !== assertionType) {
    return refuse(`client_assertion_type must be ${assertionType}.`);
  }
  return { clientId, proof: 'assertion', assertion };
}
