/** Sending a file as an import, for good or as a dry run: both say the same of the file, so that the one does what the other showed. */
import type { ReplyOf } from '../../data/query.ts';
import { sendFile } from '../../data/upload.ts';
import type { Kind } from './fields.ts';

/** What is said of a file. */
export interface Asked {
  readonly kind: Kind;
  /** The app by its name; empty for people. */
  readonly app: string;
  readonly source: string;
  readonly connectorId: string;
  readonly sheet: string;
  readonly map: readonly string[];
}

/** Whether it is meant. */
export type Manner = { readonly allowRemovals: boolean } | { readonly dryRun: true; readonly differenceToken: string };

/** The answer to both kinds of files. */
export type Answer = ReplyOf<'ImportService.ImportGrants'>;

export function sendImport(
  { kind, app, map, ...reading }: Asked,
  manner: Manner,
  content: Blob,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<Answer> {
  const request = { ...reading, ...manner, map: [...map] };
  return kind === 'people'
    ? sendFile('ImportService.ImportPeople', request, content, onProgress, signal)
    : sendFile('ImportService.ImportGrants', { ...request, app }, content, onProgress, signal);
}
