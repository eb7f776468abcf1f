/** The two numbers of retention. What is older goes within an hour of saving, so the button says that it is for good. */
import { useState } from 'react';
import { messageOf, useAct, violationOf } from '../../../../data/act.ts';
import type { ReplyOf } from '../../../../data/query.ts';
import { Button } from '../../../../parts/button.tsx';
import { Note } from '../../../../parts/note.tsx';
import { TextField } from '../../../../parts/text-field.tsx';
import { toast } from '../../../../parts/toast.tsx';
import { text } from '../../../../text/text.ts';
import { FormSection } from '../form-section.tsx';

type Retention = NonNullable<ReplyOf<'RetentionService.Get'>['retention']>;

/** What was written as the API takes it; a number that no field allows where it is none. */
function wholeOf(written: string): number {
  const value = Number(written);
  return written.trim() === '' || !Number.isInteger(value) || Math.abs(value) > 1_000_000 ? -1 : value;
}

export function RetentionForm({ retention, mayWrite }: { retention: Retention; mayWrite: boolean }) {
  const [days, setDays] = useState(String(retention.reportDays ?? ''));
  const [years, setYears] = useState(String(retention.eventYears ?? 0));
  const save = useAct('RetentionService.Update', 'RetentionService.Get');
  const areFewer =
    wholeOf(days) < (retention.reportDays ?? 0) ||
    (wholeOf(years) > 0 && ((retention.eventYears ?? 0) === 0 || wholeOf(years) < (retention.eventYears ?? 0)));
  const send = () =>
    save.mutate(
      { retention: { reportDays: wholeOf(days), eventYears: wholeOf(years) }, updateMask: 'reportDays,eventYears' },
      { onSuccess: () => toast(text('retention.saved')) },
    );
  const daysError = violationOf(save.error, 'reportDays');
  const yearsError = violationOf(save.error, 'eventYears');
  return (
    <FormSection title={text('retention.title')} mayWrite={mayWrite} onSubmit={send}>
      <TextField
        type="number"
        min={1}
        label={text('retention.days')}
        value={days}
        onChange={setDays}
        hint={text('retention.daysHint')}
        error={daysError}
      />
      <TextField
        type="number"
        min={0}
        label={text('retention.years')}
        value={years}
        onChange={setYears}
        hint={text('retention.yearsHint', { least: retention.minimumEventYears ?? 0 })}
        error={yearsError}
      />
      {mayWrite && areFewer ? <Note kind="warn">{text('retention.fewer')}</Note> : null}
      {save.isError && daysError === undefined && yearsError === undefined ? <Note kind="fault">{messageOf(save.error)}</Note> : null}
      {mayWrite ? (
        <div>
          <Button type="submit" variant="primary" busy={save.isPending}>
            {text('settings.save')}
          </Button>
        </div>
      ) : null}
    </FormSection>
  );
}
