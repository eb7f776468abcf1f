/** Events as lines of a bundle, which holds only what the log vouches for. */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { CanonicalJsonError, canonicalJson } from '../../lib/log/canonical-json.ts';
import type { EntryRow } from '../../foundation/audit/index.ts';
import { showEntry, writeEventLine } from '../../foundation/log-proofs/index.ts';

/** The line of an event. FAILED_PRECONDITION where it is not what was sealed: no evidence can be made of that. */
export async function lineOfEvent(context: Context, row: EntryRow): Promise<string> {
  const { leaf, position } = await showEntry(context, row);
  if (leaf === '') {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The event at position ${position} is not what was sealed there, so no evidence can be made. Run \`countersign log check\`.`,
    );
  }
  return writeEventLine(row, leaf, contentOf);
}

/** The content as its commitment has it: data of before the log took no fractions stands for itself as text. */
function contentOf({ data, sourceIp }: EntryRow): string {
  try {
    return canonicalJson({ data: JSON.parse(data) as unknown, ip: sourceIp });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) {
      throw error;
    }
    return canonicalJson({ data, ip: sourceIp });
  }
}
