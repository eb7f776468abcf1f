/**
 * What can be done with an object, behind one button. What cannot be done now stays in it and says why. The list comes beside the page: until it
 * is there, its button is only shown.
 */
import { lazy, type ReactNode, Suspense } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { triggerOf } from './trigger.tsx';

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

const MenuList = lazy(() => import('./menu-list.tsx').then(({ MenuList: component }) => ({ default: component })));

export function Menu(props: MenuProps) {
  return (
    <Suspense fallback={triggerOf(props.trigger ?? <Icon name="dots" />, props.label)}>
      <MenuList {...props} />
    </Suspense>
  );
}
