/** Keeping how the columns of a file were read for the next files of its source. */
import { sayChange } from '~/app/forms/say-change.ts';
import { change, readChange } from '~/data/change.ts';
import { queries, read } from '~/data/query.ts';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import type { Mapping } from './file/mapping.ts';

/**
 * Keeps a mapping in place of the one that was read; undefined where none was. The file is imported by then: that somebody else kept another one
 * meanwhile is said, and is no failure of the import.
 */
export async function keepMapping(connectorId: string, mapping: Mapping, asRead: Mapping | undefined): Promise<void> {
  const readNow = async () =>
    (await queries.fetchQuery({ ...read('ColumnMappingService.Get', { connectorId }), staleTime: 0 })).columnMapping;
  try {
    const columnMapping = asRead ?? (await readNow()) ?? {};
    await change('ColumnMappingService.Set', { connectorId, columnMapping: mapping }, { columnMapping });
  } catch (error) {
    const other = readChange(error);
    if (other === undefined) {
      throw error;
    }
    const action = { label: text('changed.again'), run: () => void keepMapping(connectorId, mapping, undefined) };
    toast(`${sayChange(other)} ${text('imports.notKept')}`, { action });
  }
}
