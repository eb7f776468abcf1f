/** The body of an import's request; how it is read is in open-rows.ts and read-file.ts. */
import type { Readable } from 'node:stream';

/** The body of a request, as it came. */
export interface Upload {
  readonly body: Readable;
  /** Content-Encoding in lower case, '' where there is none. */
  readonly encoding: string;
  /** Aborted when the client goes away before it was answered. */
  readonly left?: AbortSignal | undefined;
}

/** To be called before anything else is waited for: an upload that breaks off before it is read must not end the process. Its reader hears of it. */
export function expectUpload({ body }: Upload): void {
  body.on('error', () => undefined);
}
