/** How long a browser may take to begin reading the file. */
const KEEP_MS = 60_000;

/** Hands a file to the browser's downloads. The name is one that every file system takes (shared/file-name.ts). */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
}
