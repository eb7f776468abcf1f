/**
 * Somebody who receives deliveries: a real HTTP server on a port of its own, which counts idempotency keys, and the kind of delivery that posts
 * to it. What it answers is the last part of the path: /200, /500, /429 and so on at once, /slow after 20 ms, /hang never.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeliveryKind } from '../../src/foundation/deliveries/index.ts';
import type { Delivery } from '../../src/foundation/deliveries/types.ts';
import { AppError } from '../../src/errors.ts';

/** A server that deliveries are posted to. */
export interface Receiver {
  /** URL for deliveries answered so. */
  url(answer: string): string;
  /** The idempotency keys in the order in which they came. */
  readonly keys: string[];
  /** Arrivals of each key. */
  counts(): Map<string, number>;
  /** Answers all that hang with 200. */
  release(): void;
  close(): Promise<void>;
}

/** Starts it. */
export async function startReceiver(): Promise<Receiver> {
  const keys: string[] = [];
  const hanging = new Set<() => void>();
  const server: Server = createServer((request, response) => {
    keys.push(String(request.headers['idempotency-key']));
    request.resume();
    const answer = (request.url ?? '').split('/').at(-1) ?? '';
    const end = (): void => void response.writeHead(Number(answer) || 200, answer === '429' ? { 'retry-after': '7' } : {}).end();
    if (answer === 'hang') {
      hanging.add(end);
    } else {
      setTimeout(end, answer === 'slow' ? 20 : 0);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: (answer) => `http://127.0.0.1:${port}/${answer}`,
    keys,
    counts: () => new Map([...new Set(keys)].map((key) => [key, keys.filter((one) => one === key).length])),
    release() {
      for (const end of hanging) {
        end();
      }
      hanging.clear();
    },
    async close() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

async function post(delivery: Delivery, signal: AbortSignal): Promise<Response> {
  const headers = { 'idempotency-key': delivery.idempotencyKey };
  try {
    return await fetch(String(delivery.payload['url']), { method: 'POST', headers, body: delivery.subjectId, signal });
  } catch (cause) {
    throw new AppError('UNAVAILABLE', 'The receiver cannot be reached.', { cause });
  }
}

/** Posts to the `url` of the payload; anything in the 500s and 429 is worth another attempt. */
export function postKind(more: Partial<DeliveryKind> = {}): DeliveryKind {
  return {
    async deliver(_context, delivery, signal) {
      const response = await post(delivery, signal);
      await response.body?.cancel();
      if (response.ok) {
        return { status: response.status };
      }
      const code = response.status === 429 ? 'RATE_LIMITED' : response.status >= 500 ? 'UNAVAILABLE' : 'FAILED_PRECONDITION';
      const retryAfter = response.headers.get('retry-after');
      throw new AppError(code, `The receiver answered ${response.status}.`, {
        ...(retryAfter !== null && { retryAfterSeconds: Number(retryAfter) }),
      });
    },
    ...more,
  };
}
