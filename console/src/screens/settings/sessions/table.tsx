/** The sessions: which browser, how and when it signed in, from where, and its last use. */
import { useSession } from '~/data/session/session.ts';
import type { ReplyOf } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { Table, type TableStates } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import { browserName } from './browser-of.ts';
import styles from './sessions.module.css';

export type SessionRow = NonNullable<ReplyOf<'SessionService.List'>['list']>[number];

interface SessionTableProps extends TableStates {
  readonly rows: readonly SessionRow[];
  readonly busyId: string;
  readonly onEnd: (id: string) => void;
}

export function SessionTable({ rows, busyId, onEnd, ...states }: SessionTableProps) {
  const session = useSession();
  return (
    <Table
      {...states}
      label={text('settings.sessions')}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      columns={(column) => [
        column('browser', text('sessions.browser'), (row) => (
          <span className={styles.browser} title={row.browser}>
            <b>{browserName(row.browser ?? '') || text('sessions.unknown')}</b>
            {row.isCurrent ? <Chip kind="info">{text('sessions.current')}</Chip> : null}
          </span>
        )),
        column(
          'since',
          text('sessions.since'),
          (row) => (
            <span className={styles.pair}>
              {row.createdAt === undefined ? null : <When at={row.createdAt} />}
              <small>{text(row.how === 'PROVIDER' ? 'sessions.byProvider' : 'sessions.byLink')}</small>
            </span>
          ),
          { narrow: 'second' },
        ),
        column('address', text('sessions.address'), (row) => <code>{row.address}</code>, { narrow: 'second' }),
        column('used', text('sessions.lastUsed'), (row) => (row.lastUsedAt === undefined ? null : <When at={row.lastUsedAt} />), {
          narrow: 'hide',
        }),
        column(
          'end',
          '',
          (row) =>
            row.isCurrent || session === undefined ? null : (
              <Button variant="quiet" busy={busyId === row.id} onClick={() => onEnd(row.id ?? '')}>
                {text('sessions.end')}
              </Button>
            ),
          { align: 'end' },
        ),
      ]}
    />
  );
}
