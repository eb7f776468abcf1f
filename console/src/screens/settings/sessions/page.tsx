/** One's own sessions: every browser that is signed in, each with its end, and all others at once. */
import { useSend } from '~/data/act.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call, forget, read } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { clock, weekday } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { SettingsFrame } from '~/screens/settings/frame.tsx';
import { SessionTable } from './table.tsx';
import { ownSessionsQuery } from '~/screens/settings/route.tsx';

export function SessionsPage() {
  const list = useInfiniteQuery(ownSessionsQuery);
  const current = useQuery(read('SessionService.Get', {})).data;
  const rows = list.data?.pages.flatMap((page) => page.list ?? []) ?? [];
  const end = useSend({
    mutationFn: (id: string) => call('SessionService.Delete', { id }),
    onSuccess: async () => {
      toast(text('sessions.ended'));
      await forget('SessionService.List');
    },
  });
  const endOthers = useSend({
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
      <SessionTable query={list} rows={rows} busyId={end.isPending ? end.variables : ''} onEnd={(id) => end.mutate(id)} />
    </SettingsFrame>
  );
}
