/** The steps under one key, in order: each can be changed, moved up, and removed. */
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { text } from '../../text/text.ts';
import styles from './policies.module.css';
import { StepForm } from './step-form.tsx';
import { StepView } from './step-view.tsx';
import { kindOf, type Step } from './types.ts';

interface StepsPartProps {
  readonly name: string;
  readonly isBaseline: boolean;
  readonly steps: readonly Step[];
  readonly mayWrite: boolean;
  readonly onChange: (steps: readonly Step[]) => void;
}

export function StepsPart({ name, isBaseline, steps, mayWrite, onChange }: StepsPartProps) {
  const [edited, setEdited] = useState<number>();
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
  return (
    <section className={styles.section}>
      <h2>{isBaseline ? text('policies.steps') : text('policies.stepsOf', { name })}</h2>
      {isBaseline ? <p className={styles.hint}>{text('policies.stepsHint')}</p> : null}
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity but its place
          <li key={index} className={styles.step}>
            <span className={styles.number}>{index + 1}</span>
            <div className={styles.stepBody}>
              {edited === index && step.approval !== undefined ? (
                <StepForm approval={step.approval} onChange={(approval) => setStep(index, { approval })} />
              ) : (
                <StepView step={step} />
              )}
              {mayWrite ? (
                <div className={styles.buttons}>
                  {kindOf(step) === 'approval' ? (
                    <Button variant="quiet" onClick={() => setEdited(edited === index ? undefined : index)}>
                      {text(edited === index ? 'policies.closeStep' : 'policies.changeStep')}
                    </Button>
                  ) : null}
                  {index > 0 ? (
                    <Button variant="quiet" onClick={() => moveUp(index)}>
                      {text('policies.moveUp')}
                    </Button>
                  ) : null}
                  {steps.length > 1 ? (
                    <Button variant="quiet" onClick={() => remove(index)}>
                      {text('policies.removeStep')}
                    </Button>
                  ) : null}
                </div>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      {mayWrite ? (
        <div>
          <Button
            icon="plus"
            onClick={() => {
              onChange([...steps, { approval: { manager: {} } }]);
              setEdited(steps.length);
            }}
          >
            {text('policies.addStep')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
