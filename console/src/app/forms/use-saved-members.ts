/** Members of an object that are edited in the page and saved by a button: what is not changed is not sent, and nobody's change is undone unseen. */
import { useMutation } from '@tanstack/react-query';
import { change, readChange } from '~/data/change.ts';
import { forget, type Operation, type RequestOf } from '~/data/query.ts';
import { type EditedPart, useEdited } from './use-edited.ts';

interface SavedMembers<K extends Operation, T extends object> {
  readonly operation: K;
  readonly address: Partial<RequestOf<K>>;
  /** Member of the request that holds the object. */
  readonly member: keyof RequestOf<K> & string;
  readonly stored: T;
  /** Members that are edited here. */
  readonly members: readonly (keyof T & string)[];
  /** Operations that are read anew afterwards. */
  readonly stale: readonly Operation[];
  readonly onSaved: () => void;
}

export function useSavedMembers<K extends Operation, T extends object>(options: SavedMembers<K, T>) {
  const { operation, address, member, stored, members, stale, onSaved } = options;
  const edited = useEdited(stored, members);
  const save = useMutation({
    mutationFn: ({ wanted, asRead }: EditedPart<T>) =>
      change(
        operation,
        { ...address, [member]: wanted, updateMask: Object.keys(wanted).join(',') } as RequestOf<K>,
        { [member]: asRead } as Partial<RequestOf<K>>,
      ),
    onSuccess: onSaved,
    onSettled: (_reply, error, { wanted }) => forget(...stale).then(() => (error === null ? edited.saved(wanted) : undefined)),
  });
  const other = readChange(save.error);
  return {
    draft: edited.draft,
    set: edited.set,
    reset: edited.reset,
    isChanged: edited.changed.length > 0,
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
    save: () => save.mutate(edited.change()),
  };
}
