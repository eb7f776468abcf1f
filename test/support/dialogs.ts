/** Dialogs of the console, as a person leaves them. */
import type { Locator } from 'playwright-core';

/**
 * Presses the button that closes a dialog, and waits until the dialog is gone: while it leaves, a button behind it may have the same name as one in
 * it, and neither is the only one.
 */
export async function closeBy(dialog: Locator, name: string | RegExp): Promise<void> {
  await dialog.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) }).click();
  await dialog.waitFor({ state: 'detached' });
}
