/** Answers to all removals that are chosen, above the list. */
import { Button } from '~/parts/controls/button.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { text } from '~/text/text.ts';
import { type Answer, answers, possibleAnswers, answersOfAll, type Removal } from './answers.ts';
import styles from './own-removals.module.css';

interface BulkBarProps {
  readonly removals: readonly Removal[];
  readonly chosen: readonly Removal[];
  readonly onChoose: (ids: ReadonlySet<string>) => void;
  readonly onSay: (answer: Answer) => void;
}

export function BulkBar({ removals, chosen, onChoose, onSay }: BulkBarProps) {
  const possible = removals.filter((one) => possibleAnswers(one).length > 0);
  const count = chosen.length;
  if (possible.length < 2) {
    return null;
  }
  const alike = answersOfAll(chosen);
  return (
    <div className={styles.bulk} role="toolbar" aria-label={text('ownRemovals.bulk')}>
      <Checkbox
        label={count === 0 ? text('ownRemovals.chooseAll') : text('ownRemovals.chosen', { count })}
        checked={count === possible.length}
        some={count > 0}
        onChange={(isOn) => onChoose(new Set(isOn ? possible.map(({ id = '' }) => id) : []))}
      />
      {alike.map((answer) => (
        <Button key={answer} onClick={() => onSay(answer)}>
          {text('ownRemovals.sayToAll', { answer: text(answers[answer].label), count })}
        </Button>
      ))}
      {count > 0 && alike.length === 0 ? <span className={styles.quiet}>{text('ownRemovals.notAlike')}</span> : null}
    </div>
  );
}
