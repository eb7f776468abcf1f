/** Tells samples from anything else: by the mail addresses of their people and the names of their apps. */

/** End of every sample person's mail address. */
export const sampleMailEnd = '.sample@example.com';

const sampleNameStart = 'Sample ';

/** True if an app has the name of a sample. */
export function isSampleApp(displayName: string): boolean {
  return displayName.startsWith(sampleNameStart);
}

/** True if a mail address is that of a sample person. */
export function isSamplePerson(email: string): boolean {
  return email.endsWith(sampleMailEnd);
}
