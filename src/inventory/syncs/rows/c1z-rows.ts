/** A c1z that was sent, as rows: nothing of it is read before somebody takes them. */
import type { FetchedFacts } from '../../../lib/tables/fetched-table.ts';
import { type OpenC1z, openC1z } from '../../../lib/c1z/open-c1z.ts';
import { openSource } from '../../../lib/tables/csv-source.ts';
import { fileLimits } from '../values/index.ts';
import { openFetched } from './fetched-rows.ts';
import type { OpenRows, RowBatch } from './open-rows.ts';
import type { FetchedRows, SentFile } from './upload.ts';

/** Returns the rows of a c1z; `zone` is that of the connector's host, unknown where it is ''. */
export function openSentC1z({ body, encoding, left }: SentFile, zone: string): FetchedRows {
  const source = openSource(body, encoding, fileLimits);
  let file: OpenC1z | undefined;

  async function* read(): AsyncGenerator<RowBatch> {
    file = await openC1z(source.pieces, { zone: zone === '' ? undefined : zone });
    yield* openFetched(file.table, { format: 'C1Z', sha256: source.sha256() }).batches;
  }

  const facts = (): FetchedFacts => {
    if (file === undefined) {
      throw new Error('the rows of a c1z were not read');
    }
    return file.facts();
  };
  const opened: OpenRows = {
    format: 'C1Z',
    sheets: [],
    isExact: true,
    form: () => ({ encoding: '', separator: '' }),
    batches: read(),
    sha256: source.sha256,
    async close() {
      await file?.close();
    },
  };
  return { opened, facts, fetchId: '', left };
}
