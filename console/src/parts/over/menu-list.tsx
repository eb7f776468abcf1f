/** The list of a menu, beside the button that opened it; the focus goes back to that. */
import { Menu as Base } from '@base-ui/react/menu';
import { type RefObject, useEffect, useRef } from 'react';
import styles from './floating.module.css';
import { Icon } from '~/parts/words/icon.tsx';
import type { MenuItem } from './menu.tsx';

interface MenuListProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  /** It was opened by keys: its first item has the focus. */
  readonly isByKeys: boolean;
  readonly onClose: () => void;
}

export function MenuList({ label, items, button, isOpen, isByKeys, onClose }: MenuListProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Positioner className={styles.layer} align="end" sideOffset={4} anchor={button}>
          <Base.Popup
            className={styles.menu}
            aria-label={label}
            finalFocus={button}
            onKeyDown={(event) => {
              // Nothing follows a menu: it closes, and the next press goes on from its button.
              if (event.key === 'Tab') {
                event.preventDefault();
                onClose();
              }
            }}
          >
            {items.map((item, at) => (
              <Base.Item
                key={item.label}
                label={item.label}
                className={`${styles.item} ${item.danger === true ? styles.danger : ''}`}
                disabled={item.disabledReason !== undefined}
                onClick={() => item.onSelect()}
              >
                {isByKeys && at === 0 ? <FocusAtOnce /> : null}
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

/** Gives the focus to the item that it stands in, once that is placed. */
function FocusAtOnce() {
  const here = useRef<HTMLElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => here.current?.closest<HTMLElement>('[role="menuitem"]')?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return <i ref={here} hidden />;
}
