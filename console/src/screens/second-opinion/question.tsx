/** One item as the first reviewer was shown it, without what was decided; and what the second one says. */
import type { ReplyOf } from '~/data/query.ts';
import { listSignals } from '~/app/reviews/signals.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dot } from '~/parts/words/dot.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { Name } from '~/parts/words/name.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { When } from '~/parts/words/when.tsx';
import type { Opinion } from '~/data/queue/opinions.ts';
import { date } from '~/text/format.ts';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import styles from './second-opinion.module.css';

export type Asked = NonNullable<ReplyOf<'SecondReviewService.ListQuestions'>['list']>[number];

interface QuestionProps {
  readonly question: Asked;
  readonly opinion: Opinion | undefined;
  readonly onSay: (opinion: Opinion) => void;
}

export function Question({ question, opinion, onSay }: QuestionProps) {
  const { answer, person, account = '', entitlement = '', appDisplayName = '' } = question;
  const who = person || account;
  const given = answer === 'REVIEW_DECISION_CERTIFY' || answer === 'REVIEW_DECISION_DENY' ? answer : undefined;
  const meant = given ?? opinion?.decision;
  const signals = listSignals(question);
  const say = (decision: Opinion['decision']) => onSay({ decision, comment: opinion?.comment ?? '' });
  return (
    <li className={styles.question} data-said={given !== undefined || undefined}>
      <h2>
        <Rich id="second.question" values={{ who, what: entitlement, app: appDisplayName }} />
      </h2>
      {question.entitlementDescription ? (
        <p className={styles.quiet}>
          <Name>{question.entitlementDescription}</Name>
        </p>
      ) : null}
      {signals.length === 0 ? null : (
        <p className={styles.signals}>
          {signals.map(({ term, kind, label }) => (
            <Dot key={term} kind={kind}>
              {label}
            </Dot>
          ))}
        </p>
      )}
      <Facts
        rows={[
          { term: text('second.person'), children: [question.jobTitle, question.department].filter(Boolean).join(', ') || '–' },
          { term: text('revocations.account'), children: account },
          { term: text('second.since'), children: question.grantedAt ? date(question.grantedAt) : text('queue.notKnown') },
          { term: text('second.used'), children: question.lastUsedAt ? <When at={question.lastUsedAt} /> : text('queue.notKnown') },
        ]}
      />
      {given === undefined ? (
        <div className={styles.answer}>
          <Button
            icon="check"
            aria-pressed={meant === 'REVIEW_DECISION_CERTIFY'}
            aria-label={text('second.certifyOf', { who, what: entitlement })}
            onClick={() => say('REVIEW_DECISION_CERTIFY')}
          >
            {text('queue.certify')}
          </Button>
          <Button
            icon="cross"
            aria-pressed={meant === 'REVIEW_DECISION_DENY'}
            aria-label={text('second.denyOf', { who, what: entitlement })}
            onClick={() => say('REVIEW_DECISION_DENY')}
          >
            {text('queue.deny')}
          </Button>
          {opinion === undefined ? null : (
            <TextField
              label={text('second.commentOf', { who })}
              hideLabel
              placeholder={text('second.comment')}
              value={opinion.comment}
              onChange={(comment) => onSay({ ...opinion, comment })}
            />
          )}
        </div>
      ) : (
        <p className={styles.given}>
          {text(given === 'REVIEW_DECISION_CERTIFY' ? 'second.saidCertify' : 'second.saidDeny')} {question.comment}
        </p>
      )}
    </li>
  );
}
