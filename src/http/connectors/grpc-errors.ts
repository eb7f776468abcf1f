/** Errors of ours as connectors get them: the code of gRPC says whether a connector stops, drops its task or tries again. */
import { Code, ConnectError } from '@connectrpc/connect';
import { AppError, type ErrorCode } from '../../errors.ts';

const codes: Readonly<Partial<Record<ErrorCode, Code>>> = {
  INVALID_ARGUMENT: Code.InvalidArgument,
  FAILED_PRECONDITION: Code.FailedPrecondition,
  UNAUTHENTICATED: Code.Unauthenticated,
  PERMISSION_DENIED: Code.PermissionDenied,
  NOT_FOUND: Code.NotFound,
  CONFLICT: Code.Aborted,
  RATE_LIMITED: Code.ResourceExhausted,
  UNAVAILABLE: Code.Unavailable,
};

/** Returns the error for the connector. Its address is not allowed: it stops, as it does where its source is gone. */
export function toConnectError(error: unknown): ConnectError {
  if (error instanceof ConnectError) {
    return error;
  }
  if (error instanceof AppError) {
    const code = error.detail === 'token address' ? Code.PermissionDenied : (codes[error.code] ?? Code.Internal);
    return new ConnectError(code === Code.Internal ? 'Something went wrong on our side.' : error.message, code);
  }
  return new ConnectError('Something went wrong on our side.', Code.Internal);
}
