/** Name, purpose, duration and deciders of a template's reviews, and whether they start by themselves. */
import { useQuery } from '@tanstack/react-query';
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import { useSavedMembers } from '~/app/forms/use-saved.ts';
import { errorMessage, fieldViolation } from '~/data/act.ts';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { CountField } from '~/parts/fields/count-field.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import styles from './templates.module.css';
import { ofTemplate } from './of-template.ts';
import { durationDays, type Template } from './words.ts';

const secondsOfDay = 86_400;

export function EditPart({ template }: { template: Template }) {
  const mayManage = useMay('reviews.create');
  const policies = useQuery(read('PolicyService.Search', { policyTypes: ['POLICY_TYPE_CERTIFY'], pageSize: 100 }));
  const { draft, set, isBusy, error, changed, save } = useSavedMembers({
    ...ofTemplate(template),
    onSaved: () => toast(text('templates.saved')),
  });
  if (!mayManage) {
    return null;
  }
  const nameError = fieldViolation(error, 'displayName');
  const timeError = fieldViolation(error, 'accessReviewDuration');
  return (
    <section className={styles.section}>
      <h2>{text('templates.itsReviews')}</h2>
      <TextField
        label={text('templates.name')}
        value={draft.displayName ?? ''}
        onChange={(displayName) => set({ displayName })}
        error={nameError}
        required
      />
      <TextArea label={text('templates.purpose')} value={draft.description ?? ''} onChange={(description) => set({ description })} />
      <div className={styles.row}>
        <CountField
          min={0}
          label={text('templates.timeInDays')}
          hint={text('templates.timeHint')}
          value={String(durationDays(draft.accessReviewDuration) || '')}
          onWhole={(days) => set({ accessReviewDuration: `${Number(days) * secondsOfDay}s` })}
          onClear={() => set({ accessReviewDuration: '0s' })}
          error={timeError}
        />
        <Select
          label={text('templates.policy')}
          value={draft.policyId ?? ''}
          onChange={(policyId) => set({ policyId })}
          options={[
            { value: '', label: text('templates.noPolicy') },
            ...(policies.data?.list ?? []).map((policy) => ({ value: policy.id ?? '', label: policy.displayName ?? '' })),
          ]}
        />
      </div>
      <Switch
        label={text('templates.startItself')}
        hint={text('templates.startItselfHint')}
        checked={draft.autoStartCampaign === true}
        onChange={(autoStartCampaign) => set({ autoStartCampaign })}
      />
      {changed === undefined ? null : <ChangedMeanwhile {...changed} />}
      {error !== null && nameError === undefined && timeError === undefined ? <Note kind="fault">{errorMessage(error)}</Note> : null}
      <div>
        <Button busy={isBusy} onClick={save}>
          {text('settings.save')}
        </Button>
      </div>
    </section>
  );
}
