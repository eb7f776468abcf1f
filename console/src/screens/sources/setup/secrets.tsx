/** Secrets of a source by their names: set, replaced and removed, and never shown. */
import { useState } from 'react';
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { errorMessage, useSend } from '~/data/act.ts';
import type { Source } from '~/data/inventory/inventory.ts';
import { call, forget } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { text } from '~/text/text.ts';
import { putSecrets } from '~/screens/sources/connect/make-source.ts';
import { bindSetting, type FormValues } from '~/screens/sources/connect/settings-form.ts';
import { SettingField } from '~/screens/sources/connect/setting-field.tsx';
import type { Field, KindOfSource } from '~/screens/sources/kinds/kind.ts';
import {
  enteredSecrets,
  type EnteredSecret,
  isEntered,
  type SettingValues,
  valuesOfSettings,
} from '~/screens/sources/kinds/settings-values.ts';
import styles from '~/screens/sources/sources.module.css';

export function Secrets({ kind, source, mayWrite }: { kind: KindOfSource; source: Source; mayWrite: boolean }) {
  const [asked, setAsked] = useState<{ field: Field; act: 'set' | 'remove' }>();
  const fields = kind.fields.filter(({ isSecret }) => isSecret === true);
  const id = source.id ?? '';
  const close = () => setAsked(undefined);
  if (fields.length === 0) {
    return null;
  }
  return (
    <section className={styles.part}>
      <h2>{text('setup.secrets')}</h2>
      <p className={styles.quiet}>{text('setup.secretsHint')}</p>
      <ul className={styles.order}>
        {fields.map((field) => {
          const isSet = source.secretsSet?.includes(field.name) === true;
          const secret = text(field.label);
          return (
            <li key={field.name}>
              <span className={styles.kind}>
                {secret}
                <Chip kind={isSet ? 'ok' : 'warn'}>{text(isSet ? 'setup.isSet' : 'setup.isUnset')}</Chip>
              </span>
              {mayWrite ? (
                <span className={styles.kind}>
                  <Button
                    aria-label={text(isSet ? 'setup.replaceOf' : 'setup.setOf', { secret })}
                    onClick={() => setAsked({ field, act: 'set' })}
                  >
                    {text(isSet ? 'setup.replace' : 'setup.set')}
                  </Button>
                  {isSet ? (
                    <Button
                      variant="quiet"
                      aria-label={text('setup.removeOf', { secret })}
                      onClick={() => setAsked({ field, act: 'remove' })}
                    >
                      {text('setup.remove')}
                    </Button>
                  ) : null}
                </span>
              ) : null}
            </li>
          );
        })}
      </ul>
      {asked?.act === 'set' ? <SetSecret kind={kind} field={asked.field} id={id} onClose={close} /> : null}
      {asked?.act === 'remove' ? <RemoveSecret field={asked.field} id={id} onClose={close} /> : null}
    </section>
  );
}

interface OneSecret {
  readonly field: Field;
  readonly id: string;
  readonly onClose: () => void;
}

function SetSecret({ kind, field, id, onClose }: OneSecret & { kind: KindOfSource }) {
  const form = useForm<FormValues, void>({
    values: { ...valuesOfSettings(kind), app: undefined, isDirectory: false },
    send: (values) => putSecrets(id, enteredSecrets(kind, values as SettingValues)),
    stale: ['SourceService.Get'],
    onSent: () => {
      toast(text('source.saved'));
      onClose();
    },
  });
  const binding = bindSetting(form, field, (value) => (isEntered(value as EnteredSecret) ? undefined : text('connect.needed')));
  return (
    <FormDialog form={form} onClose={onClose} title={text('setup.setOf', { secret: text(field.label) })} action={text('source.save')}>
      <SettingField field={field} binding={binding} />
    </FormDialog>
  );
}

function RemoveSecret({ field, id, onClose }: OneSecret) {
  const remove = useSend({
    mutationFn: () => call('SourceService.DeleteSecret', { id, name: field.name }),
    onSuccess: () => {
      toast(text('setup.removed'));
      onClose();
    },
    onError: (error) => toast(errorMessage(error)),
    onSettled: () => forget('SourceService.Get'),
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={text('setup.removeOf', { secret: text(field.label) })}
      footer={
        <>
          <Button onClick={onClose}>{text('source.cancel')}</Button>
          <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {text('setup.remove')}
          </Button>
        </>
      }
    >
      <p>{text('setup.removeHint')}</p>
    </Dialog>
  );
}
