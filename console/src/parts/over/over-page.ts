/** Dialogs, menus and the like over a page, in one file: whichever is wanted first brings the others along. */
export { MenuList } from './menu-list.tsx';
export { OverFrame } from './over-frame.tsx';
export { Popover } from './popover.tsx';
export { ToastList } from './toast-list.tsx';
