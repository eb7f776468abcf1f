/** Oddities of a file, row by row, and what somebody should look at. */
import { count, type Sync } from '~/data/inventory/inventory.ts';
import { Name } from '~/parts/words/name.tsx';
import { text } from '~/text/text.ts';
import styles from './findings.module.css';

/** `isPlanned`: the file is not imported yet. */
export function Findings({ sync, isPlanned = false }: { sync: Sync; isPlanned?: boolean }) {
  const found = sync.findings;
  const remarks = [
    ...(found?.isNewApp === true ? [text(isPlanned ? 'findings.makesApp' : 'findings.newApp')] : []),
    ...((found?.similarApps ?? []).length > 0 ? [text('findings.similar', { names: (found?.similarApps ?? []).join(', ') })] : []),
    ...sayCount(count(found?.unownedAccounts), (value) => text('findings.unowned', { count: value })),
    ...sayCount(count(found?.ambiguousAccounts), (value) => text('findings.ambiguous', { count: value })),
    ...sayCount(count(found?.formerAddressAccounts), (value) => text('findings.formerAddress', { count: value })),
    ...sayCount(count(found?.repeatedRows), (value) => text('findings.repeated', { count: value })),
  ];
  const notes = [...(sync.rowErrors ?? []), ...(sync.warnings ?? [])];
  const total = count(sync.rejected) + count(sync.warningCount);
  return remarks.length === 0 && notes.length === 0 ? null : (
    <section className={styles.findings}>
      <h3>
        {total === 0 ? text('findings.title') : text('findings.odd', { count: total })}
        {count(sync.warningCount) > 0 ? <small>{text('findings.notStopped')}</small> : null}
      </h3>
      <ul>
        {remarks.map((remark) => (
          <li key={remark}>
            <Name>{remark}</Name>
          </li>
        ))}
        {notes.map((note) => (
          <li key={`${note.line} ${note.column} ${note.reason}`}>
            <b>{count(note.line) === 0 ? null : text('findings.row', { line: count(note.line) })}</b>
            <span>
              <Name>{note.column}</Name>
            </span>
            <span>
              <Name>{note.reason}</Name>
            </span>
          </li>
        ))}
      </ul>
      {total > notes.length ? <p className={styles.quiet}>{text('findings.more', { count: total - notes.length })}</p> : null}
    </section>
  );
}

function sayCount(value: number, say: (value: number) => string): string[] {
  return value === 0 ? [] : [say(value)];
}
