/** The rules and steps of a policy as a form. What is changed is kept here until it is saved; what is not changed is not sent. */
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import { useSavedMembers } from '~/app/forms/use-saved.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import { BaselinePart } from './baseline-part.tsx';
import { NobodyPart } from './nobody-part.tsx';
import styles from './policies.module.css';
import { RulesPart } from './rules-part.tsx';
import { NewSteps } from './steps/new-steps.tsx';
import { StepsPart } from './steps/steps-part.tsx';
import { baselineKey, type Policy, type Step } from './types.ts';

export function PolicyEditor({ policy, mayWrite }: { policy: Policy; mayWrite: boolean }) {
  const { draft, set, reset, isChanged, isBusy, error, changed, save } = useSavedMembers({
    operation: 'PolicyService.Update',
    address: { id: policy.id ?? '' },
    member: 'policy',
    stored: policy,
    stale: ['PolicyService.Get', 'PolicyService.List', 'PolicyService.Search', 'PolicyTestService.Test'],
    onSaved: () => toast(text('policies.saved')),
  });
  const baseline = baselineKey(draft);
  const keys = Object.keys(draft.policySteps ?? {})
    .filter((key) => key !== baseline)
    .sort((a, b) => a.localeCompare(b));
  const setSteps = (key: string, steps: readonly Step[]) => set({ policySteps: { ...draft.policySteps, [key]: { steps: [...steps] } } });
  const removeSteps = (key: string) =>
    set({ policySteps: Object.fromEntries(Object.entries(draft.policySteps ?? {}).filter(([one]) => one !== key)) });
  return (
    <>
      {mayWrite ? (
        <section className={styles.section}>
          <TextField label={text('policies.name')} value={draft.displayName ?? ''} onChange={(displayName) => set({ displayName })} />
          <TextField
            label={text('policies.description')}
            value={draft.description ?? ''}
            onChange={(description) => set({ description })}
          />
        </section>
      ) : (
        <p className={styles.hint}>{draft.description}</p>
      )}
      <RulesPart policy={draft} mayWrite={mayWrite} onChange={(rules) => set({ rules })} />
      {keys.map((key) => (
        <StepsPart
          key={key}
          policy={draft}
          name={key}
          steps={draft.policySteps?.[key]?.steps ?? []}
          mayWrite={mayWrite}
          onChange={(steps) => setSteps(key, steps)}
          action={
            <Button
              variant="quiet"
              icon="cross"
              disabledReason={(draft.rules ?? []).some(({ stepKey }) => stepKey === key) ? text('policies.stepsUsed') : undefined}
              onClick={() => removeSteps(key)}
            >
              {text('policies.removeSteps', { name: key })}
            </Button>
          }
        />
      ))}
      {mayWrite && (draft.rules ?? []).length > 0 ? <NewSteps policy={draft} onAdd={(key, step) => setSteps(key, [step])} /> : null}
      <BaselinePart policy={draft} mayWrite={mayWrite} onChange={set} onSteps={(steps) => setSteps(baseline, steps)} />
      <NobodyPart policy={draft} mayWrite={mayWrite} onChange={set} />
      {changed === undefined ? null : <ChangedMeanwhile {...changed} />}
      {error === null ? null : <Note kind="fault">{error.message}</Note>}
      {mayWrite ? (
        <div className={styles.buttons}>
          <Button variant="primary" busy={isBusy} disabledReason={isChanged ? undefined : text('policies.nothingChanged')} onClick={save}>
            {text('settings.save')}
          </Button>
          {isChanged ? <Button onClick={reset}>{text('policies.undo')}</Button> : null}
        </div>
      ) : null}
    </>
  );
}
