/** End of the review: whether the review closes by itself, what becomes of undecided items, and the report. */
import { RadioGroup } from '~/parts/controls/radio-group.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { fieldViolation } from '~/data/act.ts';
import { closeNames } from '~/data/reviews/choices.ts';
import type { Review } from '~/data/reviews/review.ts';
import { choicesOf } from '~/parts/controls/choices-of.ts';
import type { ByValue } from '~/text/by-value.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';
import type { PartProps } from '~/screens/scope/props.ts';

const hints: ByValue<Review['autoCloseDecision'], PlainTextKey> = {
  CLOSE_DECISION_SKIP: 'review.closeSkipHint',
  CLOSE_DECISION_REVOKED: 'scope.revokeHint',
  CLOSE_DECISION_NO_ACTION: 'review.closeNothingHint',
};

export function EndPart({ draft: { review, change, error } }: PartProps) {
  const { autoCloseDecision: decision = 'CLOSE_DECISION_UNSPECIFIED' } = review;
  return (
    <div className={styles.fields}>
      <Switch
        label={text('scope.closesItself')}
        hint={text('scope.closesItselfHint')}
        checked={review.autoCloseCampaign === true}
        onChange={(autoCloseCampaign) => change({ autoCloseCampaign })}
      />
      <RadioGroup
        label={text('review.closeWhat')}
        value={decision === 'CLOSE_DECISION_UNSPECIFIED' ? 'CLOSE_DECISION_SKIP' : decision}
        onChange={(autoCloseDecision) => change({ autoCloseDecision })}
        error={fieldViolation(error, 'autoCloseDecision')}
        options={choicesOf(closeNames, hints)}
      />
      <Switch
        label={text('scope.makesReport')}
        checked={review.autoGenerateReport === true}
        onChange={(autoGenerateReport) => change({ autoGenerateReport })}
      />
    </div>
  );
}
