/** Certify until a day: three that are offered, and any other. After it, the question comes back. */
import { useEffect, useRef, useState } from 'react';
import { useHalfWords } from '~/data/half-words.ts';
import { needsReason, targets } from '~/data/queue/state/targets.ts';
import { Button } from '~/parts/controls/button.tsx';
import { RadioGroup } from '~/parts/controls/radio-group.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { DateField } from '~/parts/fields/date-field.tsx';
import { date } from '~/text/format.ts';
import { dayEnd } from '~/text/local-time.ts';
import { text } from '~/text/text.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import styles from './decide.module.css';
import { limitDates, offerDates } from './until-dates.ts';

const names = { month: 'queue.inOneMonth', quarter: 'queue.inThreeMonths', year: 'queue.endOfYear' } as const;

export function UntilForm({ onClose }: { onClose: () => void }) {
  const { store, actions } = useQueue();
  const now = new Date();
  const offered = offerDates(now);
  const { first, last } = limitDates(now);
  const [chosen, setChosen] = useState(offered[0]?.day ?? '');
  const [other, setOther] = useState('');
  const [reason, setReason] = useHalfWords('until', targets(store.state));
  const [isTried, setTried] = useState(false);
  const [refused, setRefused] = useState<string>();
  const isNeeded = useQueueState((state) => needsReason(state, 'certify'));
  const fields = useRef<HTMLDivElement>(null);
  // Not before the group knows its choices: else none of them is reached by Tab, and the first arrow does nothing.
  useEffect(
    () => queueMicrotask(() => fields.current?.querySelector<HTMLElement>('[role=radio][aria-checked=true], [role=radio]')?.focus()),
    [],
  );
  const day = chosen === 'other' ? other : chosen;
  const isWrong = day === '' || day < first || day > last;
  const decide = () => {
    if (isWrong || (isNeeded && reason.trim() === '')) {
      setTried(true);
      return;
    }
    // What was written stays where nothing is decided.
    const against = actions.decide({ choice: 'certify', comment: reason, until: dayEnd(day) });
    setRefused(against);
    if (against === undefined) {
      setReason('');
      onClose();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Control and Enter decide, wherever in the fields the focus is
    <div
      className={styles.fields}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          event.stopPropagation();
          decide();
        }
      }}
      ref={fields}
    >
      <RadioGroup
        label={text('queue.until')}
        value={chosen}
        hintsAtEnd
        onChange={setChosen}
        options={[
          ...offered.map((one) => ({ value: one.day, label: date(dayEnd(one.day)), hint: text(names[one.name]) })),
          { value: 'other', label: text('queue.anotherDay') },
        ]}
      />
      {chosen === 'other' ? (
        <DateField
          label={text('queue.day')}
          value={other}
          onWhole={setOther}
          onClear={() => setOther('')}
          onPartial={() => setOther('')}
          autoFocus
          error={isTried && isWrong ? text('queue.dayLimits', { first: date(dayEnd(first)), last: date(dayEnd(last)) }) : undefined}
        />
      ) : null}
      <TextArea
        label={text('queue.reason')}
        hint={isNeeded ? text('queue.neededToCertify') : text('queue.optional')}
        error={isTried && isNeeded && reason.trim() === '' ? text('queue.sayWhy') : refused}
        value={reason}
        onChange={setReason}
        maxLength={10_000}
      />
      <div className={styles.end}>
        <Button variant="quiet" keys="escape" onClick={onClose}>
          {text('queue.back')}
        </Button>
        <Button icon="clock" keys="mod+Enter" onClick={decide}>
          {isWrong ? text('queue.until') : text('queue.certifyUntil', { date: date(dayEnd(day)) })}
        </Button>
      </div>
    </div>
  );
}
