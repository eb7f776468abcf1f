/**
 * Messages for those who listen to the page: one polite live region, a message a second at most, the newest of those that wait. Errors are said at
 * once, in a region of their own.
 */
const pause = 1000;

let polite: HTMLElement | undefined;
let assertive: HTMLElement | undefined;
let waiting: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says a message when there is a pause; one that waits already gives way to it. */
export function announce(message: string): void {
  waiting = message;
  if (timer === undefined) {
    next();
  }
}

/** Says what went wrong, at once. */
export function announceError(message: string): void {
  assertive = say(assertive, 'assertive', message);
}

function next(): void {
  timer = undefined;
  if (waiting !== undefined) {
    polite = say(polite, 'polite', waiting);
    waiting = undefined;
    timer = setTimeout(next, pause);
  }
}

function say(region: HTMLElement | undefined, kind: 'polite' | 'assertive', message: string): HTMLElement {
  const element = region?.isConnected === true ? region : makeRegion(kind);
  // The same words again are news, too: a space makes them other words for a screen reader.
  element.textContent = element.textContent === message ? `${message}\u00a0` : message;
  return element;
}

function makeRegion(kind: 'polite' | 'assertive'): HTMLElement {
  const element = document.createElement('div');
  element.setAttribute('aria-live', kind);
  element.className = 'announcement';
  document.body.append(element);
  return element;
}

/** Makes the regions before anything is said: one that comes with its first words is not always heard. */
export function openRegions(): void {
  polite ??= makeRegion('polite');
  assertive ??= makeRegion('assertive');
}
