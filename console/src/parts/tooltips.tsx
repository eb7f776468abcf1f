/** The place where tooltips appear; once in the page. */
import { Tooltip as Base } from '@base-ui/react/tooltip';
import { tooltipHandle } from './tooltip-handle.ts';
import styles from './tooltip.module.css';

export function Tooltips() {
  return (
    <Base.Root handle={tooltipHandle}>
      {({ payload }) => (
        <Base.Portal>
          <Base.Positioner sideOffset={6} className={styles.layer}>
            <Base.Popup className={styles.popup}>{payload}</Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      )}
    </Base.Root>
  );
}
