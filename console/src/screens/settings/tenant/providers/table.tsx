/** The sign-in providers: where each is, which addresses it proves, and whether people sign in by it. */
import { Chip } from '~/parts/words/chip.tsx';
import { DotsMenu } from '~/parts/over/dots-menu.tsx';
import { Table, type TableStates } from '~/parts/tables/table.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { isOn, providerPlace, type Provider } from './provider.ts';

interface ProviderTableProps extends TableStates {
  readonly rows: readonly Provider[];
  readonly mayWrite: boolean;
  readonly onEdit: (provider: Provider) => void;
  readonly onDelete: (provider: Provider) => void;
}

export function ProviderTable({ rows, mayWrite, onEdit, onDelete, ...states }: ProviderTableProps) {
  return (
    <Table
      {...states}
      label={text('settings.providers')}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      columns={(column) => [
        column('name', text('providers.name'), (row) => (
          <span className={styles.pair}>
            <b>{row.displayName}</b>
            <code>{providerPlace(row)}</code>
          </span>
        )),
        column(
          'proves',
          text('providers.proves'),
          (row) => (
            <span className={styles.pair}>
              {(row.bootstrapDomains ?? []).join(', ') || text('providers.anyDomain')}
              <small>{text(row.trustsAddresses === true ? 'providers.trusted' : 'providers.verified')}</small>
            </span>
          ),
          { narrow: 'second' },
        ),
        column(
          'state',
          text('providers.state'),
          (row) => <Chip kind={isOn(row) ? 'ok' : 'plain'}>{text(isOn(row) ? 'providers.on' : 'providers.off')}</Chip>,
          { narrow: 'second' },
        ),
        ...(mayWrite
          ? [
              column(
                'do',
                '',
                (row) => (
                  <DotsMenu
                    label={text('providers.menu', { name: row.displayName ?? '' })}
                    items={[
                      { label: text('providers.edit'), icon: 'pen', onSelect: () => onEdit(row) },
                      { label: text('providers.delete'), icon: 'cross', danger: true, onSelect: () => onDelete(row) },
                    ]}
                  />
                ),
                { align: 'end' },
              ),
            ]
          : []),
      ]}
    />
  );
}
