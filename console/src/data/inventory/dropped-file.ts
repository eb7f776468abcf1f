/** A file that was dropped on one page and is read on another: handed over once, in this page alone. */
let waiting: File | undefined;

/** Lays a file down for the page of imports. */
export function layFile(file: File): void {
  waiting = file;
}

/** Takes the file that was laid down; undefined where none was, or it was taken. */
export function takeFile(): File | undefined {
  const file = waiting;
  waiting = undefined;
  return file;
}
