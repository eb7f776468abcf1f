/** A form or an object beside the page it belongs to: from the right, and on a phone from below. */
import { type DialogProps, Over } from './dialog.tsx';

export function Drawer(props: DialogProps) {
  return <Over {...props} place="drawer" />;
}
