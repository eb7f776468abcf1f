/**
 * The one point where an error of PostgreSQL or of the connection to it becomes an AppError. What PostgreSQL said goes into
 * `detail` and `cause`, which are only logged: its texts hold values of other rows and names of tables.
 */
import { AppError, type ErrorCode } from '../errors.ts';

/** SQLSTATEs with an answer of their own; see also `translateByClass`. */
const answers: Record<string, readonly [ErrorCode, string]> = {
  '23505': ['CONFLICT', 'This already exists.'],
  '23P01': ['CONFLICT', 'This already exists.'],
  '23503': ['FAILED_PRECONDITION', 'Something this refers to does not exist, or something else still refers to this.'],
  '40001': ['CONFLICT', 'Another request changed this at the same time. Try again.'],
  '40P01': ['CONFLICT', 'Another request changed this at the same time. Try again.'],
  '55P03': ['CONFLICT', 'Another request is changing this. Try again.'],
  // A trigger of people refuses to leave a tenant without one.
  CS001: ['FAILED_PRECONDITION', 'This is the last active Super Administrator. Make another person one first.'],
  '22021': ['INVALID_ARGUMENT', 'A text holds a character that cannot be stored (such as U+0000).'],
  '22P05': ['INVALID_ARGUMENT', 'A text holds a character that cannot be stored (such as U+0000).'],
  '54000': ['INVALID_ARGUMENT', 'A value is too long.'],
  '57014': ['UNAVAILABLE', 'The database took too long to answer.'],
  '25P03': ['UNAVAILABLE', 'The database took too long to answer.'],
  // A read-only mode of the server, or a failover that left us connected to a standby.
  '25006': ['UNAVAILABLE', 'The database takes no changes at the moment.'],
  '3D000': ['UNAVAILABLE', 'The database is not available at the moment.'],
};

/** Codes of Node and pg for no connection, or none any more. */
const lostCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const lostTexts =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after|Query read timeout)/;

/** The SQLSTATE (or Node's code) of the first error in the chain of causes that has one. */
export function sqlStateOf(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    if (!(current instanceof AppError) && 'code' in current && typeof current.code === 'string') {
      return current.code;
    }
    current = current.cause;
  }
  return undefined;
}

/** True if the connection an error came over is of no use any more. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof AppError) {
    return error.cause !== undefined && isConnectionLost(error.cause);
  }
  if (!(error instanceof Error)) {
    return false;
  }
  const code = sqlStateOf(error) ?? '';
  return lostCodes.has(code) || code.startsWith('08') || /^57P0[1-5]$/.test(code) || code === '25P03' || lostTexts.test(error.message);
}

/** True if the same transaction may succeed when run again: a serialization failure or a deadlock. */
export function isWorthRetrying(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code === '40001' || code === '40P01';
}

/** True if somebody held a lock for longer than this transaction was willing to wait with a connection (lock_timeout, NOWAIT). */
export function isLockTaken(error: unknown): boolean {
  return sqlStateOf(error) === '55P03';
}

/** True if PostgreSQL threw away a plan because the schema changed under a running process: a new connection helps. */
export function isStalePlan(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof Error && cause.message === 'cached plan must not change result type';
}

function describe(error: Error): string {
  const told = error as Error & { code?: string; detail?: string; constraint?: string; table?: string; where?: string };
  const parts = [told.code, told.message, told.detail, told.table, told.constraint, told.where];
  return parts
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' | ')
    .slice(0, 2000);
}

function unavailable(error: Error, message: string): AppError {
  return new AppError('UNAVAILABLE', message, { detail: describe(error), cause: error, retryAfterSeconds: 1 });
}

function translateByClass(error: Error, code: string): AppError {
  if (isConnectionLost(error) || isStalePlan(error)) {
    return unavailable(error, 'The database is not available at the moment.');
  }
  // Ours or PostgreSQL's disk is full; it does not have space again within a second.
  if (/^(53100|ENOSPC|EDQUOT)$/.test(code)) {
    return new AppError('UNAVAILABLE', 'The service cannot store anything at the moment.', {
      detail: describe(error),
      cause: error,
      retryAfterSeconds: 30,
    });
  }
  // 28: it does not let us in. 53: out of connections, memory or disk. 58: an error of its operating system. One that lets nobody in has no code of its own.
  if (/^(28|53|58)/.test(code) || /^database ".*" is not currently accepting connections$/s.test(error.message)) {
    return unavailable(error, 'The database is not available at the moment.');
  }
  // A lone surrogate passes JSON.stringify and is refused by jsonb.
  if (code === '22P02' && /for type json/.test(error.message)) {
    return new AppError('INVALID_ARGUMENT', 'A text holds a character that cannot be stored.', { detail: describe(error), cause: error });
  }
  return new AppError('INTERNAL', 'Something went wrong on our side.', { detail: describe(error), cause: error });
}

/** The AppError of whatever pg threw; an AppError passes unchanged. */
export function translateError(error: unknown): AppError {
  if (error instanceof AppError) {
    return error;
  }
  if (!(error instanceof Error)) {
    return new AppError('INTERNAL', 'Something went wrong on our side.', { detail: String(error), cause: error });
  }
  const code = sqlStateOf(error) ?? '';
  const answer = answers[code];
  if (answer === undefined) {
    return translateByClass(error, code);
  }
  if (answer[0] === 'UNAVAILABLE') {
    return unavailable(error, answer[1]);
  }
  return new AppError(answer[0], answer[1], { detail: describe(error), cause: error });
}
