/** The scope, as a sentence: about what, held by whom, through which accounts, given how, and what is left out; with what each clause leaves. */
import { count } from '~/data/count.ts';
import type { Preview } from '~/data/reviews/review.ts';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { AskAbout } from '~/screens/scope/about/ask-about.tsx';
import { type ClauseName, countClauses } from '~/screens/scope/preview/clause-counts.ts';
import styles from '~/screens/scope/edit.module.css';
import { Given } from '~/screens/scope/who/given.tsx';
import { HeldBy } from '~/screens/scope/who/held-by.tsx';
import { LeaveOut } from '~/screens/scope/left-out/leave-out.tsx';
import { hasOlder, Older } from '~/screens/scope/left-out/older.tsx';
import type { PartProps } from '~/screens/scope/props.ts';
import { ScopeNotes } from '~/screens/scope/preview/scope-notes.tsx';
import { Through } from '~/screens/scope/who/through.tsx';
import { useLists } from '~/screens/scope/use-lists.ts';

interface ScopePartProps extends PartProps {
  /** Result of the scope; undefined while that is not known. */
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

/** Writes a clause's count with its sign, and nothing where it leaves out nothing. */
function wordOf(value: number, name: ClauseName): string {
  return value === 0 && name !== 'askAbout' ? '' : number(value).replace('-', '−');
}
