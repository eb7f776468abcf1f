/** The menu itself: its button, and the list that opens at it. */
import { Menu as Base } from '@base-ui/react/menu';
import styles from './floating.module.css';
import { Icon } from './icon.tsx';
import type { MenuProps } from './menu.tsx';
import { triggerOf } from './trigger.tsx';

export function MenuList({ label, trigger, items }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={triggerOf(trigger ?? <Icon name="dots" />, label)} />
      <Base.Portal>
        <Base.Positioner className={styles.layer} align="end" sideOffset={4}>
          <Base.Popup className={styles.menu} aria-label={label}>
            {items.map((item) => (
              <Base.Item
                key={item.label}
                label={item.label}
                className={`${styles.item} ${item.danger === true ? styles.danger : ''}`}
                disabled={item.disabledReason !== undefined}
                onClick={() => item.onSelect()}
              >
                {item.icon === undefined ? null : <Icon name={item.icon} />}
                <span>{item.label}</span>
                {item.disabledReason === undefined ? null : <small>{item.disabledReason}</small>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
