/** From where a credential may be used: the first address block, and how many more. */
import { text } from '~/text/text.ts';

export function From({ blocks }: { blocks: readonly string[] }) {
  if (blocks.length === 0) {
    return text('credentials.anywhere');
  }
  return (
    <code title={blocks.join(', ')}>
      {blocks.length === 1 ? blocks[0] : text('credentials.andMore', { first: blocks[0] ?? '', count: blocks.length - 1 })}
    </code>
  );
}
