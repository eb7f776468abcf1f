/** The first rows of the file as they would be read, with what is wrong about each. */
import { text } from '~/text/text.ts';
import { fieldWord } from './columns.tsx';
import { meaningsOf, wordOfMeaning } from './fields.ts';
import styles from '~/screens/imports/imports.module.css';
import { asksForMeaning } from '~/screens/imports/outcome/refusal.ts';
import type { Inspection } from './mapping.ts';

/** A value as people say it, where it is one of a few. */
function shown(field: string, value: string | undefined): string | undefined {
  const key = meaningsOf[field] === undefined || value === undefined ? undefined : wordOfMeaning(value);
  return key === undefined ? value : text(key);
}

type Rows = NonNullable<Inspection['rows']>;

export function FirstRows({ rows }: { rows: Rows }) {
  const fields = [...new Set(rows.flatMap((row) => Object.entries(row.values ?? {}).flatMap(([name, value]) => (value ? [name] : []))))];
  const errors = rows.flatMap((row) =>
    (row.errors ?? []).filter((error) => !asksForMeaning(error)).map((error) => ({ line: row.line, error })),
  );
  return rows.length === 0 || fields.length === 0 ? null : (
    <section>
      <div className={styles.headline}>
        <h2>{text('imports.firstRows')}</h2>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled can be reached by keys */}
      <section className={styles.rows} tabIndex={0} aria-label={text('imports.firstRows')}>
        <table>
          <thead>
            <tr>
              {fields.map((field) => (
                <th key={field} scope="col">
                  {fieldWord(field)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.line}>
                {fields.map((field) => (
                  <td key={field}>
                    <bdi>{shown(field, row.values?.[field])}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {errors.map(({ line, error }) => (
        <p key={`${line} ${error}`} className={styles.missing}>
          {text('imports.rowError', { line: Number(line ?? 0), error })}
        </p>
      ))}
    </section>
  );
}
