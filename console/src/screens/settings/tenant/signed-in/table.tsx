/** The sessions of everybody: whose, in which browser, since when and how, from where, and their last use. */
import type { ReplyOf } from '../../../../data/query.ts';
import { Button } from '../../../../parts/button.tsx';
import { Chip } from '../../../../parts/chip.tsx';
import { type Column, Table } from '../../../../parts/table.tsx';
import { When } from '../../../../parts/when.tsx';
import { text } from '../../../../text/text.ts';
import { browserOf } from '../../sessions/browser-of.ts';
import styles from '../tenant.module.css';

export type SignedInRow = NonNullable<ReplyOf<'UserSessionService.Search'>['list']>[number];

interface SignedInTableProps {
  readonly rows: readonly SignedInRow[];
  readonly busyId: string | undefined;
  /** Undefined for those who may not. */
  readonly onEnd: ((id: string) => void) | undefined;
  /** Shows the sessions of this person alone. */
  readonly onPerson: (userId: string) => void;
}

/** How somebody signed in, in words. */
function howOf({ session, issuerId, providerDisplayName }: SignedInRow): string {
  if (session?.how === 'PROVIDER') {
    return providerDisplayName ? text('signedIn.byProvider', { name: providerDisplayName }) : text('sessions.byProvider');
  }
  return text(issuerId ? 'signedIn.byIssuedLink' : 'sessions.byLink');
}

const nameOf = ({ displayName, email }: SignedInRow): string => displayName || email || '';

export function SignedInTable({ rows, busyId, onEnd, onPerson }: SignedInTableProps) {
  const ending: Column<SignedInRow> = {
    id: 'end',
    head: '',
    align: 'end',
    cell: (row) =>
      row.session?.isCurrent ? null : (
        <span className={styles.act}>
          <Button
            variant="quiet"
            busy={busyId === row.session?.id}
            aria-label={text('signedIn.endOne', { name: nameOf(row) })}
            onClick={() => onEnd?.(row.session?.id ?? '')}
          >
            {text('sessions.end')}
          </Button>
        </span>
      ),
  };
  return (
    <Table
      label={text('settings.signedIn')}
      rows={rows}
      rowKey={(row) => row.session?.id ?? ''}
      columns={[
        {
          id: 'person',
          head: text('signedIn.person'),
          cell: (row) => (
            <span className={styles.pair}>
              <button type="button" className={styles.name} onClick={() => onPerson(row.userId ?? '')}>
                {nameOf(row)}
              </button>
              <small>{row.email}</small>
            </span>
          ),
        },
        {
          id: 'browser',
          head: text('sessions.browser'),
          narrow: 'second',
          cell: ({ session }) => (
            <span className={styles.chips} title={session?.browser}>
              {browserOf(session?.browser ?? '') || text('sessions.unknown')}
              {session?.isCurrent ? <Chip kind="info">{text('sessions.current')}</Chip> : null}
            </span>
          ),
        },
        {
          id: 'since',
          head: text('sessions.since'),
          narrow: 'second',
          cell: (row) => (
            <span className={styles.pair}>
              {row.session?.createdAt === undefined ? null : <When at={row.session.createdAt} />}
              <small>{howOf(row)}</small>
            </span>
          ),
        },
        { id: 'address', head: text('sessions.address'), narrow: 'hide', cell: ({ session }) => <code>{session?.address}</code> },
        {
          id: 'used',
          head: text('sessions.lastUsed'),
          narrow: 'hide',
          cell: ({ session }) => (session?.lastUsedAt === undefined ? null : <When at={session.lastUsedAt} />),
        },
        ...(onEnd === undefined ? [] : [ending]),
      ]}
    />
  );
}
