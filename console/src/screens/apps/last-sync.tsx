/** Last delivery of an app, and how much that was. The newest syncs of all apps are read once; only an app without one among them asks by itself. */
import { useQuery } from '@tanstack/react-query';
import type { Sync } from '~/data/inventory/inventory.ts';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';

/** The last successful sync of an app; undefined where it has none, null while it is read. */
export function useLastSync(appId: string): Sync | undefined | null {
  const enabled = useMay('inventory.read');
  const newest = useQuery({ ...read('ImportService.List', { pageSize: 100, state: 'IMPORT_STATE_DONE' }), staleTime: 60_000, enabled });
  const known = newest.data?.list?.map((view) => view.import).find((one) => one?.appId === appId);
  const isMissing = newest.data !== undefined && known === undefined && Boolean(newest.data.nextPageToken);
  const own = useQuery({ ...read('ImportService.List', { pageSize: 1, state: 'IMPORT_STATE_DONE', appId }), enabled: isMissing });
  return newest.isLoading || own.isLoading ? null : (known ?? own.data?.list?.[0]?.import);
}

export function LastSync({ appId }: { appId: string }) {
  const sync = useLastSync(appId);
  return sync === null ? null : sync?.endedAt === undefined ? text('apps.neverSynced') : <When at={sync.endedAt} />;
}
