/** Sending a file with the progress of its way to the server, which fetch does not show; and having its beginning looked at. */
import { build, type Operation, type ReplyOf, type RequestOf } from '../../../../src/client/browser.ts';
import { ClientError, readError } from '../../../../src/client/error.ts';
import { upload } from '~/data/query.ts';
import { withFresh } from '~/data/session/fresh-sign-in.ts';

/** The beginning of a CSV file says as much of its columns as all of it. */
const inspectedBytes = 4 * 1024 * 1024;
const contentType = 'application/octet-stream';

/** Reason a file cannot be read any more: it was changed, moved or deleted since it was chosen, or it is a folder. */
export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable';
}

/** Throws FileUnreadable for what the browser cannot read, which it would say in the same words as that the server is away. */
export async function requireReadable(file: Blob): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (error) {
    throw new FileUnreadable('the file cannot be read', { cause: error });
  }
}

/**
 * Sends a file; `onProgress` hears the share that has arrived, from 0 to 1, and 1 while the server works on it. A file that changes what signs in is
 * sent again after a fresh sign-in.
 */
export function sendFile<K extends Operation>(
  operation: K,
  request: RequestOf<K>,
  file: Blob,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<ReplyOf<K>> {
  return withFresh(async () => {
    await requireReadable(file);
    return sendOnce(operation, request, file, onProgress, signal);
  });
}

function sendOnce<K extends Operation>(
  operation: K,
  request: RequestOf<K>,
  file: Blob,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<ReplyOf<K>> {
  const { verb, path } = build(operation, request, true);
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open(verb, path);
    sending.setRequestHeader('accept', 'application/json');
    sending.setRequestHeader('content-type', contentType);
    sending.upload.addEventListener('progress', (event) => onProgress(event.total === 0 ? 1 : event.loaded / event.total));
    sending.addEventListener('load', () => {
      if (sending.status === 200) {
        resolve(JSON.parse(sending.responseText) as ReplyOf<K>);
        return;
      }
      const headers = { 'x-request-id': sending.getResponseHeader('x-request-id') ?? '' };
      readError(new Response(sending.responseText, { status: sending.status, headers })).then(reject, reject);
    });
    for (const event of ['error', 'abort', 'timeout']) {
      // The file may have changed while it was sent.
      sending.addEventListener(event, () =>
        requireReadable(file).then(() => reject(new ClientError('the server did not answer', { status: 0, code: 'UNREACHABLE' })), reject),
      );
    }
    signal?.addEventListener('abort', () => sending.abort());
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    sending.send(file);
  });
}

/** True if packed, by its first bytes. */
async function isPacked(file: Blob): Promise<boolean> {
  const [first = 0, second = 0] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return (first === 0x1f && second === 0x8b) || (first === 0x50 && second === 0x4b);
}

/** True for the file of a connector, by its first bytes. */
export async function isConnectorFile(file: Blob): Promise<boolean> {
  return (await file.slice(0, 3).text()) === 'C1Z';
}

/** Has the columns of a file looked at: all of a packed one, the beginning of any other. */
export async function inspectFile(
  request: RequestOf<'ColumnMappingService.Inspect'>,
  file: Blob,
  signal?: AbortSignal,
): Promise<ReplyOf<'ColumnMappingService.Inspect'>> {
  await requireReadable(file);
  const content = (await isPacked(file)) ? file : file.slice(0, inspectedBytes);
  return upload('ColumnMappingService.Inspect', request, { content, contentType }, { signal });
}

/** The SHA-256 of a file that is small enough to be read as a whole; empty for any other, and where the page is not secure. */
export async function hashFile(file: Blob): Promise<string> {
  if (file.size > 64 * 1024 * 1024 || globalThis.crypto.subtle === undefined) {
    return '';
  }
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
