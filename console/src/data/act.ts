/** Carrying something out: one call, after which what it may have changed is read anew. Nothing is shown as done before the server says so. */
import { useMutation } from '@tanstack/react-query';
import { ClientError, call, forget, type Operation, type ReplyOf, type RequestOf } from './query.ts';

/** The mutation of an operation; afterwards, also after a refusal, the named operations are read anew where they are shown. */
export function useAct<K extends Operation>(operation: K, ...stale: readonly Operation[]) {
  return useMutation<ReplyOf<K>, unknown, RequestOf<K>>({
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
