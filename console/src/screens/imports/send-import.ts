/** Sending a file as an import, for good or as a dry run: both say the same of the file, so that the one does what the other showed. */
import type { ReplyOf } from '~/data/query.ts';
import { sendFile } from '~/data/inventory/upload.ts';
import type { Kind } from './file/fields.ts';

/** Details sent of a file. */
export interface Asked {
  readonly kind: Kind;
  /** A file of a connector, which has neither columns to choose nor sheets. */
  readonly isC1z: boolean;
  /** The app by its name; empty for people. */
  readonly app: string;
  readonly source: string;
  readonly connectorId: string;
  readonly sheet: string;
  readonly map: readonly string[];
}

/** Import or dry run. */
export type Manner = { readonly allowRemovals: boolean } | { readonly dryRun: true; readonly differenceToken: string };

/** The answer to both kinds of files. */
export type Answer = ReplyOf<'ImportService.ImportGrants'>;

export function sendImport(
  { kind, isC1z, app, map, ...reading }: Asked,
  manner: Manner,
  content: Blob,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<Answer> {
  if (isC1z) {
    const { source, connectorId } = reading;
    return sendFile('ImportService.ImportC1z', { app, source, connectorId, ...manner }, content, onProgress, signal);
  }
  const request = { ...reading, ...manner, map: [...map] };
  return kind === 'people'
    ? sendFile('ImportService.ImportPeople', request, content, onProgress, signal)
    : sendFile('ImportService.ImportGrants', { ...request, app }, content, onProgress, signal);
}
