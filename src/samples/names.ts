/** How samples are known from anything else: by the mail addresses of their people and the names of their apps. */

/** How the mail address of every sample person ends. */
export const sampleMailEnd = '.sample@example.com';

const sampleNameStart = 'Sample ';

/** Whether an app has the name of a sample. */
export function isSampleApp(displayName: string): boolean {
  return displayName.startsWith(sampleNameStart);
}

/** Whether a mail address is that of a sample person. */
export function isSamplePerson(email: string): boolean {
  return email.endsWith(sampleMailEnd);
}
