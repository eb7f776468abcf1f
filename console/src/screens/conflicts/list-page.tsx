/** The rules about access that should not be held together, and who breaks them now. */
import { linkOptions } from '@tanstack/react-router';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Page } from '~/app/page.tsx';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { text } from '~/text/text.ts';
import { Alerts } from './alerts.tsx';
import styles from './conflicts.module.css';
import { NewMonitor } from './new-monitor.tsx';
import { monitorsQuery } from './route.tsx';

export function ConflictsPage() {
  const list = useInfiniteQuery(monitorsQuery);
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
          <Table
            query={list}
            empty={
              <Empty icon="warning" title={text('conflicts.noMonitors')} action={action}>
                {text('conflicts.noMonitorsNext')}
              </Empty>
            }
            label={text('conflicts.monitors')}
            rows={rows}
            rowKey={(row) => row.id ?? ''}
            rowLink={(row) => linkOptions({ to: '/conflicts/$id', params: { id: row.id ?? '' } })}
            columns={(column) => [
              column('name', text('conflicts.name'), (row) => <b>{row.displayName}</b>),
              column('words', text('conflicts.description'), (row) => row.description, { narrow: 'second' }),
              column('on', text('conflicts.state'), (row) => (
                <Chip kind={row.enabled ? 'ok' : 'plain'}>{text(row.enabled ? 'conflicts.on' : 'conflicts.off')}</Chip>
              )),
            ]}
          />
        </section>
      </div>
      <NewMonitor open={isMaking} onOpenChange={setMaking} />
    </Page>
  );
}
