/** Gives a file that was made in the browser to whoever looks, as a download. */

/** Reduces a name to what a file name can hold. */
export function safeFileName(name: string): string {
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

/** Downloads what an address of the server gives. */
export function downloadFrom(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
