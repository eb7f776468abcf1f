/**
 * Errors as clients see them: google.rpc.Status with its details, and the headers that go with a status. The token endpoint has a
 * shape of its own (token-routes.ts). The codes are explained in docs/errors.md.
 */
import { AppError, type ErrorCode, isAppError } from '../errors.ts';
import { showUnseen } from '../lib/names/visible-text.ts';
import { bearerChallenge, invalidTokenChallenge } from './authenticate.ts';

/** An answer ready to be sent. */
export interface RenderedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** google.rpc.Code of each of our codes. */
const grpcCodes: Readonly<Record<ErrorCode, number>> = {
  INVALID_ARGUMENT: 3,
  FAILED_PRECONDITION: 9,
  UNAUTHENTICATED: 16,
  PERMISSION_DENIED: 7,
  SIGN_IN_AGAIN: 7,
  NOT_FOUND: 5,
  METHOD_NOT_ALLOWED: 12,
  CONFLICT: 10,
  PAYLOAD_TOO_LARGE: 11,
  URI_TOO_LONG: 11,
  UNSUPPORTED_MEDIA_TYPE: 3,
  RATE_LIMITED: 8,
  INTERNAL: 13,
  NOT_IMPLEMENTED: 12,
  UNAVAILABLE: 14,
};

/** The error as one of ours: the framework's are translated, everything unexpected becomes INTERNAL with its cause. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) {
    return error;
  }
  const { code, statusCode } = (typeof error === 'object' && error !== null ? error : {}) as { code?: unknown; statusCode?: unknown };
  const options = { cause: error, detail: String(code ?? '') };
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError('UNAVAILABLE', 'The service cannot store anything at the moment.', { ...options, retryAfterSeconds: 30 });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('PAYLOAD_TOO_LARGE', 'The body of a request may have at most 1 MiB.', options);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError(
        'UNSUPPORTED_MEDIA_TYPE',
        'The Content-Type of the body is missing or not supported. JSON is application/json.',
        options,
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('INVALID_ARGUMENT', 'The body does not have the length in Content-Length.', options);
    case 'FST_ERR_BAD_URL':
      return new AppError('INVALID_ARGUMENT', 'The path of the request is malformed. Check its percent-encoding.', options);
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('URI_TOO_LONG', 'A part of the path is too long.', options);
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new AppError('INVALID_ARGUMENT', 'The request could not be read.', { ...options, status: statusCode });
  }
  return new AppError('INTERNAL', 'Something went wrong on our side.', options);
}

/** Builds an error's reply; `hasCredentials` says whether the request carried an Authorization header. */
export function renderError(error: AppError, requestId: string, hasCredentials = false): RenderedError {
  const isOurFault = error.status >= 500;
  const details: object[] = [];
  if (error.violations !== undefined && error.violations.length > 0) {
    const fieldViolations = error.violations.map(({ field, description }) => ({ field, description: showUnseen(description) }));
    details.push({ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations });
  }
  if (error.status !== 500) {
    details.push({
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: error.code,
      domain: 'countersign',
      metadata: error.metadata,
    });
  }
  details.push({ '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId, servingData: '' });
  const message =
    isOurFault && error.status === 500 ? `Something went wrong on our side. The request id is ${requestId}.` : showUnseen(error.message);
  return {
    status: error.status,
    headers: headersOf(error, hasCredentials),
    body: JSON.stringify({ code: grpcCodes[error.code], message, details }),
  };
}

function headersOf(error: AppError, hasCredentials: boolean): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (error.status === 401) {
    headers['www-authenticate'] = hasCredentials ? invalidTokenChallenge : bearerChallenge;
  }
  if (error.allow !== undefined) {
    headers['allow'] = error.allow.join(', ');
  }
  if (error.retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterSeconds)));
  }
  return headers;
}
