/** Refusals of a file: rows that cannot be read, and every other refusal. */
import { ClientError } from '~/data/query.ts';
import { Name } from '~/parts/words/name.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/imports/imports.module.css';
import { sayUnread } from './say-unread.ts';
import { withoutProposal } from '~/screens/imports/file/mapping.ts';

export function Wrong({ error }: { error: Error }) {
  const known = error instanceof ClientError ? error : undefined;
  return (
    <>
      <Note kind="fault">
        <Name>{known === undefined || known.status === 0 ? sayUnread(error) : withoutProposal(known.message)}</Name>
        {known?.requestId ? <p className={styles.quiet}>{text('app.requestId', { id: known.requestId })}</p> : null}
      </Note>
      <ul>
        {(known?.violations ?? []).map(({ field, description }) => (
          <li key={`${field} ${description}`}>
            <b>{field}</b> <Name>{withoutProposal(description)}</Name>
          </li>
        ))}
      </ul>
      {known !== undefined && known.violations.length > 0 ? <p>{text('imports.nothingChanged')}</p> : null}
    </>
  );
}
