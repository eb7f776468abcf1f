/**
 * Requests that change what signs in: where the server asks for a fresh sign-in, the page waits until the same person has signed in again in a small
 * window, and then repeats the request. Nothing that was typed is lost.
 */
import { shareValue } from '~/parts/words/share-value.ts';
import { ClientError, type ErrorCode } from '../../../../src/client/error.ts';

const waiting = shareValue<readonly ((goesOn: boolean) => void)[]>([]);

/** True if a request waits for a fresh sign-in. */
export function useFreshAsked(): boolean {
  return waiting.useValue().length > 0;
}

/** Lets the requests that wait go on, or gives them up. */
export function answerFresh(goesOn: boolean): void {
  const those = waiting.read();
  waiting.set([]);
  for (const resolve of those) {
    resolve(goesOn);
  }
}

/** Does the work; where it is refused for want of a fresh sign-in, once more after one. */
export async function withFresh<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== ('SIGN_IN_AGAIN' satisfies ErrorCode)) {
      throw error;
    }
    const goesOn = await new Promise<boolean>((resolve) => waiting.set([...waiting.read(), resolve]));
    if (!goesOn) {
      throw error;
    }
    return work();
  }
}
