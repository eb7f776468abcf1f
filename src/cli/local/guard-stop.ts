/** The last guard: a server that was asked to stop ends, whatever it hangs in. */
import type { Logger } from '../../context.ts';

/** Time from the signal: a second before whoever asked us kills us, and a second after an orderly stop has given up (stop.ts). */
const longestStopMs = 29_000;

/** Ends the process with exit code 1 where it has not ended by itself in time after the signal: a start that hangs, too. Until it is told to stop. */
export function guardStop(signal: AbortSignal, log: Logger): () => void {
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => {
      const seconds = longestStopMs / 1000;
      log.error(
        {},
        `neither started nor stopped within ${seconds} seconds after the signal; ending now, and nothing that was acknowledged is lost`,
      );
      process.exit(1);
    }, longestStopMs);
    timer.unref();
  };
  signal.addEventListener('abort', begin, { once: true });
  return () => {
    signal.removeEventListener('abort', begin);
    clearTimeout(timer);
  };
}
