/** The way out of mails that the installation is configured with. A tenant may have another. */
import { readFile } from 'node:fs/promises';
import type { MailConfig } from '../../../lib/mail-config.ts';
import { AppError } from '../../../errors.ts';
import { createFolderMailer } from './folder-mailer.ts';
import { domainOf } from './mail-address.ts';
import type { Mailer } from './mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

/** The mailer of a configuration; its files are read now. FAILED_PRECONDITION for one that cannot be read, or has nothing in it that could be used. */
export async function openMailer({ transport, from }: MailConfig): Promise<Mailer> {
  if (transport.type === 'folder') {
    return createFolderMailer(transport.folder);
  }
  const { server, passwordFile, caFile } = transport;
  const password = passwordFile === undefined ? server.password : (await read(passwordFile, '--smtp-password-file')).replace(/\r?\n$/, '');
  const ca = caFile === undefined ? undefined : await read(caFile, '--smtp-ca');
  if (passwordFile !== undefined && password === '') {
    throw new AppError('FAILED_PRECONDITION', `--smtp-password-file: ${passwordFile} is empty.`);
  }
  if (ca !== undefined && !/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(ca)) {
    // TLS would pass over it, and call the server unknown at each mail.
    throw new AppError('FAILED_PRECONDITION', `--smtp-ca: there is no certificate in ${caFile}; it has to be PEM.`);
  }
  return createSmtpMailer({ server: { ...server, password }, ca, name: transport.name ?? domainOf(from) });
}

function read(path: string, flag: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('FAILED_PRECONDITION', `${flag} cannot be read: ${reason}`, { cause });
  });
}
