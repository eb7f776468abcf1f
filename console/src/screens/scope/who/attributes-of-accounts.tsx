/** Attributes of accounts that stand beside each item, app by app: those that its source knows, found in some of its accounts, or any other by name. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { call } from '~/data/query.ts';
import type { Review } from '~/data/reviews/review.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import { Chips } from '~/screens/scope/chips.tsx';
import { chosenApps } from '~/screens/scope/about/chosen.ts';
import styles from '~/screens/scope/edit.module.css';

interface AttributesOfAccountsProps {
  readonly review: Review;
  readonly apps: readonly { readonly id?: string; readonly displayName?: string }[];
  readonly onChange: (patch: Partial<Review>) => void;
}

/** Most attributes that the server takes. */
const maxAttributes = 10;

export function AttributesOfAccounts({ review, apps, onChange }: AttributesOfAccountsProps) {
  const bindings = review.reviewerAttributeConfig?.bindings ?? [];
  const [own] = chosenApps(review);
  const [chosenApp, setApp] = useState<string>();
  const app = chosenApp ?? own ?? apps[0]?.id ?? '';
  const [key, setKey] = useState('');
  const list = useId();
  const known = useQuery({
    queryKey: ['account-attributes', app] as const,
    enabled: app !== '',
    queryFn: async ({ signal }): Promise<string[]> => {
      const reply = await call('AppUserService.List', { appId: app, pageSize: 50 }, { signal });
      return [...new Set((reply.list ?? []).flatMap(({ appUser }) => Object.keys(appUser?.profile ?? {})))].sort();
    },
  });
  const nameOf = (id: string | undefined) => apps.find((one) => one.id === id)?.displayName ?? id ?? '';
  const store = (next: typeof bindings) => onChange({ reviewerAttributeConfig: { bindings: [...next] } });
  const add = (event: FormEvent) => {
    event.preventDefault();
    const attributeKey = key.trim();
    if (attributeKey !== '' && app !== '' && !bindings.some((one) => one.appId === app && one.attributeKey === attributeKey)) {
      store([...bindings, { appId: app, attributeKey }]);
      setKey('');
    }
  };
  return (
    <fieldset className={styles.group}>
      <legend>{text('scope.attributes')}</legend>
      <p className={styles.quiet}>{text('scope.attributesHint')}</p>
      {bindings.length === 0 ? null : (
        <Chips
          chosen={bindings.map(({ appId, attributeKey = '' }, place) => ({
            id: String(place),
            label: text('scope.attributeOf', { name: attributeKey, app: nameOf(appId) }),
          }))}
          onTakeAway={(gone) => store(bindings.filter((_, place) => String(place) !== gone))}
        />
      )}
      <form className={styles.attribute} onSubmit={add} noValidate>
        <Select
          label={text('scope.attributeApp')}
          value={app}
          onChange={setApp}
          options={apps.map(({ id = '', displayName = '' }) => ({ value: id, label: displayName }))}
        />
        <TextField label={text('scope.attributeName')} value={key} onChange={setKey} list={list} />
        <datalist id={list}>
          {(known.data ?? []).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Button
          type="submit"
          icon="plus"
          disabledReason={bindings.length >= maxAttributes ? text('scope.attributesMost', { count: maxAttributes }) : undefined}
        >
          {text('scope.attributeAdd')}
        </Button>
      </form>
    </fieldset>
  );
}
