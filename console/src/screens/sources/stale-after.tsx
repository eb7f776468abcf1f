/** The age from which on the data of a source are too old. */
import { useId } from 'react';
import { Form } from '~/app/forms/form.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import type { Source } from '~/data/inventory/inventory.ts';
import { change } from '~/data/change.ts';
import { Select } from '~/parts/controls/select.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import { ageOf, secondsOf } from './age.ts';
import styles from './sources.module.css';

export function StaleAfter({ source, mayWrite }: { source: Source; mayWrite: boolean }) {
  const id = useId();
  const { count, unit } = ageOf(source.staleAfter ?? '0s');
  const age = text(unit === 'days' ? 'sourceAge.inDays' : 'sourceAge.inHours', { count });
  return (
    <section className={styles.part}>
      <h2 id={id}>{text('sourceAge.title')}</h2>
      <p className={styles.quiet}>{text(source.isUsualStaleAfter === true ? 'sourceAge.usual' : 'sourceAge.set', { age })}</p>
      {mayWrite ? <StaleAfterForm source={source} labelledBy={id} /> : null}
    </section>
  );
}

type Written = { readonly staleAfter: string; readonly unit: ReturnType<typeof ageOf>['unit'] };

/** The age as the API takes it; absent for the usual one. */
const shape = ({ staleAfter, unit }: Written) => (staleAfter.trim() === '' ? {} : { staleAfter: secondsOf(staleAfter, unit) });

function StaleAfterForm({ source, labelledBy }: { source: Source; labelledBy: string }) {
  const { count, unit } = ageOf(source.staleAfter ?? '0s');
  const form = useForm({
    values: { staleAfter: source.isUsualStaleAfter === true ? '' : String(count), unit },
    stored: source.isUsualStaleAfter === true ? {} : { staleAfter: source.staleAfter },
    send: (values, _before, stored) => change('SourceService.SetStaleAfter', { id: source.id ?? '', ...shape(values) }, stored),
    stale: ['SourceService.Get', 'SourceService.List'],
    onSent: () => toast(text('source.saved')),
  });
  return (
    <Form form={form} className={styles.secret} labelledBy={labelledBy} action={text('source.save')}>
      <div className={styles.fields}>
        <TextField
          {...form.at('staleAfter', (value) => (/^\s*\d{0,5}\s*$/.test(value) ? undefined : text('sourceAge.wrong')))}
          label={text('sourceAge.after')}
          hint={text('sourceAge.hint')}
        />
        <Select
          {...form.at('unit')}
          label={text('sourceAge.unit')}
          options={[
            { value: 'hours', label: text('sourceAge.hours') },
            { value: 'days', label: text('sourceAge.days') },
          ]}
        />
      </div>
    </Form>
  );
}
