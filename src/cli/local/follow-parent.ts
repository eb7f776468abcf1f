/**
 * A server that npm started ends with it. npm runs a command in a shell; a signal to npm (from a supervisor, or `kill`) ends npm and that
 * shell, and no shell passes a signal on. So the server looks whether its parent is still there.
 */

const lookMs = 250;

/** Calls `stop` once, when the process that started this one is gone; never where npm did not start it. */
export function followParent(env: Readonly<Record<string, string | undefined>>, stop: () => void): void {
  // Others have reasons to leave: a shell that started the server in the background is closed without meaning it.
  if (env['npm_command'] === undefined) {
    return;
  }
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(timer);
      stop();
    }
  }, lookMs);
  timer.unref();
}
