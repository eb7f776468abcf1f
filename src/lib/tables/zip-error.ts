/** Fault of a zip file. In a file of its own, so that a program that only names the error loads no reader. */

/** Reason a zip file was refused. */
export class ZipError extends Error {
  override readonly name = 'ZipError';
  readonly reason: 'damaged' | 'encrypted' | 'parts' | 'expands' | 'size';

  constructor(reason: ZipError['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
