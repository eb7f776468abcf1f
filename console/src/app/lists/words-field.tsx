/**
 * Edits what a right allows, where it is read: Enter or leaving the field stores it, Escape takes the writing back. What is stored is said only
 * after the server has it.
 */
import { useSend } from '~/data/act.ts';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { change, readChange } from '~/data/change.ts';
import { call, ClientError } from '~/data/query.ts';
import { Icon } from '~/parts/words/icon.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import { useUnsaved } from '~/app/forms/unsaved.ts';
import { announce } from '~/app/announce.ts';
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import styles from './words-field.module.css';

interface WordsFieldProps {
  readonly appId: string;
  readonly id: string;
  /** Name of the right. */
  readonly name: string;
  readonly value: string;
  readonly autoFocus?: boolean;
  /** After the server has it; `next` where Enter was pressed, so that the next one can follow. */
  readonly onSaved: (words: string, next: boolean) => void;
  /** Escape. */
  readonly onCancel?: () => void;
}

const longest = 2048;

export function WordsField({ appId, id, name, value, autoFocus = false, onSaved, onCancel }: WordsFieldProps) {
  const [written, setWritten] = useState(value);
  const [stored, setStored] = useState(value);
  const asked = useRef(false);
  /** What the server has, as it is known when the words are sent: those before may have been on their way when these were written. */
  const read = useRef(value);
  const save = useSend({
    mutationFn: async (words: string) => {
      const request = { appId, id, entitlement: { description: words }, updateMask: 'description' };
      try {
        await change('AppEntitlementService.Update', request, { entitlement: { description: read.current } });
        read.current = words;
      } catch (error) {
        if (readChange(error) !== undefined) {
          const { appEntitlementView } = await call('AppEntitlementService.Get', { appId, id });
          read.current = appEntitlementView?.appEntitlement?.description ?? '';
          setStored(read.current);
        }
        throw error;
      }
      return words;
    },
    onSuccess: (words) => {
      setStored(words);
      announce(text('words.saved', { name }));
      onSaved(words, asked.current);
    },
  });
  // Words that were refused are in this field alone.
  useUnsaved(save.isError && written.trim() !== stored);
  const other = readChange(save.error);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is written is looked at where what is stored changes
  useEffect(() => {
    // What somebody is writing stays; sending it says who changed it meanwhile.
    if (written === stored) {
      setWritten(value);
      setStored(value);
      read.current = value;
    }
  }, [value]);
  const keep = (next: boolean): void => {
    const words = written.trim();
    asked.current = next;
    if (other !== undefined) {
      // Which of the two it is to be is said by the buttons below.
    } else if (save.isPending ? words !== save.variables : words !== stored) {
      save.mutate(words);
    } else if (save.isPending) {
      // These words are on their way; what follows them is said once they are stored.
    } else if (next && words !== '') {
      onSaved(words, true);
    } else {
      onCancel?.();
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      keep(true);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      setWritten(stored);
      save.reset();
      onCancel?.();
    }
  };
  const load = (): void => {
    save.reset();
    setWritten(stored);
    onSaved(stored, false);
  };
  const isStored = stored !== '' && written.trim() === stored && !save.isPending;
  return (
    <span className={styles.words} data-words={id} data-stored={isStored || undefined}>
      <TextField
        label={text('words.label', { name })}
        hideLabel
        value={written}
        onChange={setWritten}
        placeholder={text('words.example')}
        maxLength={longest}
        autoFocus={autoFocus}
        onKeyDown={onKeyDown}
        onBlur={() => keep(false)}
        {...(save.error === null || other !== undefined ? {} : { error: sayWhy(save.error) })}
      />
      <span className={styles.state} aria-hidden="true">
        {save.isPending ? text('words.saving') : isStored ? <Icon name="check" /> : null}
      </span>
      {other === undefined ? null : (
        <ChangedMeanwhile change={other} busy={save.isPending} onLoad={load} onAgain={() => save.mutate(written.trim())} />
      )}
    </span>
  );
}

function sayWhy(error: Error): string {
  return (error instanceof ClientError ? error.violations[0]?.description : undefined) ?? error.message;
}
