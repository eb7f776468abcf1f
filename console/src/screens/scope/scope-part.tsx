/** What is asked, as a sentence: about what, held by whom, through which accounts, given how, and what is left out; with what each clause leaves. */
import { count } from '../../data/count.ts';
import type { Preview } from '../../data/review.ts';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import { AskAbout } from './ask-about.tsx';
import { type ClauseName, countClauses } from './clause-counts.ts';
import styles from './edit.module.css';
import { Given } from './given.tsx';
import { HeldBy } from './held-by.tsx';
import { LeaveOut } from './leave-out.tsx';
import { hasOlder, Older } from './older.tsx';
import type { PartProps } from './props.ts';
import { ScopeNotes } from './scope-notes.tsx';
import { Through } from './through.tsx';
import { useLists } from './use-lists.ts';

interface ScopePartProps extends PartProps {
  /** What the scope comes to; undefined while that is not known. */
  readonly preview: Preview | undefined;
  readonly isOld: boolean;
}

export function ScopePart({ preview, isOld, ...props }: ScopePartProps) {
  const lists = useLists(props.reviewId, props.draft.touch);
  const counts = preview === undefined ? undefined : countClauses(preview);
  const of = (name: ClauseName) => ({ ...props, lists, count: counts === undefined ? undefined : wordOf(counts[name], name) });
  return (
    <>
      <p className={styles.quiet}>{text('scope.sentence')}</p>
      <div className={styles.sentence} data-old={isOld || undefined}>
        <AskAbout {...of('askAbout')} />
        <HeldBy {...of('heldBy')} />
        <Through {...of('through')} />
        <Given {...of('given')} />
        <LeaveOut {...of('leaveOut')} />
        {hasOlder(props.draft.review) ? <Older {...of('older')} /> : null}
        {preview === undefined ? null : (
          <p className={styles.sum}>
            <strong>{text('scope.asked')}</strong>
            <span>{text('scope.askedWho', { people: count(preview.reviewerCount) })}</span>
            <output>{number(count(preview.items))}</output>
          </p>
        )}
      </div>
      {preview === undefined ? null : <ScopeNotes preview={preview} />}
    </>
  );
}

/** What a clause leaves out with its sign, and nothing where it leaves out nothing. */
function wordOf(value: number, name: ClauseName): string {
  return value === 0 && name !== 'askAbout' ? '' : number(value).replace('-', '−');
}
