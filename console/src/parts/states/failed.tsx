/** A part that did not come: what happened, its request id, and Load again. The rest of the page works. */
import { text } from '~/text/text.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import styles from './states.module.css';

/** Content read of an error; any other thing has none of it. */
interface Shape {
  readonly status?: number;
  readonly message?: string;
  readonly requestId?: string;
}

export function Failed({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const { status, message, requestId } = (error ?? {}) as Shape;
  const isRefused = status !== undefined && status >= 400 && status < 500;
  return (
    <div className={styles.failed} role="alert">
      <Icon name="warning" />
      <div>
        <strong>{text(status === 0 ? 'parts.noAnswer' : isRefused ? 'parts.refused' : 'parts.fault')}</strong>
        <small>
          {isRefused ? message : text('parts.nothingLost')} {requestId ? text('parts.requestId', { id: requestId }) : null}
        </small>
      </div>
      {retry === undefined ? null : <Button onClick={() => retry()}>{text('parts.again')}</Button>}
    </div>
  );
}
