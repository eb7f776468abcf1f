/** What the guard against removals would refuse, with the confirmation; and why a file was refused, in words. */
import { ClientError } from '../../data/query.ts';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Name } from '../../parts/name.tsx';
import { Note } from '../../parts/note.tsx';
import { text } from '../../text/text.ts';
import styles from './imports.module.css';
import type { TooMuch } from './refusal.ts';
import type { ImportState } from './use-import.ts';

/** A file that takes more away than its source allows: figures, what to look at, and that it is meant. */
export function Guarded({ state, tooMuch }: { state: ImportState; tooMuch: TooMuch }) {
  const figures = { removed: tooMuch.removed, total: tooMuch.total };
  return (
    <>
      <Note kind="warn">
        <strong>{state.target.kind === 'people' ? text('imports.tooMuchPeople', figures) : text('imports.tooMuch', figures)}</strong>
        <p>{text('imports.tooMuchShare', { found: tooMuch.found, share: tooMuch.share })}</p>
        <p>{text('imports.tooMuchNext')}</p>
      </Note>
      <Checkbox label={text('imports.meant', { count: tooMuch.removed })} checked={state.isMeant} onChange={state.setMeant} />
    </>
  );
}

/** Rows that cannot be read, and every other refusal. */
export function Wrong({ error }: { error: Error }) {
  const known = error instanceof ClientError ? error : undefined;
  return (
    <>
      <Note kind="fault">
        <Name>{known === undefined || known.status === 0 ? text('imports.failed') : known.message}</Name>
        {known?.requestId ? <p className={styles.quiet}>{text('app.requestId', { id: known.requestId })}</p> : null}
      </Note>
      <ul>
        {(known?.violations ?? []).map(({ field, description }) => (
          <li key={`${field} ${description}`}>
            <b>{field}</b> <Name>{description}</Name>
          </li>
        ))}
      </ul>
      {known !== undefined && known.violations.length > 0 ? <p>{text('imports.nothingChanged')}</p> : null}
    </>
  );
}
