/** The sessions of everybody: whose, in which browser, since when and how, from where, and their last use. */
import type { ReplyOf } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { Table, type TableStates } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import { browserName } from '~/screens/settings/sessions/browser-of.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';

export type SignedInRow = NonNullable<ReplyOf<'UserSessionService.Search'>['list']>[number];

interface SignedInTableProps extends TableStates {
  readonly rows: readonly SignedInRow[];
  readonly busyId: string | undefined;
  /** Undefined for those who may not. */
  readonly onEnd: ((id: string) => void) | undefined;
  /** Shows the sessions of this person alone. */
  readonly onPerson: (userId: string) => void;
}

/** Names the way somebody signed in. */
function howOf({ session, issuerId, providerDisplayName }: SignedInRow): string {
  if (session?.how === 'PROVIDER') {
    return providerDisplayName ? text('signedIn.byProvider', { name: providerDisplayName }) : text('sessions.byProvider');
  }
  return text(issuerId ? 'signedIn.byIssuedLink' : 'sessions.byLink');
}

const nameOf = ({ displayName, email }: SignedInRow): string => displayName || email || '';

export function SignedInTable({ rows, busyId, onEnd, onPerson, ...states }: SignedInTableProps) {
  return (
    <Table
      {...states}
      label={text('settings.signedIn')}
      rows={rows}
      rowKey={(row) => row.session?.id ?? ''}
      columns={(column) => [
        column('person', text('signedIn.person'), (row) => (
          <span className={styles.pair}>
            <button type="button" className={styles.name} onClick={() => onPerson(row.userId ?? '')}>
              {nameOf(row)}
            </button>
            <small>{row.email}</small>
          </span>
        )),
        column(
          'browser',
          text('sessions.browser'),
          ({ session }) => (
            <span className={styles.chips} title={session?.browser}>
              {browserName(session?.browser ?? '') || text('sessions.unknown')}
              {session?.isCurrent ? <Chip kind="info">{text('sessions.current')}</Chip> : null}
            </span>
          ),
          { narrow: 'second' },
        ),
        column(
          'since',
          text('sessions.since'),
          (row) => (
            <span className={styles.pair}>
              {row.session?.createdAt === undefined ? null : <When at={row.session.createdAt} />}
              <small>{howOf(row)}</small>
            </span>
          ),
          { narrow: 'second' },
        ),
        column('address', text('sessions.address'), ({ session }) => <code>{session?.address}</code>, { narrow: 'hide' }),
        column(
          'used',
          text('sessions.lastUsed'),
          ({ session }) => (session?.lastUsedAt === undefined ? null : <When at={session.lastUsedAt} />),
          { narrow: 'hide' },
        ),
        ...(onEnd === undefined
          ? []
          : [
              column(
                'end',
                '',
                (row) =>
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
                { align: 'end' },
              ),
            ]),
      ]}
    />
  );
}
