/** The rules of a policy: the first whose condition holds chooses the steps. Conditions are checked by the server as they are written. */
import { Button } from '../../parts/button.tsx';
import { Select } from '../../parts/select.tsx';
import { text } from '../../text/text.ts';
import { Condition } from './condition.tsx';
import styles from './policies.module.css';
import type { Policy } from './types.ts';

type Rule = NonNullable<Policy['rules']>[number];

interface RulesPartProps {
  readonly policy: Policy;
  readonly mayWrite: boolean;
  readonly onChange: (rules: Rule[]) => void;
}

export function RulesPart({ policy, mayWrite, onChange }: RulesPartProps) {
  const rules = policy.rules ?? [];
  const keys = Object.keys(policy.policySteps ?? {});
  const setRule = (index: number, rule: Rule) => onChange(rules.map((one, place) => (place === index ? rule : one)));
  if (rules.length === 0 && !mayWrite) {
    return null;
  }
  return (
    <section className={styles.section}>
      <h2>{text('policies.rules')}</h2>
      <p className={styles.hint}>{text(rules.length === 0 ? 'policies.noRules' : 'policies.rulesHint')}</p>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no identity but its place
        <div key={index} className={styles.rule}>
          {mayWrite ? (
            <>
              <Condition
                label={text('policies.ruleNumber', { number: index + 1 })}
                value={rule.condition ?? ''}
                onChange={(condition) => setRule(index, { ...rule, condition })}
              />
              <div className={styles.row}>
                {rule.policyId === undefined ? (
                  <Select
                    label={text('policies.leadsTo')}
                    value={rule.stepKey ?? ''}
                    onChange={(stepKey) => setRule(index, { ...rule, stepKey })}
                    options={keys.map((key) => ({ value: key, label: key }))}
                  />
                ) : null}
                <Button variant="quiet" icon="cross" onClick={() => onChange(rules.filter((_, place) => place !== index))}>
                  {text('policies.removeRule')}
                </Button>
              </div>
            </>
          ) : (
            <>
              <code>{rule.condition}</code>
              <p className={styles.hint}>{text('policies.thenSteps', { name: rule.stepKey ?? rule.policyId ?? '' })}</p>
            </>
          )}
        </div>
      ))}
      {mayWrite ? (
        <div>
          <Button icon="plus" onClick={() => onChange([...rules, { condition: '', stepKey: keys[0] ?? 'certify' }])}>
            {text('policies.addRule')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
