/** Asking before something that cannot be taken back. */
import { createInterface } from 'node:readline/promises';
import type { CommandIo } from '../frame/io.ts';

/** Asks on standard error; anything but y or yes is no, and so is the end of the input. */
export async function ask(io: CommandIo, question: string): Promise<boolean> {
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const answer = await Promise.race([lines.question(question, { signal: io.signal }), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
