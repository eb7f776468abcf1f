/** How a source delivers, and whether it is paused. */
import type { Source } from '../../data/inventory.ts';
import { Chip } from '../../parts/chip.tsx';
import { text } from '../../text/text.ts';
import styles from './sources.module.css';

export function Kind({ source }: { source: Source }) {
  return (
    <span className={styles.kind}>
      {source.kind === 'SOURCE_KIND_SCIM' ? text('source.scim') : text('source.files')}
      {source.pausedAt === undefined ? null : <Chip kind="warn">{text('source.paused')}</Chip>}
    </span>
  );
}
