/** The schedule of a source: five fields of cron in a zone, and the next three times. */
import { useId } from 'react';
import { Form } from '~/app/forms/form.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { zoneOptions } from '~/app/zones.ts';
import type { Source } from '~/data/inventory/inventory.ts';
import { change } from '~/data/change.ts';
import { Select } from '~/parts/controls/select.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { clock, weekday } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './sources.module.css';

export function Schedule({ source, mayWrite }: { source: Source; mayWrite: boolean }) {
  const id = useId();
  const times = source.nextFetchesAt ?? [];
  return (
    <section className={styles.part}>
      <h2 id={id}>{text('sourceSchedule.title')}</h2>
      {times.length === 0 ? (
        <p className={styles.quiet}>{text('sourceSchedule.never')}</p>
      ) : (
        <ol className={styles.times} aria-label={text('sourceSchedule.next')}>
          {times.map((at) => (
            <li key={at}>{text('sourceSchedule.at', { day: weekday(at), time: clock(at) })}</li>
          ))}
        </ol>
      )}
      {mayWrite ? <ScheduleForm source={source} labelledBy={id} /> : null}
    </section>
  );
}

function ScheduleForm({ source, labelledBy }: { source: Source; labelledBy: string }) {
  const form = useForm({
    values: { cronSpec: source.cronSpec ?? '', timezone: source.timeZone ?? '' },
    send: ({ cronSpec, timezone }, before) =>
      change(
        'ConnectorService.UpdateConnectorSchedule',
        { appId: source.appId ?? '', connectorId: source.id ?? '', cron: { cronSpec: cronSpec.trim(), timezone } },
        { cron: before },
      ),
    stale: ['SourceService.Get', 'SourceService.List'],
    onSent: () => toast(text('source.saved')),
  });
  return (
    <Form form={form} className={styles.secret} labelledBy={labelledBy} action={text('source.save')}>
      <TextField {...form.at('cronSpec')} label={text('sourceSchedule.cron')} hint={text('sourceSchedule.cronHint')} maxLength={100} />
      <Select
        {...form.at('timezone')}
        label={text('sourceSchedule.zone')}
        options={[{ value: '', label: text('sourceSchedule.companyZone') }, ...zoneOptions(form.values.timezone)]}
      />
    </Form>
  );
}
