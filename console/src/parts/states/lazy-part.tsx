/**
 * Parts that are loaded when they are wanted. One that does not come closes and leaves its place empty: the page around it stays, somebody hears of it,
 * and it is asked for again when it is opened again.
 */
import { type ComponentType, lazy, useEffect, useState } from 'react';

let tell: (error: unknown) => void = () => undefined;

/** Sets who hears of each part that did not come. */
export function whenPartLost(hear: (error: unknown) => void): void {
  tell = hear;
}

/** Says that a part, or a style of it, did not come. */
export function losePart(error: unknown): void {
  tell(error);
}

/** How parts are opened and closed. */
interface Closing {
  readonly open?: boolean;
  readonly isOpen?: boolean;
  readonly onClose?: () => void;
  readonly onOpenChange?: (open: boolean) => void;
}

function Lost({ onClose, onOpenChange }: Closing) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it was opened
  useEffect(() => (onClose === undefined ? onOpenChange?.(false) : onClose()), []);
  return null;
}

/** A component that is loaded when it is drawn first; it suspends until it is there. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const begin = () =>
    lazy(async (): Promise<{ default: ComponentType<Props> }> => {
      try {
        return { default: await load() };
      } catch (error) {
        losePart(error);
        next = begin();
        return { default: Lost as ComponentType<Props> };
      }
    });
  let next = begin();
  // biome-ignore lint/correctness/noComponentHookFactories: it is made once for each part, with the file it is in
  return function LazyPart(props: Props) {
    const { open, isOpen = open } = props as Closing;
    const [held, setHeld] = useState({ Part: next, isOpen });
    if (held.isOpen !== isOpen) {
      setHeld({ Part: next, isOpen });
    }
    // any: the props are those of the part that is loaded.
    const Part = held.Part as ComponentType<any>;
    return <Part {...props} />;
  };
}
