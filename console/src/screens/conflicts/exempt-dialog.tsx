/** Accepts a conflict: with a reason that stays in the record, and an end where there is one. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { call, forget } from '../../data/query.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextArea } from '../../parts/text-area.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { toast } from '../../parts/toast.tsx';
import { text } from '../../text/text.ts';
import styles from './conflicts.module.css';
import type { Alert } from './types.ts';

export function ExemptDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const form = useId();
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const [isTried, setTried] = useState(false);
  const exempt = useMutation({
    mutationFn: () =>
      call('ConflictAlertService.Exempt', {
        id: alert.id ?? '',
        reason: reason.trim(),
        ...(until === '' ? {} : { until: new Date(`${until}T23:59:59`).toISOString() }),
      }),
    onSuccess: async () => {
      toast(text('conflicts.isExempted', { name: alert.principalDisplayName ?? '' }));
      onClose();
      await forget('ConflictAlertService.List');
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (reason.trim() !== '' && !exempt.isPending) {
      exempt.mutate();
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title={text('conflicts.exemptTitle', { name: alert.principalDisplayName ?? '' })}
      footer={
        <>
          <Button onClick={onClose}>{text('settings.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={exempt.isPending}>
            {text('conflicts.exempt')}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.section} onSubmit={send} noValidate>
        <p className={styles.hint}>{text('conflicts.exemptWords')}</p>
        <TextArea
          label={text('conflicts.reason')}
          value={reason}
          onChange={setReason}
          required
          error={isTried && reason.trim() === '' ? text('conflicts.reasonNeeded') : exempt.error?.message}
        />
        <TextField type="date" label={text('conflicts.untilDay')} value={until} onChange={setUntil} hint={text('conflicts.untilHint')} />
      </form>
    </Dialog>
  );
}
