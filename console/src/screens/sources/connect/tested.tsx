/** Trying settings out before they are kept: the steps that worked, what failed, and the first rows as they came. */
import { useState } from 'react';
import { call, type ReplyOf } from '~/data/query.ts';
import { Note } from '~/parts/states/note.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { Name } from '~/parts/words/name.tsx';
import type { ByValue } from '~/text/by-value.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import type { KindOfSource } from '~/screens/sources/kinds/kind.ts';
import { enteredSecrets, settingsOfValues, type SettingValues } from '~/screens/sources/kinds/settings-values.ts';
import styles from '~/screens/sources/sources.module.css';
import type { FormValues, SettingsForm } from './settings-form.ts';

type Outcome = ReplyOf<'FetchService.TestSource'>;

interface Test {
  readonly run: () => Promise<void>;
  readonly isBusy: boolean;
  /** Outcome of the values that stand in the form now. */
  readonly outcome: Outcome | undefined;
  /** Errors by the field that they are about. */
  readonly faults: Readonly<Record<string, string>>;
}

/** Returns the test of a form. Its outcome is gone once a value changes, since it is about others. */
export function useTest(kind: KindOfSource, form: SettingsForm, sourceId = ''): Test {
  const [isBusy, setBusy] = useState(false);
  const [last, setLast] = useState<{ of: string; outcome: Outcome }>();
  const now = JSON.stringify(asked(kind, form.values, sourceId));
  const outcome = last?.of === now ? last.outcome : undefined;
  return {
    run: async () => {
      setBusy(true);
      await form.attempt(
        kind.fields.map(({ name }) => name),
        async (values) => {
          const request = asked(kind, values, sourceId);
          setLast({ of: JSON.stringify(request), outcome: await call('FetchService.TestSource', request) });
        },
      );
      setBusy(false);
    },
    isBusy,
    outcome,
    faults: outcome?.errorField ? { [outcome.errorField]: outcome.error ?? '' } : {},
  };
}

/** The request of a test. A source that is there lends its secrets. */
function asked(kind: KindOfSource, values: FormValues, sourceId: string) {
  const settings = values as SettingValues;
  const entered = enteredSecrets(kind, settings);
  const secrets = entered.filter(({ fromFile }) => fromFile === '').map(({ name, value }) => [name, value]);
  const files = entered.filter(({ fromFile }) => fromFile !== '').map(({ name, fromFile }) => [name, fromFile]);
  return {
    config: settingsOfValues(kind, settings),
    secrets: Object.fromEntries(secrets),
    secretFiles: Object.fromEntries(files),
    sourceId,
  };
}

const stepWords: ByValue<NonNullable<Outcome['steps']>[number]['kind'], PlainTextKey> = {
  TESTED_STEP_KIND_NAME: 'connect.step.name',
  TESTED_STEP_KIND_ADDRESS: 'connect.step.address',
  TESTED_STEP_KIND_TLS: 'connect.step.tls',
  TESTED_STEP_KIND_SIGN_IN: 'connect.step.signIn',
};

export function Tested({ test: { outcome } }: { test: Test }) {
  if (outcome === undefined) {
    return null;
  }
  const { error = '', contents = [], steps = [] } = outcome;
  return (
    <section className={styles.tested} aria-live="polite" aria-label={text('connect.test')}>
      {steps.length === 0 ? null : (
        <ul className={styles.steps}>
          {steps.map(({ kind, found }) => {
            const word = stepWords[kind ?? ''];
            return word === undefined ? null : (
              <li key={kind}>
                <Icon name="check" />
                <span>{text(word)}</span>
                <Name>{found}</Name>
              </li>
            );
          })}
        </ul>
      )}
      {error === '' ? <Note kind="ok">{text('connect.testGood')}</Note> : <Note kind="fault">{error}</Note>}
      {contents.map(({ isPeople, columns = [], rows = [] }) => {
        const label = text(isPeople === true ? 'connect.firstPeople' : 'connect.firstGrants');
        // The first line of a file is its header, and comes as a row.
        const [head = columns, body] = columns.length > 0 ? [columns, rows] : [rows[0]?.values ?? [], rows.slice(1)];
        return (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keys, too
          <section key={String(isPeople)} className={styles.scroll} aria-label={label} tabIndex={0}>
            <table aria-label={label}>
              <caption>{label}</caption>
              <thead>
                <tr>
                  {head.map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {body.map(({ values = [] }, row) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows as they came have no key and never move
                  <tr key={row}>
                    {head.map((name, at) => (
                      <td key={name}>
                        <Name>{values[at]}</Name>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            {body.length === 0 ? <p className={styles.quiet}>{text('connect.noRows')}</p> : null}
          </section>
        );
      })}
    </section>
  );
}
