/**
 * Forms: their values, what is wrong with them, and sending them. Values have the names of the API's fields, so that what the API refuses stands at
 * its field by itself, and anything else below the fields.
 */
import { type SubmitEvent, useState } from 'react';
import { type DefaultValues, type FieldValues, type Path, type PathValue, useForm as useHookForm } from 'react-hook-form';
import { errorMessage, useOnceGuard } from '~/data/act.ts';
import { readChange } from '~/data/change.ts';
import { ClientError, forget, type Operation } from '~/data/query.ts';
import type { ChangedWays } from './changed-meanwhile.tsx';
import { useUnsaved } from './unsaved.ts';
import { useNewer } from './use-newer.ts';

interface FormOptions<V, R, S> {
  /** The values to begin with. */
  readonly values: V;
  /** What was read of the server, where the values are another form of that. */
  readonly stored?: S | undefined;
  /** Sends the values; `before` and `stored` are what the form began with, which is what was read: see `changeMembers`. */
  readonly send: (values: V, before: V, stored: S) => Promise<R>;
  /** What it returns is waited for: the form is busy until the page that follows is there. */
  readonly onSent?: ((reply: R, values: V) => unknown) | undefined;
  /** Operations that are read anew afterwards, also after a refusal. */
  readonly stale?: readonly Operation[] | undefined;
  /** Returns an error in words for people; those of the API where absent. */
  readonly wordsOf?: ((error: unknown) => string) | undefined;
  /** True if nothing is stored by it, so that nothing is lost with what was written. */
  readonly isTrial?: boolean | undefined;
}

/** Returns what is wrong with a value, in a sentence, or undefined. */
export type Check<T> = (value: T) => string | undefined;

/** Returns a check that a text is not empty. */
export const needs =
  (message: string): Check<string> =>
  (value) =>
    value.trim() === '' ? message : undefined;

/** Parts of a form that frames need. */
export interface FormState {
  readonly submit: (event: SubmitEvent) => void;
  readonly isBusy: boolean;
  /** Error beside the fields. */
  readonly problem: string | undefined;
  /** Somebody else's change that this one would have undone, and the ways on. */
  readonly changed: ChangedWays | undefined;
  /** Gives up what was written, before a dialog closes: the next opening begins as this one did. */
  readonly reset: () => void;
}

export function useForm<V extends FieldValues, R, S = undefined>(options: FormOptions<V, R, S>) {
  const { values, send, onSent, stale = [], wordsOf = errorMessage, isTrial = false } = options;
  const now = { values, stored: options.stored as S };
  const form = useHookForm<V>({ defaultValues: values as DefaultValues<V> });
  const once = useOnceGuard();
  const [problem, setProblem] = useState<string>();
  const { errors, isDirty, isSubmitted, isSubmitting } = form.formState;
  const giveUp = useUnsaved(isDirty && !isTrial);
  const { base, other, setOther, mergeNewer } = useNewer(form, now);
  const errorAt = (name: keyof V & string): string | undefined => errors[name]?.message?.toString();

  const refuse = (error: unknown): void => {
    const first = readChange(error);
    setOther(first);
    if (first !== undefined) {
      return;
    }
    const beside: string[] = [];
    for (const { field, description } of error instanceof ClientError ? error.violations : []) {
      const name = fieldOf(field, Object.keys(values));
      if (name === undefined) {
        beside.push(description);
      } else {
        form.setError(name as Path<V>, { message: description });
      }
    }
    const isAtFields = error instanceof ClientError && error.violations.length > beside.length;
    setProblem(beside.length > 0 ? beside.join(' ') : isAtFields ? undefined : wordsOf(error));
  };

  const sendNow = form.handleSubmit(async (current) => {
    setProblem(undefined);
    try {
      const reply = await send(current as V, base.current.values, base.current.stored);
      setOther(undefined);
      base.current = { ...base.current, values: current as V };
      form.reset(current as V);
      giveUp();
      await onSent?.(reply, current as V);
    } catch (error) {
      refuse(error);
    } finally {
      await forget(...stale);
    }
  });

  /** Sets a value; once the form was sent, its check is made anew. */
  const set = <K extends keyof V & string>(name: K, value: V[K]): void =>
    form.setValue(name as unknown as Path<V>, value as unknown as PathValue<V, Path<V>>, {
      shouldDirty: true,
      shouldValidate: isSubmitted,
    });

  /** Returns what the control of a field takes. */
  const at = <K extends keyof V & string>(name: K, check?: Check<V[K]>) => {
    form.register(name as unknown as Path<V>, { validate: (value) => check?.(value as V[K]) ?? true });
    return {
      value: form.watch(name as unknown as Path<V>) as V[K],
      onChange: (value: V[K]) => set(name, value),
      error: errorAt(name),
    };
  };

  /** Returns what a checkbox or a switch takes. */
  const tick = (name: keyof V & string) => {
    const { value, onChange } = at(name);
    return { checked: value as boolean, onChange: onChange as (checked: boolean) => void };
  };

  /** Returns what the field of a day or a number takes, which reports whole ones; empty for none. */
  const whole = (name: keyof V & string) => {
    const { value, onChange, error } = at(name);
    const choose = onChange as (written: string) => void;
    return { value: value as string, error, onWhole: choose, onClear: () => choose(''), onPartial: () => choose('') };
  };

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (areFieldsWhole(event.currentTarget as HTMLFormElement)) {
      void once('', () => sendNow(event));
    }
  };

  /** Checks these values and sends them to be tried out; what is wrong stands at its field, as after sending. */
  const attempt = async (names: readonly (keyof V & string)[], send: (values: V) => Promise<unknown>): Promise<void> => {
    setProblem(undefined);
    if (await form.trigger(names as unknown as Path<V>[])) {
      await send(form.getValues()).catch(refuse);
    }
  };

  /** Gives up what was written. */
  const reset = (): void => {
    setProblem(undefined);
    setOther(undefined);
    base.current = now;
    giveUp();
    form.reset(values as DefaultValues<V>);
  };

  const changed = other && {
    change: other,
    busy: isSubmitting,
    onLoad: reset,
    onAgain: () => {
      mergeNewer();
      void once('', () => sendNow());
    },
  };

  return { at, tick, whole, set, reset, attempt, submit, problem, changed, isBusy: isSubmitting, values: form.watch() as V };
}

/** True if every date and number of a form is whole or empty. One that is not says so: nobody sends what they cannot see. */
function areFieldsWhole(form: HTMLFormElement): boolean {
  const open = [...form.querySelectorAll('input')].filter(
    (one) => (one.validity.badInput || one.validity.customError) && !one.checkValidity(),
  );
  open[0]?.focus();
  return open.length === 0;
}

/** Returns which of the names a path of the API leads to, such as `settings.sourceCidr[1]` to `sourceCidr`. */
function fieldOf(path: string, names: readonly string[]): string | undefined {
  return path.split(/[.[]/).find((piece) => names.includes(piece));
}
