/** The file: dropped or chosen, and what it is once it is here. */
import { Name } from '~/parts/words/name.tsx';
import { CountField } from '~/parts/fields/count-field.tsx';
import { FileDrop } from '~/parts/fields/file-drop.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { bytes } from '~/text/format-size.ts';
import { text } from '~/text/text.ts';
import { count } from '~/data/inventory/inventory.ts';
import { FileUnreadable } from '~/data/inventory/upload.ts';
import styles from '~/screens/imports/imports.module.css';
import type { ImportState } from '~/screens/imports/use-import.ts';

export function FileStep({ state }: { state: ImportState }) {
  const { file, inspection } = state;
  const take = (content: File) => void state.drop(content);
  if (file === undefined) {
    return (
      <>
        <p className={styles.quiet}>{text('imports.intro')}</p>
        <FileDrop label={text('imports.drop')} hint={text('imports.dropHint')} onFile={take} />
      </>
    );
  }
  const read = inspection.data;
  const about = [
    read?.rowsRead === undefined ? '' : text('imports.rowsRead', { count: count(read.rowsRead) }),
    count(read?.reading?.skippedCount) === 0 ? '' : text('imports.skipped', { count: count(read?.reading?.skippedCount) }),
    bytes(file.content.size),
    [file.isC1z ? text('imports.c1z') : read?.format, read?.reading?.encoding, separatorOf(read?.reading?.separator)]
      .filter(Boolean)
      .join(', '),
    file.sha256 === '' ? '' : `SHA-256 ${file.sha256.slice(0, 8)}…${file.sha256.slice(-4)}`,
  ].filter((part) => part !== '');
  const sheets = read?.sheets ?? [];
  return (
    <>
      <div className={styles.file}>
        <div>
          <Name strong>{file.content.name}</Name>
          <small>{about.join(', ')}</small>
        </div>
        <FileDrop label={text('imports.another')} hint="" onFile={take} />
      </div>
      {sheets.length > 1 ? (
        <Select
          label={text('imports.sheet')}
          value={state.sheet || (sheets[0] ?? '')}
          onChange={state.setSheet}
          options={sheets.map((sheet) => ({ value: sheet, label: sheet }))}
        />
      ) : null}
      {read === undefined ? null : (
        <CountField
          label={text('imports.headerLine')}
          hint={text('imports.headerLineHint')}
          min={1}
          max={1000}
          value={String(state.headerLine || (read.reading?.headerLine ?? ''))}
          onWhole={(value) => state.setHeaderLine(Number(value))}
          onClear={() => state.setHeaderLine(0)}
        />
      )}
      {inspection.isLoading ? <Skeleton rows={6} /> : null}
      {inspection.error instanceof FileUnreadable ? (
        <Note kind="fault">{text('imports.unreadable')}</Note>
      ) : inspection.error ? (
        <Failed error={inspection.error} retry={() => void inspection.refetch()} />
      ) : null}
    </>
  );
}

function separatorOf(name: string | undefined): string {
  return name === 'semicolon'
    ? text('imports.separator.semicolon')
    : name === 'tab'
      ? text('imports.separator.tab')
      : name === 'bar'
        ? text('imports.separator.bar')
        : name === 'comma'
          ? text('imports.separator.comma')
          : '';
}
