/** Something that is edited in the page and saved by a button: what is not changed is not sent, and nobody's change is undone unseen. */
import { useSend } from '~/data/act.ts';
import { change, readChange } from '~/data/change.ts';
import { forget, type Operation, type RequestOf } from '~/data/query.ts';
import { type EditedPart, useEdited } from './use-edited.ts';

interface Saved<T extends object> {
  readonly stored: T;
  readonly send: (part: EditedPart<T>) => Promise<unknown>;
  /** Operations that are read anew afterwards. */
  readonly stale: readonly Operation[];
  /** The page may be left then. */
  readonly onSaved?: () => void;
}

export function useSaved<T extends object>({ stored, send, stale, onSaved }: Saved<T>) {
  const edited = useEdited(stored);
  const save = useSend({
    mutationFn: send,
    onSuccess: () => {
      edited.giveUp();
      onSaved?.();
    },
    onSettled: (_reply, error, { wanted }) => forget(...stale).then(() => (error === null ? edited.saved(wanted) : undefined)),
  });
  const other = readChange(save.error);
  return {
    draft: edited.draft,
    set: edited.set,
    reset: edited.reset,
    isChanged: edited.isChanged,
    isBusy: save.isPending,
    /** Error of the last attempt, where it is not somebody else's change. */
    error: other === undefined ? save.error : null,
    changed: other && {
      change: other,
      busy: save.isPending,
      onLoad: () => {
        edited.reset();
        save.reset();
      },
      onAgain: () => save.mutate(edited.rebase()),
    },
    save: () => save.mutate(edited.part),
  };
}

interface SavedMembers<K extends Operation, T extends object> extends Omit<Saved<T>, 'send'> {
  readonly operation: K;
  readonly address: Partial<RequestOf<K>>;
  /** Member of the request that holds the object. */
  readonly member: keyof RequestOf<K> & string;
}

/** The members of an object, which are saved by a mask. */
export function useSavedMembers<K extends Operation, T extends object>({ operation, address, member, ...saved }: SavedMembers<K, T>) {
  return useSaved<T>({
    ...saved,
    send: ({ wanted, asRead }) =>
      change(
        operation,
        { ...address, [member]: wanted, updateMask: Object.keys(wanted).join(',') } as RequestOf<K>,
        { [member]: asRead } as Partial<RequestOf<K>>,
      ),
  });
}
