/** What stands where a change was refused because somebody else was first: who, when, and the two ways on. Nothing that was written is lost. */
import type { OtherChange } from '~/data/change.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import styles from './changed-meanwhile.module.css';
import { sayChange } from './say-change.ts';

/** Who was first, and what to do about it. */
export interface ChangedWays {
  readonly change: OtherChange;
  readonly busy: boolean;
  /** Shows what stands now, and gives up what was written. */
  readonly onLoad: () => void;
  /** Puts what was written on top of what stands now. */
  readonly onAgain: () => void;
}

export function ChangedMeanwhile({ change, busy, onLoad, onAgain }: ChangedWays) {
  return (
    <Note
      kind="warn"
      action={
        <span className={styles.ways}>
          <Button onClick={onLoad}>{text('changed.load')}</Button>
          <Button busy={busy} onClick={onAgain}>
            {text('changed.again')}
          </Button>
        </span>
      }
    >
      <p role="alert">
        {sayChange(change)} {text('changed.kept')}
      </p>
    </Note>
  );
}
