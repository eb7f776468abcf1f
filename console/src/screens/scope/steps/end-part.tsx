/** End of the review: whether the review closes by itself, what becomes of undecided items, and the report. */
import { RadioGroup } from '~/parts/controls/radio-group.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { fieldViolation } from '~/data/act.ts';
import type { Review } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';
import type { PartProps } from '~/screens/scope/props.ts';

type Decision = NonNullable<Review['autoCloseDecision']>;

export function EndPart({ draft: { review, change, error } }: PartProps) {
  const decision = String(review.autoCloseDecision ?? 'CLOSE_DECISION_UNSPECIFIED');
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
        onChange={(value) => change({ autoCloseDecision: value as Decision })}
        error={fieldViolation(error, 'autoCloseDecision')}
        options={[
          { value: 'CLOSE_DECISION_SKIP', label: text('review.closeSkip'), hint: text('review.closeSkipHint') },
          { value: 'CLOSE_DECISION_REVOKED', label: text('review.closeRevoke'), hint: text('scope.revokeHint') },
          { value: 'CLOSE_DECISION_NO_ACTION', label: text('review.closeNothing'), hint: text('review.closeNothingHint') },
        ]}
      />
      <Switch
        label={text('scope.makesReport')}
        checked={review.autoGenerateReport === true}
        onChange={(autoGenerateReport) => change({ autoGenerateReport })}
      />
    </div>
  );
}
