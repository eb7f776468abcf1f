/** Going to another site, such as the provider that proves who somebody is. */

/** Goes there. Resolves where the page is shown again, as by the browser's Back: until then what led away is under way, and nothing leads away twice. */
export function leaveTo(url: string): Promise<void> {
  const isBack = new Promise<void>((resolve) => {
    window.addEventListener('pageshow', () => resolve(), { once: true });
  });
  window.location.assign(url);
  return isBack;
}
