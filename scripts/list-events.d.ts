/** Renders docs/events.md. */
export function renderEvents(): Promise<string>;
