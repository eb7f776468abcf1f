/** Choosing who decides in one's place, and for how long. */
import { Form } from '~/app/forms/form.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { call } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Combobox, type Option } from '~/parts/fields/combobox.tsx';
import { DateField } from '~/parts/fields/date-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { dayEnd, dayStart } from '~/text/local-time.ts';
import { text } from '~/text/text.ts';
import styles from './profile.module.css';

/** The people whom one may name, by how words of their names begin. */
async function findDelegates(query: string, signal: AbortSignal): Promise<Option[]> {
  if (query.trim().length < 2) {
    return [];
  }
  const found = await call('MyDelegateService.Search', { query: query.trim(), pageSize: 10 }, { signal });
  return (found.list ?? []).map(({ reassignee: one }) => ({
    id: one?.userId ?? '',
    label: one?.displayName || one?.email || '',
    hint: one?.email ?? '',
  }));
}

export function DelegateForm({ onDone }: { onDone: () => void }) {
  const form = useForm({
    values: { delegatedUserId: undefined as Option | undefined, delegationStartAt: '', delegationExpireAt: '' },
    send: ({ delegatedUserId: person, delegationStartAt: from, delegationExpireAt: until }) =>
      call('MyDelegationService.Set', {
        delegatedUserId: person?.id ?? '',
        ...(from === '' ? {} : { delegationStartAt: dayStart(from) }),
        ...(until === '' ? {} : { delegationExpireAt: dayEnd(until) }),
      }),
    stale: ['MyDelegationService.Get'],
    onSent: (_, { delegatedUserId: person }) => {
      toast(text('profile.delegateSet', { name: person?.label ?? '' }));
      onDone();
    },
  });
  return (
    <Form form={form} className={styles.form}>
      <Combobox
        {...form.at('delegatedUserId', (person) => (person === undefined ? text('profile.delegateNeeded') : undefined))}
        label={text('profile.delegate')}
        search={findDelegates}
        placeholder={text('profile.delegatePlaceholder')}
      />
      <div className={styles.dates}>
        <DateField {...form.whole('delegationStartAt')} label={text('profile.fromDay')} />
        <DateField {...form.whole('delegationExpireAt')} label={text('profile.untilDay')} hint={text('profile.untilHint')} />
      </div>
      <div className={styles.buttons}>
        <Button onClick={onDone}>{text('settings.cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.isBusy}>
          {text('settings.save')}
        </Button>
      </div>
    </Form>
  );
}
