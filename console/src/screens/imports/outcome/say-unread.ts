/** Why nothing was imported, where it was not the server that said so. */
import { FileUnreadable } from '~/data/inventory/upload.ts';
import { text } from '~/text/text.ts';

export function sayUnread(error: unknown): string {
  return text(error instanceof FileUnreadable ? 'imports.unreadable' : 'imports.failed');
}
