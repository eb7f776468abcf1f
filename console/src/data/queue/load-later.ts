/** Loads parts of the console that are not on the first screen of a queue, whenever the server is there. */
import { tryNow, whenBack } from '~/data/connection.ts';
import { lookAtServer } from '~/data/load-anew.ts';

/** Pauses before a part is asked for again; behind the last of them it does not come. */
const pausesMs = [1000, 2000, 4000, 8000, 16_000];

/** Loads a part. While the server does not answer it is waited for: what is on the page stays, and nothing fails. A new version has other parts. */
export async function loadLater<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await load();
    } catch (error) {
      const pause = pausesMs[tries];
      if (pause === undefined) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
      await untilBack();
      if ((await lookAtServer()) === 'newer') {
        throw error;
      }
    }
  }
}

function untilBack(): Promise<void> {
  return new Promise((resolve) => {
    const stop = whenBack(() => {
      stop();
      resolve();
    });
    void tryNow();
  });
}
