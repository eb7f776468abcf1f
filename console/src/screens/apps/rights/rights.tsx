/** Number of rights of an app by its sources. */
import { useQuery } from '@tanstack/react-query';
import { count } from '~/data/inventory/inventory.ts';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { number } from '~/text/format.ts';

/** Counts rights of an app by the last file of each of its sources; undefined where that is not known. */
export function useRightCount(appId: string): number | undefined {
  const mayReadAll = useMay('inventory.read');
  const { data } = useQuery({
    ...read('ImportService.List', { appId, pageSize: 100, state: 'IMPORT_STATE_DONE' }),
    staleTime: 60_000,
    enabled: mayReadAll,
  });
  const last = new Map<string, number>();
  for (const { import: sync } of data?.list ?? []) {
    if (sync?.connectorId && !last.has(sync.connectorId)) {
      last.set(sync.connectorId, count(sync.counts?.grants?.total));
    }
  }
  return last.size === 0 ? undefined : [...last.values()].reduce((sum, one) => sum + one, 0);
}

export function Rights({ appId }: { appId: string }) {
  const rights = useRightCount(appId);
  return rights === undefined ? '–' : number(rights);
}
