/**
 * Erasing a person from what fetches brought and said. Held rows that name the person are discarded as a whole: what would be left of them is not what
 * the source said, and the next fetch brings what it says then.
 */
import type { Context } from '../../context.ts';
import { foldCase } from '../../lib/names/same-name.ts';
import { findFetchSource } from '../sources/index.ts';
import { openContent, restoreContent } from './content-spool.ts';
import { endHeld } from './hold.ts';
import { emptyFetchTexts, type FetchRow, listHeldSince, lockFetch } from './store.ts';

/** Larger ones are discarded without a look. */
const maxSearchedBytes = 256 * 1024 ** 2;
const maxHeld = 10_000;

/** Empties errors and warnings of fetches that hold one of the texts, and discards held fetches whose rows do. */
export async function eraseFetchTexts(context: Context, texts: readonly string[]): Promise<void> {
  for (const id of await listHeldSince(context, new Date(context.now.getTime() + 1), maxHeld)) {
    const fetch = await lockFetch(context, id);
    if (fetch?.state === 'HELD' && (await holdsTexts(context, fetch, texts))) {
      await endHeld(context, fetch, 'The data of a person in it was erased.');
    }
  }
  await emptyFetchTexts(context, texts);
}

/** True if a cell of a row has one of the texts. They are as JSON writes them, those in quotation marks whole. */
async function holdsTexts(context: Context, fetch: FetchRow, texts: readonly string[]): Promise<boolean> {
  if (fetch.bytes > maxSearchedBytes) {
    return true;
  }
  const isWhole = (text: string): boolean => text.startsWith('"') && text.endsWith('"');
  const whole = new Set(texts.filter(isWhole).map((text) => JSON.parse(text) as string));
  const parts = texts.filter((text) => !isWhole(text)).map((text) => JSON.parse(`"${text}"`) as string);
  const encoding = (await findFetchSource(context, fetch.sourceId))?.columnMapping.encoding;
  for (const [index, about] of fetch.contents.entries()) {
    const content = await restoreContent(context, fetch.id, index, about);
    try {
      const opened = await openContent(content, encoding);
      try {
        for await (const { rows } of opened.batches) {
          const cells = rows.flatMap((row) => row.map(foldCase));
          if (cells.some((cell) => whole.has(cell) || parts.some((part) => cell.includes(part)))) {
            return true;
          }
        }
      } finally {
        await opened.close();
      }
    } finally {
      await content.spool.close();
    }
  }
  return false;
}
