/** People with their roles, and what may be done about each. */
import { nameOf } from '../../../../data/inventory.ts';
import { Button } from '../../../../parts/button.tsx';
import { Chip } from '../../../../parts/chip.tsx';
import { Initials } from '../../../../parts/initials.tsx';
import { type Column, Table } from '../../../../parts/table.tsx';
import { text } from '../../../../text/text.ts';
import styles from '../tenant.module.css';
import { basicUser, type Holder } from './roles.ts';
import type { KnownRoles } from './use-roles.ts';

interface HolderTableProps {
  readonly rows: readonly Holder[];
  readonly roles: KnownRoles;
  /** Undefined for those who may not. */
  readonly onRoles: ((person: Holder) => void) | undefined;
  readonly onLink: ((person: Holder) => void) | undefined;
}

export function HolderTable({ rows, roles, onRoles, onLink }: HolderTableProps) {
  const doing: Column<Holder> = {
    id: 'do',
    head: '',
    align: 'end',
    narrow: 'second',
    cell: (person) => (
      <span className={styles.buttons}>
        {onLink === undefined || person.status === 'DISABLED' ? null : (
          <Button variant="quiet" onClick={() => onLink(person)}>
            {text('roles.makeLink')}
          </Button>
        )}
        {onRoles === undefined ? null : <Button onClick={() => onRoles(person)}>{text('roles.change')}</Button>}
      </span>
    ),
  };
  return (
    <Table
      label={text('settings.roles')}
      rows={rows}
      rowKey={(person) => person.id ?? ''}
      columns={[
        {
          id: 'person',
          head: text('roles.person'),
          cell: (person) => (
            <span className={styles.person}>
              <Initials name={nameOf(person)} />
              <span className={styles.pair}>
                <b>{nameOf(person)}</b>
                <small>{person.email}</small>
              </span>
            </span>
          ),
        },
        {
          id: 'roles',
          head: text('settings.roles'),
          narrow: 'second',
          cell: (person) => <HeldRoles person={person} roles={roles} />,
        },
        ...(onRoles === undefined && onLink === undefined ? [] : [doing]),
      ]}
    />
  );
}

function HeldRoles({ person, roles }: { person: Holder; roles: KnownRoles }) {
  const held = (person.roleIds ?? []).filter((id) => id !== basicUser);
  return (
    <span className={styles.chips}>
      {person.status === 'DISABLED' ? <Chip kind="warn">{text('roles.disabled')}</Chip> : null}
      {(held.length === 0 ? [basicUser] : held).map((id) => (
        <Chip key={id} kind={id === basicUser ? 'plain' : 'info'}>
          {roles.nameOf(id)}
        </Chip>
      ))}
    </span>
  );
}
