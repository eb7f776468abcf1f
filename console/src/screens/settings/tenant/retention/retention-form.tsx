/** The numbers of retention. A shorter time for evidence waits for another Super Administrator; the note says so. */
import { useForm } from '~/app/forms/use-form.ts';
import { changeMembers } from '~/data/change.ts';
import type { ReplyOf } from '~/data/query.ts';
import { CountField } from '~/parts/fields/count-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Note } from '~/parts/states/note.tsx';
import { FormSection } from '~/screens/settings/tenant/form-section.tsx';
import { text } from '~/text/text.ts';

type Retention = NonNullable<ReplyOf<'RetentionService.Get'>['retention']>;

/** Reads the text as the API takes it; a number that no field allows where it is none. */
function wholeOf(written: string): number {
  const value = Number(written);
  return written.trim() === '' || !Number.isInteger(value) || Math.abs(value) > 1_000_000 ? -1 : value;
}

/** The numbers as they are written. */
interface Written {
  readonly reviewYears: string;
  readonly eventYears: string;
  readonly reportDays: string;
}

const shape = ({ reviewYears, reportDays, eventYears }: Written) => ({
  reviewYears: wholeOf(reviewYears),
  reportDays: wholeOf(reportDays),
  eventYears: wholeOf(eventYears),
});

export function RetentionForm({ retention, mayWrite }: { retention: Retention; mayWrite: boolean }) {
  const form = useForm({
    values: {
      reviewYears: String(retention.reviewYears ?? ''),
      eventYears: String(retention.eventYears ?? 0),
      reportDays: String(retention.reportDays ?? ''),
    },
    send: (values, before) => changeMembers('RetentionService.Update', {}, 'retention', shape(before), shape(values)),
    stale: ['RetentionService.Get', 'SecondPersonService.List'],
    onSent: ({ request }) => toast(text(request === undefined ? 'retention.saved' : 'requests.asked')),
  });
  const [days, years] = [wholeOf(form.values.reportDays), wholeOf(form.values.eventYears)];
  const [daysBefore, yearsBefore] = [retention.reportDays ?? 0, retention.eventYears ?? 0];
  const isShorter =
    (years > 0 && (yearsBefore === 0 || years < yearsBefore)) || wholeOf(form.values.reviewYears) < (retention.reviewYears ?? 0);
  return (
    <FormSection form={form} title={text('retention.title')} action={text('settings.save')} mayWrite={mayWrite}>
      <CountField {...form.whole('reviewYears')} min={1} label={text('retention.reviewYears')} hint={text('retention.reviewYearsHint')} />
      <CountField
        {...form.whole('eventYears')}
        min={0}
        label={text('retention.years')}
        hint={text('retention.yearsHint', { least: retention.minimumEventYears ?? 0 })}
      />
      <CountField {...form.whole('reportDays')} min={1} label={text('retention.days')} hint={text('retention.daysHint')} />
      {mayWrite && (isShorter || days < daysBefore) ? (
        <Note kind="warn">{text(isShorter ? 'retention.fewer' : 'retention.fewerDays')}</Note>
      ) : null}
    </FormSection>
  );
}
