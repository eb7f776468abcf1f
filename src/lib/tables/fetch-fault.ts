/** Failures of a fetch, as a fetcher that knows no errors of ours throws them. */

/**
 * Kinds of failure: the settings are wrong, the other system or a rule of ours refuses, what came is half there, and no answer came. The first
 * two meet another try again.
 */
export type FaultKind = 'SETTINGS' | 'REFUSED' | 'HALF' | 'UNREACHED';

/** A failure with a sentence for the owner of the source; it never repeats a secret. */
export class FetchFault extends Error {
  override readonly name = 'FetchFault';
  readonly kind: FaultKind;
  /** Seconds after which the other system wants to be asked again; 0 where it says nothing. */
  readonly retryAfterSeconds: number;
  /** Name of the setting or secret that it is about; '' where it is about none, or nobody knows. */
  readonly field: string;
  constructor(
    kind: FaultKind,
    message: string,
    { cause, retryAfterSeconds = 0, field = '' }: { cause?: unknown; retryAfterSeconds?: number; field?: string } = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.field = field;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Returns the words of an error of others, cut to a length that fits into a sentence, without a stop at the end. */
export function wordsOf(error: unknown): string {
  const words =
    error instanceof AggregateError ? error.errors.map(wordsOf).join('; ') : error instanceof Error ? error.message : String(error);
  return words.trim().replace(/\.$/, '').slice(0, 300);
}
