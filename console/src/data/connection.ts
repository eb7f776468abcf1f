/**
 * State of the connection and the session: what every call of the console finds out by the way. While the server does not answer it is asked again
 * after 1, 2, 4 seconds and so on, up to 30. Pages of one browser hear of each other who signed in and out.
 */
import { fetchJson as ask } from '../../../src/client/browser.ts';
import { ClientError } from '../../../src/client/error.ts';
import { shareValue } from '~/parts/words/share-value.ts';

export interface Connection {
  /** The server does not answer. */
  readonly isAway: boolean;
  /** Time of the next try, in milliseconds since 1970. */
  readonly nextTry: number;
  /** The session has ended while the page was open. */
  readonly isSignedOut: boolean;
}

const connection = shareValue<Connection>({ isAway: false, nextTry: 0, isSignedOut: false });
let tries = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const onBack = new Set<() => void>();
const onSignedIn = new Set<() => void>();

const set = (change: Partial<Connection>): void => connection.set({ ...connection.read(), ...change });

/** Current state. */
export const useConnection = connection.useValue;

/** Does something whenever the server answers again. Returns what ends that. */
export function whenBack(run: () => void): () => void {
  onBack.add(run);
  return () => onBack.delete(run);
}

/** Does something whenever the same person is signed in again after the session had ended. Returns what ends that. */
export function whenSignedIn(run: () => void): () => void {
  onSignedIn.add(run);
  return () => onSignedIn.delete(run);
}

/** True if the session has ended, as far as this page knows: until somebody signs in again every request would be refused. */
export function hasEnded(): boolean {
  return connection.read().isSignedOut;
}

/** A call, and what it says about the connection. `isOurs` says whether a session was there that may have ended. */
export async function watch<T>(work: Promise<T>, isOurs: () => boolean): Promise<T> {
  try {
    const result = await work;
    tries = 0;
    if (connection.read().isAway) {
      comeBack();
    }
    return result;
  } catch (error) {
    const status = error instanceof ClientError ? error.status : undefined;
    if (status === 0 || status === 502 || status === 503 || status === 504) {
      goAway();
    } else if (status === 401 && isOurs()) {
      set({ isSignedOut: true });
    }
    throw error;
  }
}

function goAway(): void {
  if (!connection.read().isAway) {
    set({ isAway: true });
    planTry();
  }
}

function planTry(): void {
  const wait = Math.min(30_000, 1000 * 2 ** tries);
  tries += 1;
  set({ nextTry: Date.now() + wait });
  clearTimeout(timer);
  timer = setTimeout(() => void tryNow(), wait);
}

/** Asks the server now whether it is there. */
export async function tryNow(): Promise<void> {
  clearTimeout(timer);
  try {
    await ask('GET', '/readyz');
    comeBack();
  } catch {
    planTry();
  }
}

function comeBack(): void {
  clearTimeout(timer);
  set({ isAway: false });
  for (const run of onBack) {
    run();
  }
}

/** Marks the session as gone, or as there again. */
export function setSignedOut(isSignedOut: boolean): void {
  const isBack = connection.read().isSignedOut && !isSignedOut;
  set({ isSignedOut });
  if (isBack) {
    for (const run of onSignedIn) {
      run();
    }
  }
}

/** Message between pages of one browser. */
export type SessionNews = { readonly kind: 'in'; readonly userId: string } | { readonly kind: 'out' };

/** A way to the other tabs; undefined where a browser keeps pages apart, by having none or by refusing it. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}

const channel = openChannel('countersign.session');

/** Says to the other pages of this browser who signed in, or that somebody signed out. */
export function sayToOtherPages(news: SessionNews): void {
  channel?.postMessage(news);
}

/** Listens to the other pages of this browser, for as long as the page lives. */
export function hearOtherPages(hear: (news: SessionNews) => void): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<SessionNews>) => hear(data));
}
