/** Content of a file, by its columns: access where there is an account and a right, else people. */
import { inspectFile } from '~/data/inventory/upload.ts';
import type { Kind } from './fields.ts';

/** The kind of a file; undefined where its columns do not say. */
export async function guessKind(file: Blob): Promise<Kind | undefined> {
  for (const kind of ['grants', 'people'] as const) {
    const { missing = [], columns = [] } = await inspectFile({ kind }, file).catch(() => ({ missing: ['?'], columns: [] }));
    if (columns.length > 0 && missing.length === 0) {
      return kind;
    }
  }
  return undefined;
}
