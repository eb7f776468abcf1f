/** People asked where a step finds nobody, in order, and when denied access is to be removed. */
import { Switch } from '~/parts/controls/switch.tsx';
import { text } from '~/text/text.ts';
import styles from './policies.module.css';
import { fallsBackToAppOwners, type Policy, removesAtOnce, withAppOwners } from './types.ts';

interface NobodyPartProps {
  readonly policy: Policy;
  readonly mayWrite: boolean;
  readonly onChange: (part: Partial<Policy>) => void;
}

export function NobodyPart({ policy, mayWrite, onChange }: NobodyPartProps) {
  const asksAppOwners = fallsBackToAppOwners(policy);
  const isReview = policy.policyType === 'POLICY_TYPE_CERTIFY';
  return (
    <>
      <section className={styles.section}>
        <h2>{text('policies.nobody')}</h2>
        <p className={styles.hint}>{text(asksAppOwners ? 'policies.nobodyAppOwners' : 'policies.nobodyChain')}</p>
        {mayWrite ? (
          <Switch
            label={text('policies.nobodySwitch')}
            checked={asksAppOwners}
            onChange={(isOn) => onChange({ annotations: withAppOwners(policy, isOn) })}
          />
        ) : null}
      </section>
      {isReview ? (
        <section className={styles.section}>
          <h2>{text('policies.denied')}</h2>
          <p className={styles.hint}>{text(removesAtOnce(policy) ? 'policies.deniedAtOnce' : 'policies.deniedAtClose')}</p>
          {mayWrite ? (
            <Switch
              label={text('policies.deniedSwitch')}
              checked={removesAtOnce(policy)}
              onChange={(isOn) => onChange({ postActions: isOn ? [{ certifyRemediateImmediately: true }] : [] })}
            />
          ) : null}
        </section>
      ) : null}
    </>
  );
}
