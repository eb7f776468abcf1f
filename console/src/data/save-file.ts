/** Gives a file that was made in the browser to whoever looks, as a download. */

/** What of a name can stand in the name of a file. */
export function fileNameOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
}

/** Saves a file under a name. */
export function saveFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
