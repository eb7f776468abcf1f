/**
 * Actions on an object, behind one button. What cannot be done now stays in it and says why. The list itself is loaded when it is wanted first, so
 * that pages with a menu come without the code that places it.
 */
import { useRender } from '@base-ui/react/use-render';
import { type KeyboardEvent, type MouseEvent, type ReactNode, Suspense, useRef, useState } from 'react';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import { Icon, type IconName } from '~/parts/words/icon.tsx';
import { loadOverPage } from './load-over-page.ts';
import { labelledTrigger } from '~/parts/controls/trigger.tsx';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly onSelect: () => void;
  readonly danger?: boolean | undefined;
  readonly disabledReason?: string | undefined;
}

export interface MenuProps {
  readonly label: string;
  /** A Button, or what stands in one; three dots where absent. */
  readonly trigger?: ReactNode;
  readonly items: readonly MenuItem[];
}

const MenuList = lazyPart(() => loadOverPage().then(({ MenuList: component }) => component));

/** Opening by a pointer, or by keys or what reads the page aloud: then the first item has the focus at once. */
type Opened = 'closed' | 'pointer' | 'keys';

export function Menu({ label, trigger, items }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<Opened>('closed');
  const [isWanted, setWanted] = useState(false);
  const isOpen = opened !== 'closed';
  const open = (by: Opened): void => {
    setWanted(true);
    setOpened(by);
  };
  // What does not come now is asked for again when the button is pressed.
  const prepare = (): void => void loadOverPage().catch(() => undefined);
  const control = useRender({
    render: labelledTrigger(trigger ?? <Icon name="dots" />, label),
    ref: button,
    props: {
      'aria-haspopup': 'menu',
      'aria-expanded': isOpen,
      'data-popup-open': isOpen ? '' : undefined,
      onPointerEnter: prepare,
      onFocus: prepare,
      onClick: (event: MouseEvent) => (isOpen ? setOpened('closed') : open(event.detail === 0 ? 'keys' : 'pointer')),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'ArrowDown' && !isOpen) {
          event.preventDefault();
          open('keys');
        }
      },
    } as Record<string, unknown>,
  });
  return (
    <>
      {control}
      {isWanted ? (
        <Suspense fallback={null}>
          <MenuList
            label={label}
            items={items}
            button={button}
            isOpen={isOpen}
            isByKeys={opened === 'keys'}
            onClose={() => setOpened('closed')}
          />
        </Suspense>
      ) : null}
    </>
  );
}
