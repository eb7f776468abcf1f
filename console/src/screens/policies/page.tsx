/** One policy: its rules, its steps, and what it would do with one item now. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Page } from '../../app/page.tsx';
import { read } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { Chip } from '../../parts/chip.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { text } from '../../text/text.ts';
import { PolicyEditor } from './editor.tsx';
import styles from './policies.module.css';
import { PolicyMenu } from './policy-menu.tsx';
import { TestPolicy } from './test-policy.tsx';

export function PolicyPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useQuery(read('PolicyService.Get', { id }));
  const mayWrite = useMay('policies.write');
  const policy = query.data?.policy;
  return (
    <Page
      title={policy?.displayName ?? text('policies.one')}
      before={<Link to={'/policies' as string}>{text('nav.policies')}</Link>}
      beside={policy?.systemBuiltin ? <Chip>{text('policies.builtIn')}</Chip> : undefined}
      actions={policy !== undefined && mayWrite ? <PolicyMenu policy={policy} /> : undefined}
      width="column"
    >
      {query.isPending ? <Skeleton rows={6} /> : null}
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {policy === undefined ? null : (
        <div className={styles.sections}>
          <PolicyEditor key={policy.updatedAt} policy={policy} mayWrite={mayWrite} />
          <TestPolicy policyId={policy.id ?? ''} />
        </div>
      )}
    </Page>
  );
}
