/** Name, purpose, duration and deciders of a template's reviews, and whether they start by themselves. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, useAct, fieldViolation } from '~/data/act.ts';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import styles from './templates.module.css';
import { durationDays, type Template } from './words.ts';

const secondsOfDay = 86_400;

export function EditPart({ template }: { template: Template }) {
  const mayManage = useMay('reviews.create');
  const policies = useQuery(read('PolicyService.Search', { policyTypes: ['POLICY_TYPE_CERTIFY'], pageSize: 100 }));
  const [name, setName] = useState(template.displayName ?? '');
  const [description, setDescription] = useState(template.description ?? '');
  const [days, setDays] = useState(String(durationDays(template.accessReviewDuration) || ''));
  const [policyId, setPolicyId] = useState(template.policyId ?? '');
  const [startsItself, setStartsItself] = useState(template.autoStartCampaign === true);
  const save = useAct('AccessReviewTemplateService.Update', 'AccessReviewTemplateService.Get', 'ReviewTemplateService.List');
  const send = () =>
    save.mutate(
      {
        id: template.id ?? '',
        accessReviewTemplate: {
          displayName: name.trim(),
          description,
          policyId,
          autoStartCampaign: startsItself,
          // A time that is no whole number of days stays as it is unless another one is written.
          ...(Number(days) === durationDays(template.accessReviewDuration)
            ? {}
            : { accessReviewDuration: `${Number(days) * secondsOfDay}s` }),
        },
      },
      { onSuccess: () => void toast(text('templates.saved')) },
    );
  if (!mayManage) {
    return null;
  }
  const nameError = fieldViolation(save.error, 'displayName');
  const timeError = fieldViolation(save.error, 'accessReviewDuration');
  return (
    <section className={styles.section}>
      <h2>{text('templates.itsReviews')}</h2>
      <TextField label={text('templates.name')} value={name} onChange={setName} error={nameError} required />
      <TextArea label={text('templates.purpose')} value={description} onChange={setDescription} />
      <div className={styles.row}>
        <TextField
          type="number"
          min={0}
          label={text('templates.timeInDays')}
          hint={text('templates.timeHint')}
          value={days}
          onChange={setDays}
          error={timeError}
        />
        <Select
          label={text('templates.policy')}
          value={policyId}
          onChange={setPolicyId}
          options={[
            { value: '', label: text('templates.noPolicy') },
            ...(policies.data?.list ?? []).map((policy) => ({ value: policy.id ?? '', label: policy.displayName ?? '' })),
          ]}
        />
      </div>
      <Switch
        label={text('templates.startItself')}
        hint={text('templates.startItselfHint')}
        checked={startsItself}
        onChange={setStartsItself}
      />
      {save.isError && nameError === undefined && timeError === undefined ? <Note kind="fault">{errorMessage(save.error)}</Note> : null}
      <div>
        <Button busy={save.isPending} onClick={send}>
          {text('settings.save')}
        </Button>
      </div>
    </section>
  );
}
