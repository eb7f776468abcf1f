/** The rules and steps of a policy as a form. What is changed is kept here until it is saved as a whole. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, forget } from '../../data/query.ts';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/note.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { toast } from '../../parts/toast.tsx';
import { text } from '../../text/text.ts';
import styles from './policies.module.css';
import { RulesPart } from './rules-part.tsx';
import { StepsPart } from './steps-part.tsx';
import type { Policy } from './types.ts';

export function PolicyEditor({ policy, mayWrite }: { policy: Policy; mayWrite: boolean }) {
  const [draft, setDraft] = useState(policy);
  const set = (part: Partial<Policy>) => setDraft((before) => ({ ...before, ...part }));
  const isChanged = draft !== policy;
  const save = useMutation({
    mutationFn: () => {
      const { displayName = '', description = '', policySteps = {}, rules = [] } = draft;
      return call('PolicyService.Update', {
        id: policy.id ?? '',
        policy: { displayName, description, policySteps, rules },
        updateMask: 'displayName,description,policySteps,rules',
      });
    },
    onSuccess: async () => {
      toast(text('policies.saved'));
      await forget('PolicyService.Get', 'PolicyService.List');
    },
  });
  const keys = Object.keys(draft.policySteps ?? {}).sort((a, b) => Number(b === 'certify') - Number(a === 'certify') || a.localeCompare(b));
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
          name={key}
          isBaseline={key === 'certify'}
          steps={draft.policySteps?.[key]?.steps ?? []}
          mayWrite={mayWrite}
          onChange={(steps) => set({ policySteps: { ...draft.policySteps, [key]: { steps: [...steps] } } })}
        />
      ))}
      {save.isError ? <Note kind="fault">{save.error.message}</Note> : null}
      {mayWrite ? (
        <div className={styles.buttons}>
          <Button
            variant="primary"
            busy={save.isPending}
            disabledReason={isChanged ? undefined : text('policies.nothingChanged')}
            onClick={() => save.mutate()}
          >
            {text('settings.save')}
          </Button>
          {isChanged ? <Button onClick={() => setDraft(policy)}>{text('policies.undo')}</Button> : null}
        </div>
      ) : null}
    </>
  );
}
