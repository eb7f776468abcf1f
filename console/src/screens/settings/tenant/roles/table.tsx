/** People with their roles, and what may be done about each. */
import { personName } from '~/data/inventory/inventory.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { Initials } from '~/parts/words/initials.tsx';
import { Table, type TableStates } from '~/parts/tables/table.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { basicUser, type Holder } from './roles.ts';
import type { KnownRoles } from './use-roles.ts';

interface HolderTableProps extends TableStates {
  readonly rows: readonly Holder[];
  readonly roles: KnownRoles;
  /** Undefined for those who may not. */
  readonly onRoles: ((person: Holder) => void) | undefined;
  readonly onLink: ((person: Holder) => void) | undefined;
}

export function HolderTable({ rows, roles, onRoles, onLink, ...states }: HolderTableProps) {
  return (
    <Table
      {...states}
      label={text('settings.roles')}
      rows={rows}
      rowKey={(person) => person.id ?? ''}
      columns={(column) => [
        column('person', text('roles.person'), (person) => (
          <span className={styles.person}>
            <Initials name={personName(person)} />
            <span className={styles.pair}>
              <b>{personName(person)}</b>
              <small>{person.email}</small>
            </span>
          </span>
        )),
        column('roles', text('settings.roles'), (person) => <HeldRoles person={person} roles={roles} />, { narrow: 'second' }),
        ...(onRoles === undefined && onLink === undefined
          ? []
          : [
              column(
                'do',
                '',
                (person) => (
                  <span className={styles.buttons}>
                    {onLink === undefined || person.status === 'DISABLED' ? null : (
                      <Button variant="quiet" onClick={() => onLink(person)}>
                        {text('roles.makeLink')}
                      </Button>
                    )}
                    {onRoles === undefined ? null : <Button onClick={() => onRoles(person)}>{text('roles.change')}</Button>}
                  </span>
                ),
                { align: 'end', narrow: 'second' },
              ),
            ]),
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
