/** A program that asks to sign in from a terminal, and the person's answer. */
import { withFresh } from './fresh-sign-in.ts';
import { queryOptions } from '@tanstack/react-query';
import { fetchJson, signedInAs } from '~/data/query.ts';

/** Program, and its origin. */
export interface AskingProgram {
  readonly userCode: string;
  readonly program: string;
  readonly agent: string;
  readonly address: string;
  /** True if this browser is at the same place. */
  readonly isFromHere: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** The program behind a code. */
export function deviceQuery(code: string) {
  return queryOptions({
    queryKey: ['device', code] as const,
    queryFn: async ({ signal }): Promise<AskingProgram> =>
      (await fetchJson('GET', `/auth/device?code=${encodeURIComponent(code)}`, undefined, { signal })) as AskingProgram,
    enabled: code !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Gives the answer; it counts once. */
export async function answerDevice(code: string, answer: 'APPROVE' | 'DENY'): Promise<void> {
  await withFresh(() => fetchJson('POST', '/auth/device', { code, answer }, { signedInAs: signedInAs() }));
}
