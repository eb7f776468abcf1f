/**
 * The one error type that leaves a rule, a store or the database layer, and its closed list of codes.
 * How an error looks on the wire is the renderer's business (src/http); how PostgreSQL's become these is src/db/translate-error.ts.
 */

/** HTTP status of each code; the keys are the closed list of codes (documented in docs/errors.md). */
const statusByCode = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  SIGN_IN_AGAIN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  NOT_IMPLEMENTED: 501,
  UNAVAILABLE: 503,
} as const;

/** The closed list of error codes. */
export type ErrorCode = keyof typeof statusByCode;

/** Every error code, in the order of docs/errors.md. @internal */
export const errorCodes = Object.keys(statusByCode) as readonly ErrorCode[];

/** One thing that is wrong with a request: the path of the field (lowerCamel, as on the wire) and what is wrong with it. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/** Names of the facts for programs (docs/errors.md): members that somebody else changed, and who did when. */
export const factNames = ['changed', 'changedBy', 'changedById', 'changedAt'] as const;

/** Facts of an error for programs. Members that lists name are parted by commas; times are RFC 3339. */
export type ErrorFacts = Readonly<Partial<Record<(typeof factNames)[number], string>>>;

/** Data an AppError may carry besides code and message; only `violations`, `metadata`, `retryAfterSeconds` and `allow` reach the client. */
export interface AppErrorOptions {
  /** Overrides the status the code stands for. */
  status?: number;
  /** Only logged, never sent: names of constraints, internal ids, text of PostgreSQL. */
  detail?: string;
  /** Only logged, never sent. */
  cause?: unknown;
  violations?: readonly FieldViolation[];
  /** Facts for programs, sent as the metadata of `ErrorInfo`. */
  metadata?: ErrorFacts;
  /** Sent as `Retry-After`, in seconds. */
  retryAfterSeconds?: number;
  /** The methods a path has, sent as `Allow` with 405. */
  allow?: readonly string[];
}

/** Most faults reported: nobody reads more, and a megabyte of mistakes must not become ten of answer. */
export const maxViolations = 100;
const maxMessageLength = 4000;
const maxDescriptionLength = 1000;

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}...` : text;
}

/** An error whose `message` is public; `detail` and `cause` are for the log alone. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: string | undefined;
  readonly violations: readonly FieldViolation[] | undefined;
  readonly metadata: ErrorFacts;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(cut(message, maxMessageLength), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? statusByCode[code];
    this.detail = options.detail;
    this.violations = options.violations?.slice(0, maxViolations).map(({ field, description }) => ({
      field: cut(field, maxDescriptionLength),
      description: cut(description, maxDescriptionLength),
    }));
    this.metadata = options.metadata ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
  }
}

/** True if `error` is an AppError, of this code when one is given. */
export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code);
}

/** What was looked for; throws where it is not there. */
export function orThrow<T>(found: T | undefined, code: ErrorCode, message: string, options?: AppErrorOptions): T {
  if (found === undefined) {
    throw new AppError(code, message, options);
  }
  return found;
}

/** A 400 that names one field: its path and what is wrong with it. */
export function invalidField(field: string, description: string): AppError {
  return invalidFields([{ field, description }]);
}

/** A 400 that names every field that is wrong. */
export function invalidFields(violations: readonly FieldViolation[]): AppError {
  const message = violations.map(({ field, description }) => `${field}: ${description}`).join('; ');
  return new AppError('INVALID_ARGUMENT', message, { violations });
}

/** Throws a 400 that names every field that is wrong, where one is. */
export function refuseInvalid(violations: readonly FieldViolation[]): void {
  if (violations.length > 0) {
    throw invalidFields(violations);
  }
}
