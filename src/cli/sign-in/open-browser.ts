/** Opening an address in the browser of whoever sits there. */
import { spawn } from 'node:child_process';

/** Asks the system to open the address; nothing happens where it cannot. */
export function openBrowser(address: string): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [address], { stdio: 'ignore', detached: true });
  // The address stands in the terminal as well.
  child.on('error', () => undefined);
  child.unref();
}
