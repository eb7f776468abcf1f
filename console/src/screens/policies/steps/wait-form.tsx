/** A step that waits: for a time, until a time of the day, or for a condition, with what it says meanwhile. */
import { RadioGroup } from '~/parts/controls/radio-group.tsx';
import { DateField } from '~/parts/fields/date-field.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import { Condition } from '~/screens/policies/condition.tsx';
import styles from '~/screens/policies/policies.module.css';
import { type Wait, type WaitKind, waitKindOf, waitKinds, withWait } from '~/screens/policies/types.ts';
import { waitWords } from '~/screens/policies/words.ts';
import { SpanField } from './span-field.tsx';
import { spanSeconds } from './spans.ts';

const two = (number: number | undefined): string => String(number ?? 0).padStart(2, '0');

export function WaitForm({ wait, onChange }: { wait: Wait; onChange: (wait: Wait) => void }) {
  const kind = waitKindOf(wait);
  const set = (some: Partial<Wait>) => onChange({ ...wait, ...some });
  const { untilTime } = wait;
  return (
    <div className={styles.form}>
      <RadioGroup<WaitKind>
        label={text('policies.waitsFor')}
        value={kind}
        onChange={(next) => onChange(withWait(wait, next))}
        options={waitKinds.map((one) => ({ value: one, label: waitWords(one) }))}
      />
      {kind === 'duration' ? (
        <SpanField
          label={text('policies.waitHowLong')}
          hint={text('policies.waitSpan')}
          value={spanSeconds(wait.duration?.duration)}
          onChange={(seconds) => set({ duration: { duration: `${seconds}s` } })}
        />
      ) : null}
      {kind === 'untilTime' ? (
        <div className={styles.row}>
          <DateField
            kind="time"
            label={text('policies.waitTime')}
            value={`${two(untilTime?.hours)}:${two(untilTime?.minutes)}`}
            onWhole={(written) => {
              const [hours = 0, minutes = 0] = written.split(':').map(Number);
              set({ untilTime: { ...untilTime, hours, minutes } });
            }}
          />
          <TextField
            label={text('policies.waitZone')}
            placeholder={text('policies.waitZoneOwn')}
            value={untilTime?.timezone ?? ''}
            onChange={(timezone) => set({ untilTime: { ...untilTime, timezone } })}
          />
        </div>
      ) : null}
      {kind === 'condition' ? (
        <>
          <Condition
            label={text('policies.waitCondition')}
            environment="EXPRESSION_ENVIRONMENT_WAIT"
            value={wait.condition?.condition ?? ''}
            onChange={(condition) => set({ condition: { condition } })}
          />
          <SpanField
            label={text('policies.waitAtMost')}
            hint={text('policies.waitAtMostHint')}
            value={spanSeconds(wait.timeoutDuration)}
            onChange={(seconds) => set({ timeoutDuration: `${seconds}s` })}
          />
        </>
      ) : null}
      <TextField label={text('policies.waitName')} value={wait.name ?? ''} onChange={(name) => set({ name })} />
      <TextField
        label={text('policies.waitComment')}
        value={wait.commentOnFirstWait ?? ''}
        onChange={(commentOnFirstWait) => set({ commentOnFirstWait })}
      />
      {kind === 'condition' ? (
        <TextField
          label={text('policies.waitTimeoutComment')}
          value={wait.commentOnTimeout ?? ''}
          onChange={(commentOnTimeout) => set({ commentOnTimeout })}
        />
      ) : null}
    </div>
  );
}
