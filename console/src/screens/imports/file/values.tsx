/** Meaning of the file's words, such as the states of an account; and how its dates are written, where that is open. */
import { count } from '~/data/inventory/inventory.ts';
import { ClientError } from '~/data/query.ts';
import { Icon } from '~/parts/words/icon.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { text } from '~/text/text.ts';
import { fieldWord } from './columns.tsx';
import { meaningsOf, wordOfMeaning } from './fields.ts';
import styles from '~/screens/imports/imports.module.css';
import { asksForDates, readUnknown } from '~/screens/imports/outcome/refusal.ts';
import type { ImportState } from '~/screens/imports/use-import.ts';

export function Values({ state }: { state: ImportState }) {
  const found = state.inspection.data;
  const refusal = state.refusal instanceof ClientError ? state.refusal : undefined;
  const said = [
    found?.reason ?? '',
    ...(found?.rows ?? []).flatMap((row) => row.errors ?? []),
    refusal?.message ?? '',
    ...(refusal?.violations ?? []).map(({ description }) => description),
  ];
  const known = (found?.reading?.values ?? []).filter(({ column }) => meaningsOf[column ?? ''] !== undefined);
  const unknown = readUnknown(said).filter(({ column, value }) => state.mapping[`${column}:${value}`] === undefined);
  const dates = found?.reading?.dateOrder || state.mapping['dates'] || '';
  const values = [
    ...unknown.map((one) => ({ ...one, meaning: '', count: undefined })),
    ...known.map((one) => ({
      column: one.column ?? '',
      value: one.value ?? '',
      meaning: state.mapping[`${one.column}:${one.value}`] ?? one.meaning ?? '',
      count: count(one.count),
    })),
  ];
  return (
    <>
      {asksForDates(said) || state.mapping['dates'] !== undefined ? (
        <Segments
          label={text('imports.dates')}
          value={dates}
          onChange={(value: string) => state.setEntry('dates', value)}
          options={[
            { value: 'DMY', label: text('imports.dates.dmy') },
            { value: 'MDY', label: text('imports.dates.mdy') },
          ]}
        />
      ) : null}
      {values.length === 0 ? null : (
        <section>
          <div className={styles.headline}>
            <h2>{text('imports.values')}</h2>
          </div>
          <ul>
            {values.map((one) => (
              <li key={`${one.column}:${one.value}`} className={styles.column}>
                <span className={styles.quiet}>{fieldWord(one.column)}</span>
                <code>
                  <bdi>{one.value === '' ? text('imports.emptyValue') : one.value}</bdi>
                </code>
                <span aria-hidden="true" className={styles.quiet}>
                  <Icon name="right" />
                </span>
                <Select
                  label={text('imports.meaning', { value: one.value })}
                  hideLabel
                  value={one.meaning}
                  onChange={(meaning: string) => state.setEntry(`${one.column}:${one.value}`, meaning)}
                  options={[
                    ...(one.meaning === '' ? [{ value: '', label: text('imports.chooseMeaning') }] : []),
                    ...(meaningsOf[one.column] ?? []).map((word) => ({
                      value: word,
                      label: text(wordOfMeaning(word) ?? 'imports.meaning.user'),
                    })),
                  ]}
                />
                <span className={styles.why} data-look={one.meaning === '' || undefined}>
                  {one.count === undefined ? text('imports.notKnown') : <Name>{text('imports.times', { count: one.count })}</Name>}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
