/** One's own sessions: every browser that is signed in, each with its end, and all others at once. */
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { call, forget, read, readPages } from '../../../data/query.ts';
import { Button } from '../../../parts/button.tsx';
import { Failed } from '../../../parts/failed.tsx';
import { Note } from '../../../parts/note.tsx';
import { Pages } from '../../../parts/pages.tsx';
import { Skeleton } from '../../../parts/skeleton.tsx';
import { toast } from '../../../parts/toast.tsx';
import { clock, weekday } from '../../../text/format.ts';
import { text } from '../../../text/text.ts';
import { SettingsFrame } from '../frame.tsx';
import { SessionTable } from './table.tsx';

export function SessionsPage() {
  const list = useInfiniteQuery(readPages('SessionService.List', { pageSize: 100 }));
  const current = useQuery(read('SessionService.Get', {})).data;
  const rows = list.data?.pages.flatMap((page) => page.list ?? []) ?? [];
  const end = useMutation({
    mutationFn: (id: string) => call('SessionService.Delete', { id }),
    onSuccess: async () => {
      toast(text('sessions.ended'));
      await forget('SessionService.List');
    },
  });
  const endOthers = useMutation({
    mutationFn: () => call('SessionService.EndOthers', {}),
    onSuccess: async ({ endedCount }) => {
      toast(text('sessions.endedOthers', { count: endedCount ?? 0 }));
      await forget('SessionService.List');
    },
  });
  const problem = end.error ?? endOthers.error;
  const areOthers = rows.some((row) => row.isCurrent !== true);
  return (
    <SettingsFrame
      title={text('settings.sessions')}
      intro={
        current?.expiresAt === undefined
          ? text('sessions.intro')
          : text('sessions.introUntil', { day: weekday(current.expiresAt), time: clock(current.expiresAt) })
      }
      action={
        areOthers ? (
          <Button variant="danger" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {text('sessions.endOthers')}
          </Button>
        ) : undefined
      }
    >
      {problem === null ? null : <Note kind="fault">{problem.message}</Note>}
      {list.isPending ? <Skeleton rows={3} /> : null}
      {list.isError ? <Failed error={list.error} retry={() => void list.refetch()} /> : null}
      {rows.length > 0 ? <SessionTable rows={rows} busyId={end.isPending ? end.variables : ''} onEnd={(id) => end.mutate(id)} /> : null}
      <Pages query={list} />
    </SettingsFrame>
  );
}
