/** The differences of one kind: rights with who would get or lose them, or people with what would become of them. */
import { useState } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { Name } from '~/parts/words/name.tsx';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './changes.module.css';
import { wordOfFact, wordOfMeaning } from '~/screens/imports/file/fields.ts';
import { type Change, type ChangeKind, groupChanges } from './group-changes.ts';

const signs: Readonly<Record<ChangeKind, string>> = { SYNC_CHANGE_ADDED: '+', SYNC_CHANGE_REMOVED: '−', SYNC_CHANGE_CHANGED: '' };

interface ChangeListProps {
  readonly rows: readonly Change[];
  readonly kind: ChangeKind;
  readonly isPeople: boolean;
  readonly isFiltered: boolean;
  /** The app that the rights are of; empty for people. */
  readonly app: string;
}

export function ChangeList({ rows, kind, isPeople, isFiltered, app }: ChangeListProps) {
  if (isPeople) {
    return (
      <div className={styles.list}>
        <Some rows={rows} atFirst={20} />
      </div>
    );
  }
  return (
    <div className={styles.list}>
      {groupChanges(rows, app).map(({ right, rows: members }, index) => (
        <details key={right} open={isFiltered || index < 2}>
          <summary>
            <span aria-hidden="true">
              <Icon name="right" />
            </span>
            <Name strong>{right}</Name>
            <span className={styles.count} data-kind={kind}>
              {`${signs[kind]}${number(members.length)}`}
            </span>
          </summary>
          <Some rows={members} atFirst={4} />
        </details>
      ))}
    </div>
  );
}

/** The first rows, and the way to the others. */
function Some({ rows, atFirst }: { rows: readonly Change[]; atFirst: number }) {
  const [most, setMost] = useState(atFirst);
  const left = rows.length - most;
  return (
    <>
      <ul>
        {rows.slice(0, most).map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two people may have the same name and no address
          <li key={index}>
            <Name>{row.person || row.account || row.email}</Name>
            <span>
              <Name>
                {row.account === undefined || row.account === '' ? row.email : row.person ? row.account : text('imports.noOwner')}
              </Name>
            </span>
            <Facts row={row} />
          </li>
        ))}
      </ul>
      {left <= 0 ? null : (
        <div className={styles.more}>
          <Button variant="quiet" onClick={() => setMost(most + 100)}>
            {text('imports.moreRows', { count: left })}
          </Button>
        </div>
      )}
    </>
  );
}

/** Changes a person's facts would get. */
function Facts({ row }: { row: Change }) {
  const isChanged = row.change === 'SYNC_CHANGE_CHANGED' && !row.account;
  return !isChanged ? null : (row.fields ?? []).length === 0 ? (
    <small>{text('imports.otherFacts')}</small>
  ) : (
    (row.fields ?? []).map(({ name = '', before = '', after = '' }) => {
      const key = wordOfFact(name);
      return (
        <small key={name}>
          <Name>
            {text('imports.changedTo', { fact: key === undefined ? name : text(key), before: say(name, before), after: say(name, after) })}
          </Name>
        </small>
      );
    })
  );
}

function say(name: string, value: string): string {
  const key = /status$/i.test(name) ? wordOfMeaning(value) : undefined;
  return value === '' ? text('imports.emptyValue') : key === undefined ? value : text(key);
}
