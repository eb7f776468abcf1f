/** One rule: the two groups of access that should not be held together, whether it is on, and who breaks it. */
import { useSend } from '~/data/act.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { call, forget } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { text } from '~/text/text.ts';
import { Alerts } from './alerts.tsx';
import styles from './conflicts.module.css';
import { Groups } from './groups.tsx';
import { monitorQuery, monitorRoute } from './route.tsx';

export function MonitorPage() {
  const { id } = monitorRoute.useParams();
  const query = useQuery(monitorQuery(id));
  const mayWrite = useMay('policies.write');
  const monitor = query.data;
  const turn = useSend({
    mutationFn: () => call(monitor?.enabled ? 'ConflictMonitorService.Disable' : 'ConflictMonitorService.Enable', { id }),
    onSuccess: () => forget('AccessConflictService.GetMonitor', 'ConflictMonitorService.List', 'ConflictAlertService.List'),
  });
  return (
    <Page
      title={monitor?.displayName ?? text('conflicts.one')}
      before={<Link to="/conflicts">{text('nav.conflicts')}</Link>}
      beside={
        monitor === undefined ? undefined : (
          <Chip kind={monitor.enabled ? 'ok' : 'plain'}>{text(monitor.enabled ? 'conflicts.on' : 'conflicts.off')}</Chip>
        )
      }
      actions={
        monitor !== undefined && mayWrite ? (
          <Button variant={monitor.enabled ? 'plain' : 'primary'} busy={turn.isPending} onClick={() => turn.mutate()}>
            {text(monitor.enabled ? 'conflicts.turnOff' : 'conflicts.turnOn')}
          </Button>
        ) : undefined
      }
    >
      {query.isPending ? <Skeleton rows={6} /> : null}
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {turn.isError ? <Note kind="fault">{turn.error.message}</Note> : null}
      {monitor === undefined ? null : (
        <div className={styles.sections}>
          {monitor.description ? <p className={styles.hint}>{monitor.description}</p> : null}
          <Groups monitorId={id} isNegated={monitor.negateGroupB === true} />
          <Alerts monitorId={id} />
        </div>
      )}
    </Page>
  );
}
