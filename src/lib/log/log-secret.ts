/** The file with the log secret: what keys of logs follow from, kept outside the database. What is derived of it is in checkpoint.ts and event-mac.ts. */

const secretLength = 32;

/**
 * The secrets in a file, the one in use first: 32 raw bytes, or lines of 64 hexadecimal digits, of which those behind the first were in use before.
 * Throws an Error with the end of the sentence "the file must hold ...".
 */
export function readLogSecrets(file: Buffer): Buffer[] {
  const text = file.toString('latin1').trim();
  if (file.length === secretLength && !/^[0-9a-fA-F\s]*$/.test(text)) {
    return [file];
  }
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (!lines.every((line) => /^[0-9a-fA-F]{64}$/.test(line)) || new Set(lines).size !== lines.length) {
    throw new Error('32 bytes, or lines of 64 hexadecimal digits, each another one: the secret in use first, former ones below it');
  }
  return lines.map((line) => Buffer.from(line, 'hex'));
}
