/** The sessions: which browser, how and when it signed in, from where, and its last use. */
import { useSession } from '../../../data/session.ts';
import type { ReplyOf } from '../../../data/query.ts';
import { Button } from '../../../parts/button.tsx';
import { Chip } from '../../../parts/chip.tsx';
import { Table } from '../../../parts/table.tsx';
import { When } from '../../../parts/when.tsx';
import { text } from '../../../text/text.ts';
import { browserOf } from './browser-of.ts';
import styles from './sessions.module.css';

export type SessionRow = NonNullable<ReplyOf<'SessionService.List'>['list']>[number];

interface SessionTableProps {
  readonly rows: readonly SessionRow[];
  readonly busyId: string;
  readonly onEnd: (id: string) => void;
}

export function SessionTable({ rows, busyId, onEnd }: SessionTableProps) {
  const session = useSession();
  return (
    <Table
      label={text('settings.sessions')}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      columns={[
        {
          id: 'browser',
          head: text('sessions.browser'),
          cell: (row) => (
            <span className={styles.browser} title={row.browser}>
              <b>{browserOf(row.browser ?? '') || text('sessions.unknown')}</b>
              {row.isCurrent ? <Chip kind="info">{text('sessions.current')}</Chip> : null}
            </span>
          ),
        },
        {
          id: 'since',
          head: text('sessions.since'),
          narrow: 'second',
          cell: (row) => (
            <span className={styles.pair}>
              {row.createdAt === undefined ? null : <When at={row.createdAt} />}
              <small>{text(row.how === 'PROVIDER' ? 'sessions.byProvider' : 'sessions.byLink')}</small>
            </span>
          ),
        },
        { id: 'address', head: text('sessions.address'), narrow: 'second', cell: (row) => <code>{row.address}</code> },
        {
          id: 'used',
          head: text('sessions.lastUsed'),
          narrow: 'hide',
          cell: (row) => (row.lastUsedAt === undefined ? null : <When at={row.lastUsedAt} />),
        },
        {
          id: 'end',
          head: '',
          align: 'end',
          cell: (row) =>
            row.isCurrent || session === undefined ? null : (
              <Button variant="quiet" busy={busyId === row.id} onClick={() => onEnd(row.id ?? '')}>
                {text('sessions.end')}
              </Button>
            ),
        },
      ]}
    />
  );
}
