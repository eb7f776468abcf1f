/** The service principals, with what can be done about each. */
import { Button } from '../../../../parts/button.tsx';
import { Menu } from '../../../../parts/menu.tsx';
import { Table } from '../../../../parts/table.tsx';
import { When } from '../../../../parts/when.tsx';
import { text } from '../../../../text/text.ts';
import styles from '../tenant.module.css';
import type { Principal } from './principal.ts';

interface PrincipalTableProps {
  readonly rows: readonly Principal[];
  readonly mayWrite: boolean;
  readonly onCredentials: (principal: Principal) => void;
  readonly onRoles: (principal: Principal) => void;
  readonly onDelete: (principal: Principal) => void;
}

export function PrincipalTable({ rows, mayWrite, onCredentials, onRoles, onDelete }: PrincipalTableProps) {
  const menuOf = (name: string) => text('principals.menu', { name });
  return (
    <Table
      label={text('settings.principals')}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      columns={[
        { id: 'name', head: text('principals.name'), cell: (row) => <b>{row.displayName}</b> },
        {
          id: 'since',
          head: text('principals.since'),
          narrow: 'second',
          cell: (row) => (row.createdAt === undefined ? null : <When at={row.createdAt} />),
        },
        {
          id: 'do',
          head: '',
          align: 'end',
          narrow: 'second',
          cell: (row) => (
            <span className={styles.buttons}>
              <Button onClick={() => onCredentials(row)}>{text('principals.credentials')}</Button>
              {mayWrite ? (
                <Menu
                  label={menuOf(row.displayName ?? '')}
                  trigger={<Button variant="quiet" icon="dots" aria-label={menuOf(row.displayName ?? '')} />}
                  items={[
                    { label: text('principals.roles'), icon: 'people', onSelect: () => onRoles(row) },
                    { label: text('principals.delete'), icon: 'cross', danger: true, onSelect: () => onDelete(row) },
                  ]}
                />
              ) : null}
            </span>
          ),
        },
      ]}
    />
  );
}
