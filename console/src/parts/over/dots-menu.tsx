/** A menu behind a quiet button of three dots, for the actions on a row of a table. */
import { Button } from '~/parts/controls/button.tsx';
import { Menu, type MenuProps } from './menu.tsx';

export function DotsMenu({ label, items }: Pick<MenuProps, 'label' | 'items'>) {
  return <Menu label={label} trigger={<Button variant="quiet" icon="dots" aria-label={label} />} items={items} />;
}
