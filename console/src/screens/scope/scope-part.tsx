/** What is asked, as a sentence: about what, held by whom, through which accounts, given how, and what is left out. */
import { text } from '../../text/text.ts';
import { AskAbout } from './ask-about.tsx';
import styles from './edit.module.css';
import { Given } from './given.tsx';
import { HeldBy } from './held-by.tsx';
import { LeaveOut } from './leave-out.tsx';
import type { PartProps } from './props.ts';
import { Through } from './through.tsx';

export function ScopePart(props: PartProps) {
  return (
    <>
      <p className={styles.quiet}>{text('scope.sentence')}</p>
      <div className={styles.sentence}>
        <AskAbout {...props} />
        <HeldBy {...props} />
        <Through {...props} />
        <Given {...props} />
        <LeaveOut {...props} />
      </div>
    </>
  );
}
