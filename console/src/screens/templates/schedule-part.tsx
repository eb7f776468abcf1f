/** Schedule of a template's reviews: how often, and from when on. */
import { useSend } from '~/data/act.ts';
import { useState } from 'react';
import { call, forget } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { DateField } from '~/parts/fields/date-field.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { dayStart, toDay } from '~/text/local-time.ts';
import { text } from '~/text/text.ts';
import styles from './templates.module.css';
import type { Frequency, Template } from './words.ts';

export function SchedulePart({ template }: { template: Template }) {
  const mayManage = useMay('reviews.create');
  const rule = template.recurrenceRule;
  const [isOn, setOn] = useState(template.isCampaignScheduleEnabled === true);
  const [frequency, setFrequency] = useState<Frequency>(rule?.frequency ?? 'FREQUENCY_MONTHLY');
  const [interval, setInterval] = useState(String(rule?.interval || 1));
  const [start, setStart] = useState(toDay(rule?.startDate));
  const save = useSend({
    mutationFn: () => {
      const startDate = rule?.startDate !== undefined && toDay(rule.startDate) === start ? rule.startDate : dayStart(start, '09:00:00');
      const { startDate: _, frequency: __, interval: ___, ...ends } = rule ?? {};
      return call('AccessReviewTemplateService.Update', {
        id: template.id ?? '',
        accessReviewTemplate: {
          isCampaignScheduleEnabled: isOn,
          ...(isOn ? { recurrenceRule: { ...ends, frequency, interval: Number(interval) || 1, startDate } } : {}),
        },
        updateMask: isOn ? 'isCampaignScheduleEnabled,recurrenceRule' : 'isCampaignScheduleEnabled',
      });
    },
    onSuccess: async () => {
      toast(text('templates.scheduleSaved'));
      await forget('AccessReviewTemplateService.Get', 'ReviewTemplateService.List');
    },
  });
  if (!mayManage) {
    return null;
  }
  return (
    <section className={styles.section}>
      <h2>{text('templates.schedule')}</h2>
      <Switch label={text('templates.byItself')} hint={text('templates.byItselfHint')} checked={isOn} onChange={setOn} />
      {isOn ? (
        <div className={styles.row}>
          <TextField type="number" min={1} label={text('templates.every')} value={interval} onChange={setInterval} />
          <Select<Frequency>
            label={text('templates.unit')}
            value={frequency}
            onChange={setFrequency}
            options={[
              { value: 'FREQUENCY_DAILY', label: text('templates.unitDays') },
              { value: 'FREQUENCY_WEEKLY', label: text('templates.unitWeeks') },
              { value: 'FREQUENCY_MONTHLY', label: text('templates.unitMonths') },
              { value: 'FREQUENCY_YEARLY', label: text('templates.unitYears') },
              { value: 'FREQUENCY_NONE', label: text('templates.once') },
            ]}
          />
          <DateField
            label={text('templates.from')}
            value={start}
            onWhole={setStart}
            onClear={() => setStart('')}
            onPartial={() => setStart('')}
            required
          />
        </div>
      ) : null}
      {save.isError ? <Note kind="fault">{save.error.message}</Note> : null}
      <div>
        <Button
          busy={save.isPending}
          disabledReason={isOn && start === '' ? text('templates.startNeeded') : undefined}
          onClick={() => save.mutate()}
        >
          {text('settings.save')}
        </Button>
      </div>
    </section>
  );
}
