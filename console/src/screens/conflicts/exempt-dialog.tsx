/** Accepts a conflict: with a reason that stays in the record, and an end where there is one. */
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { needs, useForm } from '~/app/forms/use-form.ts';
import { call } from '~/data/query.ts';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { DateField } from '~/parts/fields/date-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { dayEnd } from '~/text/local-time.ts';
import { text } from '~/text/text.ts';
import styles from './conflicts.module.css';
import type { Alert } from './types.ts';

export function ExemptDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const form = useForm({
    values: { reason: '', until: '' },
    send: ({ reason, until }) =>
      call('ConflictAlertService.Exempt', {
        id: alert.id ?? '',
        reason: reason.trim(),
        ...(until === '' ? {} : { until: dayEnd(until) }),
      }),
    stale: ['ConflictAlertService.List'],
    onSent: () => {
      toast(text('conflicts.isExempted', { name: alert.principalDisplayName ?? '' }));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={text('conflicts.exemptTitle', { name: alert.principalDisplayName ?? '' })}
      action={text('conflicts.exempt')}
      className={styles.section}
    >
      <p className={styles.hint}>{text('conflicts.exemptWords')}</p>
      <TextArea {...form.at('reason', needs(text('conflicts.reasonNeeded')))} label={text('conflicts.reason')} required />
      <DateField {...form.whole('until')} label={text('conflicts.untilDay')} hint={text('conflicts.untilHint')} />
    </FormDialog>
  );
}
