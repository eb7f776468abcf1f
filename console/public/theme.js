// Sets the theme before the first paint, so that a dark page never flashes white. A file of its own, since the page may run no inline script.
try {
  const theme = localStorage.getItem('countersign.theme');
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
  }
} catch {
  // Storage is refused: the system's theme holds.
}
