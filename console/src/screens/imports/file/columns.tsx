/** The columns of the file: a value of each, what it is read as, and why; changed where that is wrong. */
import { Findings } from '~/app/syncs/findings.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import { FirstRows } from './first-rows.tsx';
import { wantedFields, fieldLabelKey } from './fields.ts';
import styles from '~/screens/imports/imports.module.css';
import { type ColumnRow, columnRows, constantsIn, leftOut, splitIn } from './mapping.ts';
import { SeveralApps } from '~/screens/imports/outcome/several-apps.tsx';
import type { ImportState } from '~/screens/imports/use-import.ts';
import { Values } from './values.tsx';

const whys: Readonly<Record<ColumnRow['why'], PlainTextKey>> = {
  name: 'imports.why.name',
  usual: 'imports.why.usual',
  guess: 'imports.why.guess',
  chosen: 'imports.why.chosen',
  kept: 'imports.why.kept',
};

export function fieldWord(field: string): string {
  const key = fieldLabelKey(field);
  return key === undefined ? field : text(key);
}

export function Columns({ state }: { state: ImportState }) {
  const found = state.inspection.data;
  if (found === undefined) {
    return null;
  }
  const rows = columnRows(found, state.mapping, state.chosenColumns);
  const options = [
    { value: '', label: text('imports.attribute') },
    ...wantedFields[state.target.kind].map((field) => ({ value: field, label: fieldWord(field) })),
    { value: leftOut, label: text('imports.leaveOut') },
  ];
  const missing = (found.missing ?? []).filter((field) => state.mapping[field] === undefined);
  const { appColumn = '' } = found;
  const constants = constantsIn(state.mapping);
  const planned = state.canCompare ? state.changes.query.data?.pages[0]?.import : undefined;
  return (
    <>
      <section aria-busy={state.inspection.isFetching}>
        <div className={styles.headline}>
          <h2>{text('imports.columns')}</h2>
          <Checkbox label={text('imports.keep')} checked={state.keep} onChange={state.setKeep} />
        </div>
        {missing.length === 0 ? null : <Note kind="warn">{text('imports.missing', { fields: missing.map(fieldWord).join(', ') })}</Note>}
        {state.target.kind === 'grants' && appColumn !== '' ? <SeveralApps state={state} column={appColumn} /> : null}
        <ul>
          {rows.map((row) => (
            <li key={row.column} className={styles.column}>
              <Name strong>{row.column}</Name>
              <code>
                <bdi>{row.sample}</bdi>
              </code>
              <span aria-hidden="true" className={styles.quiet}>
                <Icon name="right" />
              </span>
              <Select
                label={text('imports.readAs', { column: row.column })}
                hideLabel
                value={row.field}
                onChange={(field: string) => state.setColumn(row.column, field)}
                options={options}
              />
              <span className={styles.why} data-look={row.why === 'guess' || undefined}>
                {row.field === 'resource' || row.field === 'entitlement' ? (
                  <Checkbox
                    label={text('imports.split.cells')}
                    checked={splitIn(state.mapping) === row.field}
                    onChange={(isOn) => state.setSplit(isOn ? row.field : '')}
                  />
                ) : (
                  text(whys[row.why])
                )}
              </span>
            </li>
          ))}
          {constants.map(([field, value]) => (
            <li key={field} className={styles.column}>
              <span className={styles.quiet}>{text('imports.noColumn')}</span>
              <span className={styles.quiet}>{text('imports.allRows')}</span>
              <span aria-hidden="true" className={styles.quiet}>
                <Icon name="right" />
              </span>
              <TextField label={fieldWord(field)} value={value} onChange={(next: string) => state.setEntry(field, `=${next}`)} />
              <span className={styles.why}>{text('imports.constant')}</span>
            </li>
          ))}
        </ul>
      </section>
      <Values state={state} />
      {planned === undefined ? null : <Findings sync={planned} isPlanned />}
      <FirstRows rows={found.rows ?? []} />
    </>
  );
}
