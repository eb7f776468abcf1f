/** Answers to a program while its sign-in is under way, in the words of RFC 6749 section 5.2 and RFC 8628 section 3.5. */

/** A refusal, or that it is too early. */
export interface DeviceError {
  readonly status: 400 | 401 | 429 | 503;
  readonly error:
    | 'authorization_pending'
    | 'slow_down'
    | 'access_denied'
    | 'expired_token'
    | 'invalid_grant'
    | 'invalid_client'
    | 'invalid_request'
    | 'temporarily_unavailable';
  readonly description: string;
  readonly retryAfterSeconds?: number;
}

/** Makes one. */
export function deviceError(error: DeviceError['error'], description: string, status: DeviceError['status'] = 400): DeviceError {
  return { status: error === 'invalid_client' ? 401 : status, error, description };
}
