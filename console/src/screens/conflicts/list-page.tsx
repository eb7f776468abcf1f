/** The rules about access that should not be held together, and who breaks them now. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Page } from '../../app/page.tsx';
import { readPages } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { text } from '../../text/text.ts';
import { Alerts } from './alerts.tsx';
import styles from './conflicts.module.css';
import { NewMonitor } from './new-monitor.tsx';

export function ConflictsPage() {
  const list = useInfiniteQuery(readPages('ConflictMonitorService.List', { pageSize: 100 }));
  const mayWrite = useMay('policies.write');
  const [isMaking, setMaking] = useState(false);
  const rows = list.data?.pages.flatMap((page) => page.list ?? []) ?? [];
  const action = mayWrite ? (
    <Button variant="primary" icon="plus" onClick={() => setMaking(true)}>
      {text('conflicts.new')}
    </Button>
  ) : undefined;
  return (
    <Page title={text('nav.conflicts')} actions={action}>
      <div className={styles.sections}>
        <Alerts monitorId="" />
        <section className={styles.section}>
          <h2>{text('conflicts.monitors')}</h2>
          {list.isPending ? <Skeleton rows={3} /> : null}
          {list.isError ? <Failed error={list.error} retry={() => void list.refetch()} /> : null}
          {list.isSuccess && rows.length === 0 ? (
            <Empty icon="warning" title={text('conflicts.noMonitors')} action={action}>
              {text('conflicts.noMonitorsNext')}
            </Empty>
          ) : null}
          {rows.length === 0 ? null : (
            <Table
              label={text('conflicts.monitors')}
              rows={rows}
              rowKey={(row) => row.id ?? ''}
              rowLink={(row) => `/conflicts/${row.id}`}
              columns={[
                { id: 'name', head: text('conflicts.name'), cell: (row) => <b>{row.displayName}</b> },
                { id: 'words', head: text('conflicts.description'), narrow: 'second', cell: (row) => row.description },
                {
                  id: 'on',
                  head: text('conflicts.state'),
                  cell: (row) => <Chip kind={row.enabled ? 'ok' : 'plain'}>{text(row.enabled ? 'conflicts.on' : 'conflicts.off')}</Chip>,
                },
              ]}
            />
          )}
          <Pages query={list} />
        </section>
      </div>
      <NewMonitor open={isMaking} onOpenChange={setMaking} />
    </Page>
  );
}
