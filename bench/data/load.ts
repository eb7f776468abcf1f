/**
 * Load over HTTP: requests per second at a number of connections, in alternating rounds of ours and the peer's, so that both have the same
 * weather.
 */
import autocannon from 'autocannon';
import { median } from '../figure.ts';

/** One request that is sent over and over. */
export interface Target {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const connections = 16;

async function runRound(target: Target, duration: number): Promise<number> {
  const { url, method = 'GET', headers = {}, body } = target;
  const result = await autocannon({ url, method, headers, connections, duration, ...(body === undefined ? {} : { body }) });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${method} ${url}: ${result.non2xx} refused, ${result.errors} errors`);
  }
  return result['2xx'] / result.duration;
}

/** Requests per second of both, the median of three rounds each after one to get warm, or of three shorter ones. */
export async function compareLoad(ours: Target, peer: Target, isShort: boolean): Promise<{ ours: number; peer: number }> {
  const duration = isShort ? 1 : 3;
  const measured = { ours: [] as number[], peer: [] as number[] };
  await runRound(ours, 2);
  await runRound(peer, 2);
  for (let round = 0; round < 3; round++) {
    measured.ours.push(await runRound(ours, duration));
    measured.peer.push(await runRound(peer, duration));
  }
  return { ours: median(measured.ours), peer: median(measured.peer) };
}
