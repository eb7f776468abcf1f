/** The refusal of a c1z file: its message is for whoever sent it. */
export class C1zError extends Error {
  override readonly name = 'C1zError';
  /** A file that is too large, or one that cannot be read. */
  readonly reason: 'size' | 'file';

  constructor(message: string, options: { readonly reason?: C1zError['reason']; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = options.reason ?? 'file';
  }
}
