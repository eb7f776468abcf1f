/** Messages over the page. While the pointer or the focus is on one, all stay; F6 leads to them. */
import { Toast as Base } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { Icon } from '~/parts/words/icon.tsx';
import { text } from '~/text/text.ts';
import styles from './toast.module.css';

export interface ToastListProps {
  readonly manager: ReturnType<typeof Base.createToastManager>;
  /** Called once messages are shown. */
  readonly onReady: () => void;
}

export function ToastList({ manager, onReady }: ToastListProps) {
  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal>
        {/* They are said by the region of the page that was there before. */}
        <Base.Viewport className={styles.toasts} aria-label={text('parts.messages')} aria-live="off">
          <Shown />
        </Base.Viewport>
      </Base.Portal>
      <Ready onReady={onReady} />
    </Base.Provider>
  );
}

/** While a dialog is open, the keys of the page rest. */
const noDialog = { role: 'group', 'aria-modal': undefined } as const;

function Shown() {
  return Base.useToastManager().toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} className={styles.toast} {...noDialog}>
      <Base.Title render={<span />} />
      <Base.Action />
      <Base.Close aria-hidden={undefined} aria-label={text('parts.close')}>
        <Icon name="cross" />
      </Base.Close>
    </Base.Root>
  ));
}

/** Comes after the provider has begun to listen: effects of what is inside run first. */
function Ready({ onReady }: { onReady: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onReady);
    return () => clearTimeout(timer);
  }, [onReady]);
  return null;
}
