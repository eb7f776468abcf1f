/** The rules of a policy: the first whose condition holds chooses the steps. Conditions are checked by the server as they are written. */
import { useQuery } from '@tanstack/react-query';
import { Button } from '~/parts/controls/button.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { text } from '~/text/text.ts';
import { Condition } from './condition.tsx';
import styles from './policies.module.css';
import { policiesQuery } from './steps/policy-field.tsx';
import { baselineKey, type Policy } from './types.ts';

type Rule = NonNullable<Policy['rules']>[number];

interface RulesPartProps {
  readonly policy: Policy;
  readonly mayWrite: boolean;
  readonly onChange: (rules: Rule[]) => void;
}

/** Reads a rule's outcome from the field. */
function outcomeOf(chosen: string): Partial<Rule> {
  const name = chosen.slice(chosen.indexOf(':') + 1);
  return chosen.startsWith('policy:') ? { policyId: name } : { stepKey: name };
}

function ruleWords(rule: Rule, nameOf: (id: string) => string): string {
  return text('policies.thenSteps', {
    name:
      rule.policyId === undefined
        ? text('policies.stepsOf', { name: rule.stepKey ?? '' })
        : text('policies.policyNamed', { name: nameOf(rule.policyId) }),
  });
}

export function RulesPart({ policy, mayWrite, onChange }: RulesPartProps) {
  const rules = policy.rules ?? [];
  const keys = Object.keys(policy.policySteps ?? {});
  const setRule = (index: number, rule: Rule) => onChange(rules.map((one, place) => (place === index ? rule : one)));
  const list =
    useQuery(policiesQuery(policy.policyType === 'POLICY_TYPE_REVOKE' ? 'POLICY_TYPE_REVOKE' : 'POLICY_TYPE_CERTIFY')).data?.list ?? [];
  const others = list.filter(({ id }) => id !== policy.id);
  const nameOf = (id: string) => list.find((one) => one.id === id)?.displayName ?? id;
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
                <Select
                  label={text('policies.leadsTo')}
                  value={rule.policyId === undefined ? `key:${rule.stepKey ?? ''}` : `policy:${rule.policyId}`}
                  onChange={(chosen) => setRule(index, { condition: rule.condition ?? '', ...outcomeOf(chosen) })}
                  options={[
                    ...keys.map((key) => ({ value: `key:${key}`, label: text('policies.stepsOf', { name: key }) })),
                    ...others.map(({ id = '', displayName = '' }) => ({
                      value: `policy:${id}`,
                      label: text('policies.policyNamed', { name: displayName }),
                    })),
                  ]}
                />
                <Button variant="quiet" icon="cross" onClick={() => onChange(rules.filter((_, place) => place !== index))}>
                  {text('policies.removeRule')}
                </Button>
              </div>
            </>
          ) : (
            <>
              <code>{rule.condition}</code>
              <p className={styles.hint}>{ruleWords(rule, nameOf)}</p>
            </>
          )}
        </div>
      ))}
      {mayWrite ? (
        <div>
          <Button icon="plus" onClick={() => onChange([...rules, { condition: '', stepKey: keys[0] ?? baselineKey(policy) }])}>
            {text('policies.addRule')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
