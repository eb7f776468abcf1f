/** When an app was last delivered, and how much that was. The newest syncs of all apps are read once; only an app without one among them asks by itself. */
import { useQuery } from '@tanstack/react-query';
import { count, type Sync } from '../../data/inventory.ts';
import { read } from '../../data/query.ts';
import { When } from '../../parts/when.tsx';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';

/** The last successful sync of an app; undefined where it has none, null while it is read. */
export function useLastSync(appId: string): Sync | undefined | null {
  const newest = useQuery({ ...read('ImportService.List', { pageSize: 100, state: 'IMPORT_STATE_DONE' }), staleTime: 60_000 });
  const known = newest.data?.list?.map((view) => view.import).find((one) => one?.appId === appId);
  const isMissing = newest.data !== undefined && known === undefined && Boolean(newest.data.nextPageToken);
  const own = useQuery({ ...read('ImportService.List', { pageSize: 1, state: 'IMPORT_STATE_DONE', appId }), enabled: isMissing });
  return newest.isLoading || own.isLoading ? null : (known ?? own.data?.list?.[0]?.import);
}

export function LastSync({ appId }: { appId: string }) {
  const sync = useLastSync(appId);
  return sync === null ? null : sync?.endedAt === undefined ? text('apps.neverSynced') : <When at={sync.endedAt} />;
}

/** How many rights an app has by the last file of each of its sources; undefined where that is not known. */
export function useRightCount(appId: string): number | undefined {
  const { data } = useQuery({ ...read('ImportService.List', { appId, pageSize: 100, state: 'IMPORT_STATE_DONE' }), staleTime: 60_000 });
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
