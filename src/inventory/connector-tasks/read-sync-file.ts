/** Reading the file of a sync into the inventory, as a fetch. */
import type { Context } from '../../context.ts';
import { type OpenC1z, openC1z } from '../../lib/c1z/open-c1z.ts';
import { importBrought, keepFile } from '../fetches/index.ts';
import { requireSource } from '../sources/index.ts';
import type { Spool } from '../syncs/index.ts';
import { leaseOf } from './give-tasks.ts';
import { longestMs } from './limits.ts';
import { type ConnectorTask, hasInLog } from './store-tasks.ts';

/** Words with which a connector ends its log where it could not read everything. Its file does not say it. */
const warningWords = 'sync completed with warnings';
const warning = 'The log of the connector says "sync completed with warnings": something may be missing in its file.';

/** Imports the file of a sync, or holds it. Returns why it failed; '' where it did not. */
export async function readSyncFile(context: Context, task: ConnectorTask, spool: Spool, clock: () => Date): Promise<string> {
  let opened: OpenC1z | undefined;
  try {
    return await importBrought(context, {
      id: task.fetchId,
      lease: leaseOf(task),
      clock,
      signal: AbortSignal.timeout(longestMs),
      open: async () => {
        const { document } = await requireSource(context, task.sourceId);
        const { profileAllowList, profileIgnoreList } = document as { profileAllowList?: string[]; profileIgnoreList?: string[] };
        const hasWarnings = await hasInLog(context, task.id, warningWords);
        const file = await openC1z(spool.read(), { profileAllowList, profileIgnoreList });
        opened = file;
        await keepFile(context, task.sourceId, task.fetchId, spool);
        return {
          // The same file again is imported as unchanged.
          mark: '',
          contents: [file.table],
          // Its own times are those of the connector's host.
          facts: () => {
            const { incompleteReason, warnings } = file.facts();
            return {
              observedFrom: task.startedAt ?? context.now,
              incompleteReason: incompleteReason || (hasWarnings ? 'WARNINGS' : ''),
              warnings: hasWarnings ? [warning, ...warnings] : warnings,
            };
          },
        };
      },
    });
  } finally {
    await opened?.close();
  }
}
