/** Delivery kind of a source, and its pause. */
import type { Source } from '~/data/inventory/inventory.ts';
import { Chip } from '~/parts/words/chip.tsx';
import { text } from '~/text/text.ts';
import { findKind } from './kinds/index.ts';
import styles from './sources.module.css';

export function Kind({ source }: { source: Source }) {
  const kind = findKind(source.kind);
  return (
    <span className={styles.kind}>
      {text(kind?.name ?? (source.kind === 'SOURCE_KIND_SCIM' ? 'source.scim' : 'source.files'))}
      {source.pausedAt === undefined ? null : <Chip kind="warn">{text('source.paused')}</Chip>}
    </span>
  );
}
