/** Mails as files in a folder, one `.eml` each: for the demo, and to try things out. Nothing leaves this machine. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mailer } from './mailer.ts';

/** Writes each mail into the folder, which is made where it is missing. A mail that is written again replaces itself. */
export function createFolderMailer(folder: string): Mailer {
  return {
    description: `the folder ${folder}`,
    async send(mail, message) {
      const file = join(folder, `${mail.id}.eml`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(`${file}.part`, message, { mode: 0o600 });
        await rename(`${file}.part`, file);
        return { outcome: 'sent', answer: `written to ${mail.id}.eml` };
      } catch (error) {
        return { outcome: 'refused', isPermanent: false, answer: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
