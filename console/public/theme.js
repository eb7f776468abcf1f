// Sets the theme before the first paint, so that a dark page never flashes white. A file of its own, since the page may run no inline script.
try {
  const theme = localStorage.getItem('countersign.theme');
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
  }
} catch {
  // Storage is refused: the system's theme holds.
}

// A file of the first load was lost on its way, or an upgrade took it away meanwhile: the page is loaded anew, once for each file.
addEventListener(
  'error',
  ({ target }) => {
    const file = target instanceof HTMLLinkElement || target instanceof HTMLScriptElement ? target.href || target.src : undefined;
    if (file === undefined || document.querySelector('#root:has(.unloaded), body:not(:has(#root))') === null) {
      return;
    }
    try {
      const key = `countersign.lost ${file}`;
      if (sessionStorage.getItem(key) === null) {
        sessionStorage.setItem(key, 'once');
        location.reload();
      }
    } catch {
      // Nothing can be remembered: the page says what happened.
    }
  },
  true,
);
