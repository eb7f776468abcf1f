/** How long sessions of a browser last, and in which time zone the company is. */
import { useState } from 'react';
import { messageOf, useAct, violationOf } from '../../../../data/act.ts';
import type { ReplyOf } from '../../../../data/query.ts';
import { Button } from '../../../../parts/button.tsx';
import { Note } from '../../../../parts/note.tsx';
import { Select } from '../../../../parts/select.tsx';
import { TextField } from '../../../../parts/text-field.tsx';
import { toast } from '../../../../parts/toast.tsx';
import { text } from '../../../../text/text.ts';
import { zoneOptions } from '../../zones.ts';
import { FormSection } from '../form-section.tsx';
import styles from '../tenant.module.css';
import { durationOf, shownIn } from './durations.ts';

type Limits = NonNullable<ReplyOf<'TenantSettingsService.Get'>['settings']>;

export function LimitsForm({ limits, mayWrite }: { limits: Limits; mayWrite: boolean }) {
  const [idle, setIdle] = useState(() => shownIn(limits.sessionIdle, 60));
  const [length, setLength] = useState(() => shownIn(limits.sessionLength, 3600));
  const [zone, setZone] = useState(limits.timeZone || 'UTC');
  const save = useAct('TenantSettingsService.Update', 'TenantSettingsService.Get', 'SessionService.Get', 'PreferenceService.Get');
  const send = () => {
    const sessionIdle = durationOf(idle, 60);
    const sessionLength = durationOf(length, 3600);
    save.mutate(
      {
        settings: {
          timeZone: zone,
          ...(sessionIdle === undefined ? {} : { sessionIdle }),
          ...(sessionLength === undefined ? {} : { sessionLength }),
        },
        updateMask: 'timeZone,sessionIdle,sessionLength',
      },
      { onSuccess: () => toast(text('networks.saved')) },
    );
  };
  const errors = {
    idle: violationOf(save.error, 'sessionIdle'),
    length: violationOf(save.error, 'sessionLength'),
    zone: violationOf(save.error, 'timeZone'),
  };
  const isBeside = save.isError && Object.values(errors).every((one) => one === undefined);
  return (
    <FormSection title={text('networks.lengths')} mayWrite={mayWrite} onSubmit={send}>
      <div className={styles.two}>
        <TextField
          type="number"
          min={5}
          label={text('networks.idle')}
          value={idle}
          onChange={setIdle}
          hint={text('networks.idleHint')}
          error={errors.idle}
        />
        <TextField
          type="number"
          label={text('networks.length')}
          value={length}
          onChange={setLength}
          hint={text('networks.lengthHint')}
          error={errors.length}
        />
      </div>
      <Select
        label={text('networks.zone')}
        value={zone}
        onChange={setZone}
        options={zoneOptions(zone)}
        hint={text('networks.zoneHint')}
        error={errors.zone}
      />
      {isBeside ? <Note kind="fault">{messageOf(save.error)}</Note> : null}
      {mayWrite ? (
        <div>
          <Button type="submit" variant="primary" busy={save.isPending}>
            {text('networks.saveLengths')}
          </Button>
        </div>
      ) : null}
    </FormSection>
  );
}
