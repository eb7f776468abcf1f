/** Holds the beginning of an epoch against the event that began it: who has the database alone cannot begin one, and so leave the tree before it. */
import type { Context } from '../../../context.ts';
import { type EpochRow, listEntries } from '../../audit/index.ts';

/** Data of the event that begins an epoch; none where it was emptied. */
interface Begun {
  readonly epoch?: number;
  readonly former?: { readonly size: number; readonly root: string };
}

/** Entries of an epoch among which its first event is: those that were under way at the restart may come before it. */
const maxBefore = 2_000;

/** Sentences about an epoch that follows another one. */
export async function checkBeginning(context: Context, former: EpochRow, epoch: EpochRow): Promise<string[]> {
  const rows = await listEntries(context, epoch.base, maxBefore);
  const begun = rows.filter(({ kind }) => kind === 'log.restarted').map(({ data }) => JSON.parse(data) as Begun);
  const event = begun.find((data) => (data.epoch ?? epoch.epoch) === epoch.epoch);
  if (event === undefined) {
    return rows.length === 0 ? [] : [`Epoch ${epoch.epoch} of the log was begun by no event of this service.`];
  }
  // An event that was emptied, when its time was over, says nothing of the former tree.
  const head = event.former;
  const isSame = head === undefined || (head.size === former.size && head.root === former.root.toString('base64'));
  return isSame ? [] : [`Epoch ${former.epoch} of the log is not what it was when epoch ${epoch.epoch} began.`];
}
