/** The steps under one key, in order: each can be changed, moved up, and removed. */
import { type ReactNode, useState } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import { Menu } from '~/parts/over/menu.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/policies/policies.module.css';
import { newStep, type Policy, type Step, possibleStepKinds } from '~/screens/policies/types.ts';
import { stepKindWords } from '~/screens/policies/words.ts';
import { hasForm, StepForm } from './step-form.tsx';
import { StepView } from './step-view.tsx';

interface StepsPartProps {
  readonly policy: Policy;
  /** The key of the steps; undefined for those that hold where no rule does. */
  readonly name?: string;
  readonly steps: readonly Step[];
  readonly mayWrite: boolean;
  readonly onChange: (steps: readonly Step[]) => void;
  /** Other action on these steps. */
  readonly action?: ReactNode;
}

export function StepsPart({ policy, name, steps, mayWrite, onChange, action }: StepsPartProps) {
  const [edited, setEdited] = useState<number>();
  const isRemoval = policy.policyType === 'POLICY_TYPE_REVOKE';
  const setStep = (index: number, step: Step) => onChange(steps.map((one, place) => (place === index ? step : one)));
  const remove = (index: number) => {
    setEdited(undefined);
    onChange(steps.filter((_, place) => place !== index));
  };
  const moveUp = (index: number) => {
    setEdited(undefined);
    const step = steps[index];
    const before = steps[index - 1];
    if (step !== undefined && before !== undefined) {
      onChange([...steps.slice(0, index - 1), step, before, ...steps.slice(index + 1)]);
    }
  };
  const button = (words: string, number: number, onClick: () => void) => (
    <Button variant="quiet" aria-label={text('policies.ofStep', { what: words, number })} onClick={onClick}>
      {words}
    </Button>
  );
  return (
    <section className={styles.section}>
      <h2>{name === undefined ? text('policies.steps') : text('policies.stepsOf', { name })}</h2>
      {name === undefined ? <p className={styles.hint}>{text(isRemoval ? 'policies.removalHint' : 'policies.stepsHint')}</p> : null}
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity but its place
          <li key={index} className={styles.step}>
            <span className={styles.number}>{index + 1}</span>
            <div className={styles.stepBody}>
              {edited === index ? (
                <StepForm step={step} policyId={policy.id ?? ''} isRemoval={isRemoval} onChange={(next) => setStep(index, next)} />
              ) : (
                <StepView step={step} isRemoval={isRemoval} />
              )}
              {mayWrite ? (
                <div className={styles.buttons}>
                  {hasForm(step)
                    ? button(text(edited === index ? 'policies.closeStep' : 'policies.changeStep'), index + 1, () =>
                        setEdited(edited === index ? undefined : index),
                      )
                    : null}
                  {index > 0 ? button(text('policies.moveUp'), index + 1, () => moveUp(index)) : null}
                  {steps.length > 1 ? button(text('policies.removeStep'), index + 1, () => remove(index)) : null}
                </div>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      {mayWrite ? (
        <div className={styles.buttons}>
          <Menu
            label={text('policies.addStep')}
            trigger={<Button icon="plus">{text('policies.addStep')}</Button>}
            items={possibleStepKinds(policy).map((kind) => ({
              label: stepKindWords(kind),
              onSelect: () => {
                onChange([...steps, newStep(kind)]);
                setEdited(steps.length);
              },
            }))}
          />
          {action}
        </div>
      ) : null}
    </section>
  );
}
