/** The service principals, with what can be done about each. */
import { Button } from '~/parts/controls/button.tsx';
import { DotsMenu } from '~/parts/over/dots-menu.tsx';
import { Table, type TableStates } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';
import type { Principal } from './principal.ts';

interface PrincipalTableProps extends TableStates {
  readonly rows: readonly Principal[];
  readonly mayWrite: boolean;
  readonly onCredentials: (principal: Principal) => void;
  readonly onRoles: (principal: Principal) => void;
  readonly onDelete: (principal: Principal) => void;
}

export function PrincipalTable({ rows, mayWrite, onCredentials, onRoles, onDelete, ...states }: PrincipalTableProps) {
  return (
    <Table
      {...states}
      label={text('settings.principals')}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      columns={(column) => [
        column('name', text('principals.name'), (row) => <b>{row.displayName}</b>),
        column('since', text('principals.since'), (row) => (row.createdAt === undefined ? null : <When at={row.createdAt} />), {
          narrow: 'second',
        }),
        column(
          'do',
          '',
          (row) => (
            <span className={styles.buttons}>
              <Button onClick={() => onCredentials(row)}>{text('principals.credentials')}</Button>
              {mayWrite ? (
                <DotsMenu
                  label={text('principals.menu', { name: row.displayName ?? '' })}
                  items={[
                    { label: text('principals.roles'), icon: 'people', onSelect: () => onRoles(row) },
                    { label: text('principals.delete'), icon: 'cross', danger: true, onSelect: () => onDelete(row) },
                  ]}
                />
              ) : null}
            </span>
          ),
          { align: 'end', narrow: 'second' },
        ),
      ]}
    />
  );
}
