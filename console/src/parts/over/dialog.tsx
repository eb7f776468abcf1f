/** Question to answer before the page goes on: over it, and on a phone from below. It takes the focus and gives it back. */
import { Over, type OverProps } from './over.tsx';

export function Dialog(props: OverProps) {
  return <Over {...props} place="dialog" />;
}
