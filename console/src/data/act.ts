/** Carrying something out: one call, after which what it may have changed is read anew. Nothing is shown as done before the server says so. */
import { type DefaultError, type MutateOptions, type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useCallback, useId, useRef, useState } from 'react';
import { createOnce, type Once } from './once.ts';
import { ClientError, call, forget, type Operation, type ReplyOf, type RequestOf } from './query.ts';

/**
 * A mutation that is sent once: the same request again, while the first is under way, is left out. It is pending until what follows from it is
 * there, such as the page that a handler of success navigates to and returns.
 */
export function useSend<R = unknown, E = DefaultError, V = void>(options: UseMutationOptions<R, E, V>): UseMutationResult<R, E, V> {
  // Different requests of one place are sent one after the other: of two lists the later is the one that stands.
  const id = useId();
  const mutation = useMutation({ scope: { id }, ...options });
  const once = useOnceGuard();
  const [following, setFollowing] = useState(0);
  const { mutateAsync } = mutation;
  const mutate = useCallback(
    (...asked: Parameters<UseMutationResult<R, E, V>['mutate']>): void => {
      const [variables, handlers] = asked as [V, MutateOptions<R, E, V>?];
      let follows: unknown;
      const onSuccess: MutateOptions<R, E, V>['onSuccess'] = (...reply) => {
        follows = handlers?.onSuccess?.(...reply);
      };
      const work = async (): Promise<void> => {
        // What fails is said by the mutation and its handlers.
        await mutateAsync(...([variables, { ...handlers, onSuccess }] as Parameters<typeof mutateAsync>)).catch(() => undefined);
        if (follows instanceof Promise) {
          setFollowing((now) => now + 1);
          await follows.finally(() => setFollowing((now) => now - 1));
        }
      };
      void once(JSON.stringify(variables) ?? '', work);
    },
    [mutateAsync, once],
  );
  return { ...mutation, mutate, isPending: mutation.isPending || following > 0 } as UseMutationResult<R, E, V>;
}

/** Work that is sent once from one place, and whether it is under way. */
export function useOnce(): { readonly isBusy: boolean; readonly send: (work: () => Promise<unknown>) => void } {
  const once = useOnceGuard();
  const [isBusy, setBusy] = useState(false);
  const send = (work: () => Promise<unknown>): void =>
    void once('', async () => {
      setBusy(true);
      await work().finally(() => setBusy(false));
    });
  return { isBusy, send };
}

/** The guard of a component. */
export function useOnceGuard(): Once {
  const guard = useRef<Once>(undefined);
  guard.current ??= createOnce();
  return guard.current;
}

/** The mutation of an operation; afterwards, also after a refusal, the named operations are read anew where they are shown. */
export function useAct<K extends Operation>(operation: K, ...stale: readonly Operation[]) {
  return useSend<ReplyOf<K>, unknown, RequestOf<K>>({
    mutationFn: (request) => call(operation, request),
    onSettled: () => forget(...stale),
  });
}

/** Words of the server on a field, by the end of its path; undefined where it said nothing of it. */
export function fieldViolation(error: unknown, ...fields: readonly string[]): string | undefined {
  if (!(error instanceof ClientError)) {
    return undefined;
  }
  const found = error.violations.find(({ field }) => fields.some((one) => field === one || field.endsWith(`.${one}`)));
  return found?.description;
}

/** Returns the server's message on an error for people. */
export function errorMessage(error: unknown): string {
  if (error instanceof ClientError) {
    return error.violations.length > 0 ? error.violations.map(({ description }) => description).join(' ') : error.message;
  }
  return error instanceof Error ? error.message : String(error);
}
