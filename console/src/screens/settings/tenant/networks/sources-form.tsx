/** From which addresses people and programs come in. The server refuses what would block whoever changes it. */
import { useState } from 'react';
import { messageOf, useAct, violationOf } from '../../../../data/act.ts';
import { Button } from '../../../../parts/button.tsx';
import { Note } from '../../../../parts/note.tsx';
import { TextField } from '../../../../parts/text-field.tsx';
import { toast } from '../../../../parts/toast.tsx';
import { text } from '../../../../text/text.ts';
import { FormSection } from '../form-section.tsx';
import { durationOf, shownIn } from './durations.ts';
import { SourceField } from './source-field.tsx';
import { draftOf, problemOf, type SessionSettings, sources } from './sources.ts';
import { TryAddress } from './try-address.tsx';

export function SourcesForm({ settings, mayWrite }: { settings: SessionSettings; mayWrite: boolean }) {
  const [draft, setDraft] = useState(() => draftOf(settings));
  const [longest, setLongest] = useState(() => shownIn(settings.maxSessionLength, 60));
  const save = useAct('SessionSettingsService.Update', 'SessionSettingsService.Get', 'SessionService.Get');
  const send = () => {
    const maxSessionLength = durationOf(longest, 60);
    const own = Object.fromEntries(
      sources.map(({ name }) => [name, { enabled: draft[name].enabled, sourceCidr: [...draft[name].sourceCidr] }]),
    );
    save.mutate(
      {
        sessionSettings: { ...own, ...(maxSessionLength === undefined ? {} : { maxSessionLength }) },
        updateMask: [...sources.map(({ name }) => name), 'maxSessionLength'].join(','),
      },
      { onSuccess: () => toast(text('networks.saved')) },
    );
  };
  const longestError = violationOf(save.error, 'maxSessionLength');
  const isBeside = save.isError && longestError === undefined && sources.every(({ name }) => problemOf(save.error, name) === undefined);
  return (
    <>
      <FormSection title={text('networks.networks')} intro={text('networks.networksIntro')} mayWrite={mayWrite} onSubmit={send}>
        {sources.map(({ name, label }) => (
          <SourceField
            key={name}
            label={text(label)}
            value={draft[name]}
            onChange={(value) => setDraft((before) => ({ ...before, [name]: value }))}
            error={problemOf(save.error, name)}
          />
        ))}
        <TextField
          type="number"
          label={text('networks.longest')}
          value={longest}
          onChange={setLongest}
          hint={text('networks.longestHint')}
          error={longestError}
        />
        {isBeside ? <Note kind="fault">{messageOf(save.error)}</Note> : null}
        {mayWrite ? (
          <div>
            <Button type="submit" variant="primary" busy={save.isPending}>
              {text('networks.saveNetworks')}
            </Button>
          </div>
        ) : null}
      </FormSection>
      <TryAddress draft={draft} />
    </>
  );
}
