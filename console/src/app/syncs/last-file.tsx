/** Moment that the data of a source are of, by its last successful sync. */
import { useQuery } from '@tanstack/react-query';
import type { Source } from '~/data/inventory/inventory.ts';
import { read } from '~/data/query.ts';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';

/** The last successful sync of a source. */
export function useLastFile(source: Source) {
  const id = source.lastImportId ?? '';
  const { data, isLoading } = useQuery({ ...read('ImportService.Get', { id }), enabled: id !== '', staleTime: 60_000 });
  return { sync: data?.import, isLoading };
}

export function LastFile({ source }: { source: Source }) {
  const { sync, isLoading } = useLastFile(source);
  return isLoading ? null : sync === undefined ? text('source.never') : <When at={sync.observedFrom} />;
}
