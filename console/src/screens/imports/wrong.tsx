/** Why a file was refused: rows that cannot be read, and every other refusal. */
import { ClientError } from '../../data/query.ts';
import { Name } from '../../parts/name.tsx';
import { Note } from '../../parts/note.tsx';
import { text } from '../../text/text.ts';
import styles from './imports.module.css';

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
