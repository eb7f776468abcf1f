/** The step-up providers: where each is, how strong a sign-in it proves, and when it was tested last. */
import { DotsMenu } from '~/parts/over/dots-menu.tsx';
import { Table, type TableStates } from '~/parts/tables/table.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';
import type { StepUpProvider } from './provider.ts';

interface ProviderTableProps extends TableStates {
  readonly rows: readonly StepUpProvider[];
  readonly mayWrite: boolean;
  readonly onTest: (provider: StepUpProvider) => void;
  readonly onEdit: (provider: StepUpProvider) => void;
  readonly onDelete: (provider: StepUpProvider) => void;
}

/** Proof that a provider is asked for, in words. */
function sayProof({ microsoft, oauth2 }: StepUpProvider): string {
  const values = microsoft?.conditionalAccessIds ?? oauth2?.acrValues ?? [];
  return values.length === 0 ? text('stepUp.provesFresh') : text('stepUp.provesValues', { values: values.join(', ') });
}

export function ProviderTable({ rows, mayWrite, onTest, onEdit, onDelete, ...states }: ProviderTableProps) {
  return (
    <Table
      {...states}
      label={text('settings.stepUp')}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      columns={(column) => [
        column('name', text('providers.name'), (row) => (
          <span className={styles.pair}>
            <b>{row.displayName}</b>
            <code>{row.issuerUrl}</code>
          </span>
        )),
        column('proves', text('stepUp.proof'), sayProof, { narrow: 'second' }),
        column('tested', text('stepUp.tested'), (row) => (row.lastTestedAt ? <When at={row.lastTestedAt} /> : text('stepUp.neverTested')), {
          narrow: 'second',
        }),
        column(
          'state',
          text('providers.state'),
          ({ enabled = false }) => <Chip kind={enabled ? 'ok' : 'plain'}>{text(enabled ? 'stepUp.on' : 'stepUp.off')}</Chip>,
          { narrow: 'hide' },
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
                      { label: text('stepUp.test'), icon: 'check', onSelect: () => onTest(row) },
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
