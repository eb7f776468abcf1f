/** One policy: its rules, its steps, and what it would do with one item now. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { useMay } from '~/data/session/session.ts';
import { Chip } from '~/parts/words/chip.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { text } from '~/text/text.ts';
import { PolicyEditor } from './editor.tsx';
import styles from './policies.module.css';
import { PolicyMenu } from './policy-menu.tsx';
import { TestPolicy } from './test-policy.tsx';
import { policyKindWords } from './words.ts';
import { policyQuery, policyRoute } from './route.tsx';

export function PolicyPage() {
  const { id } = policyRoute.useParams();
  const query = useQuery(policyQuery(id));
  const mayWrite = useMay('policies.write');
  const policy = query.data?.policy;
  return (
    <Page
      title={policy?.displayName ?? text('policies.one')}
      before={<Link to="/policies">{text('nav.policies')}</Link>}
      beside={
        policy === undefined ? undefined : (
          <span className={styles.name}>
            <Chip>{policyKindWords(policy.policyType === 'POLICY_TYPE_REVOKE' ? 'POLICY_TYPE_REVOKE' : 'POLICY_TYPE_CERTIFY')}</Chip>
            {policy.systemBuiltin ? <Chip>{text('policies.builtIn')}</Chip> : null}
          </span>
        )
      }
      actions={policy !== undefined && mayWrite && policy.systemBuiltin !== true ? <PolicyMenu policy={policy} /> : undefined}
      width="column"
    >
      {query.isPending ? <Skeleton rows={6} /> : null}
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {policy === undefined ? null : (
        <div className={styles.sections}>
          <PolicyEditor key={policy.id} policy={policy} mayWrite={mayWrite} />
          {policy.policyType === 'POLICY_TYPE_CERTIFY' ? <TestPolicy policyId={policy.id ?? ''} /> : null}
        </div>
      )}
    </Page>
  );
}
