/** Schedule of a template's reviews: how often, and from when on. */
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import { useSavedMembers } from '~/app/forms/use-saved.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { CountField } from '~/parts/fields/count-field.tsx';
import { DateField } from '~/parts/fields/date-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { dayStart, toDay } from '~/text/local-time.ts';
import { text } from '~/text/text.ts';
import styles from './templates.module.css';
import { ofTemplate } from './of-template.ts';
import type { Frequency, Template } from './words.ts';

export function SchedulePart({ template }: { template: Template }) {
  const mayManage = useMay('reviews.create');
  const { draft, set, isBusy, error, changed, save } = useSavedMembers({
    ...ofTemplate(template),
    onSaved: () => toast(text('templates.scheduleSaved')),
  });
  const isOn = draft.isCampaignScheduleEnabled === true;
  const rule = draft.recurrenceRule ?? {};
  const setRule = (part: Partial<typeof rule>) =>
    set({ recurrenceRule: { frequency: 'FREQUENCY_MONTHLY', interval: 1, ...rule, ...part } });
  // The time of the day stays where the day is the one that is stored.
  const stored = template.recurrenceRule?.startDate;
  const setStart = (day: string) =>
    setRule({
      startDate: day === '' ? undefined : stored !== undefined && toDay(stored) === day ? stored : dayStart(day, '09:00:00'),
    } as Partial<typeof rule>);
  const start = rule.startDate === undefined ? '' : toDay(rule.startDate);
  if (!mayManage) {
    return null;
  }
  return (
    <section className={styles.section}>
      <h2>{text('templates.schedule')}</h2>
      <Switch
        label={text('templates.byItself')}
        hint={text('templates.byItselfHint')}
        checked={isOn}
        onChange={(isCampaignScheduleEnabled) => set({ isCampaignScheduleEnabled })}
      />
      {isOn ? (
        <div className={styles.row}>
          <CountField
            min={1}
            max={1000}
            label={text('templates.every')}
            value={String(rule.interval || 1)}
            onWhole={(every) => setRule({ interval: Number(every) })}
          />
          <Select<Frequency>
            label={text('templates.unit')}
            value={rule.frequency ?? 'FREQUENCY_MONTHLY'}
            onChange={(frequency) => setRule({ frequency })}
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
      {changed === undefined ? null : <ChangedMeanwhile {...changed} />}
      {error === null ? null : <Note kind="fault">{error.message}</Note>}
      <div>
        <Button busy={isBusy} disabledReason={isOn && start === '' ? text('templates.startNeeded') : undefined} onClick={save}>
          {text('settings.save')}
        </Button>
      </div>
    </section>
  );
}
