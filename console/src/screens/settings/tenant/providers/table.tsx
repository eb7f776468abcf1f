/** The sign-in providers: where each is, which addresses it proves, and whether people sign in by it. */
import { Button } from '../../../../parts/button.tsx';
import { Chip } from '../../../../parts/chip.tsx';
import { Menu } from '../../../../parts/menu.tsx';
import { type Column, Table } from '../../../../parts/table.tsx';
import { text } from '../../../../text/text.ts';
import styles from '../tenant.module.css';
import { isOn, placeOf, type Provider } from './provider.ts';

interface ProviderTableProps {
  readonly rows: readonly Provider[];
  readonly mayWrite: boolean;
  readonly onEdit: (provider: Provider) => void;
  readonly onDelete: (provider: Provider) => void;
}

export function ProviderTable({ rows, mayWrite, onEdit, onDelete }: ProviderTableProps) {
  const doing: Column<Provider> = {
    id: 'do',
    head: '',
    align: 'end',
    cell: (row) => (
      <Menu
        label={text('providers.menu', { name: row.displayName ?? '' })}
        trigger={<Button variant="quiet" icon="dots" aria-label={text('providers.menu', { name: row.displayName ?? '' })} />}
        items={[
          { label: text('providers.edit'), icon: 'pen', onSelect: () => onEdit(row) },
          { label: text('providers.delete'), icon: 'cross', danger: true, onSelect: () => onDelete(row) },
        ]}
      />
    ),
  };
  return (
    <Table
      label={text('settings.providers')}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      columns={[
        {
          id: 'name',
          head: text('providers.name'),
          cell: (row) => (
            <span className={styles.pair}>
              <b>{row.displayName}</b>
              <code>{placeOf(row)}</code>
            </span>
          ),
        },
        {
          id: 'proves',
          head: text('providers.proves'),
          narrow: 'second',
          cell: (row) => (
            <span className={styles.pair}>
              {(row.bootstrapDomains ?? []).join(', ') || text('providers.anyDomain')}
              <small>{text(row.trustsAddresses === true ? 'providers.trusted' : 'providers.verified')}</small>
            </span>
          ),
        },
        {
          id: 'state',
          head: text('providers.state'),
          narrow: 'second',
          cell: (row) => <Chip kind={isOn(row) ? 'ok' : 'plain'}>{text(isOn(row) ? 'providers.on' : 'providers.off')}</Chip>,
        },
        ...(mayWrite ? [doing] : []),
      ]}
    />
  );
}
