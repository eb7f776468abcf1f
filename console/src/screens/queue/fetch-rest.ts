/**
 * Fetches the parts of the queue's page that are not on its first screen, once that is there: should the connection go, everything that can be
 * done without it still can.
 */
export function fetchRest(): void {
  const parts = [
    import('./until-form.tsx'),
    import('./reassign-form.tsx'),
    import('./comment-form.tsx'),
    import('./selection-pane.tsx'),
    import('./submit-dialog.tsx'),
    import('./countdown.tsx'),
    import('./first.tsx'),
    import('./results.tsx'),
  ];
  // What does not come now is asked for again when it is wanted.
  void Promise.allSettled(parts);
}
