/** Those who break a rule, or did: by state, with the exemption of each and the way to make one. */
import { useSend } from '~/data/act.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call, forget, readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Note } from '~/parts/states/note.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import { AlertTable } from './alert-table.tsx';
import styles from './conflicts.module.css';
import { ExemptDialog } from './exempt-dialog.tsx';
import type { AlertState } from './route.tsx';
import type { Alert } from './types.ts';

const wanted = {
  active: 'CONFLICT_ALERT_STATE_ACTIVE',
  exempted: 'CONFLICT_ALERT_STATE_EXEMPTED',
  resolved: 'CONFLICT_ALERT_STATE_RESOLVED',
} as const;

/** Pause until an empty list of a rule is read again. */
const lookAgainMs = 3_000;

export function Alerts({ monitorId }: { monitorId: string }) {
  const { state = 'active' } = useSearch({ from: monitorId === '' ? '/shell/conflicts' : '/shell/conflicts/$id' });
  const navigate = useNavigate();
  const mayWrite = useMay('policies.write');
  const [exempted, setExempted] = useState<Alert>();
  const list = useInfiniteQuery({
    ...readPages('ConflictAlertService.List', { monitorId, state: wanted[state], pageSize: 50 }),
    // Whoever has just turned a rule on waits for what is looked for in the background.
    refetchInterval: ({ state: { data } }) => (monitorId !== '' && data?.pages[0]?.list?.length === 0 ? lookAgainMs : false),
  });
  const rows = list.data?.pages.flatMap((page) => page.list ?? []) ?? [];
  const withdraw = useSend({
    mutationFn: (id: string) => call('ConflictAlertService.Withdraw', { id }),
    onSuccess: async () => {
      toast(text('conflicts.withdrawn'));
      await forget('ConflictAlertService.List');
    },
  });
  return (
    <section className={styles.section}>
      <h2>{text('conflicts.alerts')}</h2>
      <div className={styles.states}>
        <Segments<AlertState>
          label={text('conflicts.state')}
          value={state}
          onChange={(next) => void navigate({ to: '.', search: { state: next === 'active' ? undefined : next } })}
          options={[
            { value: 'active', label: text('conflicts.active') },
            { value: 'exempted', label: text('conflicts.exempted') },
            { value: 'resolved', label: text('conflicts.resolved') },
          ]}
        />
      </div>
      {withdraw.isError ? <Note kind="fault">{withdraw.error.message}</Note> : null}
      <AlertTable
        query={list}
        empty={
          <p className={styles.hint}>
            {text(state === 'active' ? 'conflicts.noneActive' : state === 'exempted' ? 'conflicts.noneExempted' : 'conflicts.noneResolved')}
          </p>
        }
        rows={rows}
        isOfOne={monitorId !== ''}
        onExempt={mayWrite ? setExempted : undefined}
        onWithdraw={mayWrite ? (alert) => withdraw.mutate(alert.id ?? '') : undefined}
      />
      {exempted === undefined ? null : <ExemptDialog alert={exempted} onClose={() => setExempted(undefined)} />}
    </section>
  );
}
