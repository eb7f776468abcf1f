/** A form or an object beside the page it belongs to: from the right, and on a phone from below. */
import { Over, type OverProps } from './over.tsx';

export function Drawer(props: OverProps) {
  return <Over {...props} place="drawer" />;
}
