/** The policies: each with what its first step asks, and whether rules choose among several. */
import { linkOptions } from '@tanstack/react-router';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Page } from '~/app/page.tsx';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import { NewPolicy } from './new-policy.tsx';
import styles from './policies.module.css';
import { baselineKey } from './types.ts';
import { policyKindWords, stepWords } from './words.ts';
import { policiesQuery } from './route.tsx';

export function PoliciesPage() {
  const list = useInfiniteQuery(policiesQuery);
  const mayWrite = useMay('policies.write');
  const [isMaking, setMaking] = useState(false);
  const rows = (list.data?.pages.flatMap((page) => page.list ?? []) ?? []).filter(
    // Policies for requests are stored, and nothing here asks by them.
    ({ policyType }) => policyType === 'POLICY_TYPE_CERTIFY' || policyType === 'POLICY_TYPE_REVOKE',
  );
  const action = mayWrite ? (
    <Button variant="primary" icon="plus" onClick={() => setMaking(true)}>
      {text('policies.new')}
    </Button>
  ) : undefined;
  return (
    <Page title={text('nav.policies')} actions={action}>
      <Table
        query={list}
        empty={
          <Empty icon="branch" title={text('policies.none')} action={action}>
            {text('policies.noneNext')}
          </Empty>
        }
        label={text('nav.policies')}
        rows={rows}
        rowKey={(row) => row.id ?? ''}
        rowLink={(row) => linkOptions({ to: '/policies/$id', params: { id: row.id ?? '' } })}
        columns={(column) => [
          column('name', text('policies.name'), (row) => (
            <span className={styles.name}>
              <b>{row.displayName}</b>
              {row.systemBuiltin ? <Chip>{text('policies.builtIn')}</Chip> : null}
            </span>
          )),
          column('asks', text('policies.asks'), (row) => stepWords(row.policySteps?.[baselineKey(row)]?.steps ?? []), {
            narrow: 'second',
          }),
          column(
            'kind',
            text('policies.kind'),
            (row) => policyKindWords(row.policyType === 'POLICY_TYPE_REVOKE' ? 'POLICY_TYPE_REVOKE' : 'POLICY_TYPE_CERTIFY'),
            { narrow: 'hide' },
          ),
          column('rules', text('policies.rules'), (row) => text('policies.ruleCount', { count: row.rules?.length ?? 0 }), {
            narrow: 'hide',
          }),
          column('changed', text('policies.changed'), (row) => <When at={row.updatedAt} />, { narrow: 'hide' }),
        ]}
      />
      <NewPolicy open={isMaking} onOpenChange={setMaking} />
    </Page>
  );
}
