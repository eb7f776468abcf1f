/** Choosing from a list that opens at its box, as people do. */
import type { Locator } from 'playwright-core';

/** Opens the list of a box and chooses the option of this name. */
export async function chooseOption(box: Locator, name: string): Promise<void> {
  await box.click();
  await box.page().getByRole('option', { name, exact: true }).click();
}
