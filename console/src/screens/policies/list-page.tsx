/** The policies: each with what its first step asks, and whether rules choose among several. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Page } from '../../app/page.tsx';
import { readPages } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { text } from '../../text/text.ts';
import { NewPolicy } from './new-policy.tsx';
import styles from './policies.module.css';
import { stepWords } from './words.ts';

export function PoliciesPage() {
  const list = useInfiniteQuery(readPages('PolicyService.List', { pageSize: 100 }));
  const mayWrite = useMay('policies.write');
  const [isMaking, setMaking] = useState(false);
  const rows = (list.data?.pages.flatMap((page) => page.list ?? []) ?? []).filter(({ policyType }) => policyType === 'POLICY_TYPE_CERTIFY');
  const action = mayWrite ? (
    <Button variant="primary" icon="plus" onClick={() => setMaking(true)}>
      {text('policies.new')}
    </Button>
  ) : undefined;
  return (
    <Page title={text('nav.policies')} actions={action}>
      {list.isPending ? <Skeleton rows={6} /> : null}
      {list.isError ? <Failed error={list.error} retry={() => void list.refetch()} /> : null}
      {list.isSuccess && rows.length === 0 ? (
        <Empty icon="branch" title={text('policies.none')} action={action}>
          {text('policies.noneNext')}
        </Empty>
      ) : null}
      {rows.length === 0 ? null : (
        <Table
          label={text('nav.policies')}
          rows={rows}
          rowKey={(row) => row.id ?? ''}
          rowLink={(row) => `/policies/${row.id}`}
          columns={[
            {
              id: 'name',
              head: text('policies.name'),
              cell: (row) => (
                <span className={styles.name}>
                  <b>{row.displayName}</b>
                  {row.systemBuiltin ? <Chip>{text('policies.builtIn')}</Chip> : null}
                </span>
              ),
            },
            {
              id: 'asks',
              head: text('policies.asks'),
              narrow: 'second',
              cell: (row) => stepWords(row.policySteps?.['certify']?.steps ?? []),
            },
            {
              id: 'rules',
              head: text('policies.rules'),
              narrow: 'hide',
              cell: (row) => text('policies.ruleCount', { count: row.rules?.length ?? 0 }),
            },
            { id: 'changed', head: text('policies.changed'), narrow: 'hide', cell: (row) => <When at={row.updatedAt} /> },
          ]}
        />
      )}
      <Pages query={list} />
      <NewPolicy open={isMaking} onOpenChange={setMaking} />
    </Page>
  );
}
