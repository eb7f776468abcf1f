// The types of what tests use of list-operations.js.
export const page: string;
export function renderPage(text: string): Promise<string>;
