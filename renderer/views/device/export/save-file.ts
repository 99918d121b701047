/** Characters that some file system refuses in a name. */
// oxlint-disable-next-line no-control-regex -- control characters are among them
const REFUSED = /[\u0000-\u001f<>:"/\\|?*]+/g;
/** How long a browser may take to begin reading the file. */
const KEEP_MS = 60_000;

/** Hands a file to the browser's downloads; returns the name it asked for. */
export function saveFile(wanted: string, content: Blob): string {
  const name = fileName(wanted);
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
  return name;
}

/** A name that every file system takes. */
export function fileName(wanted: string): string {
  return wanted.replace(REFUSED, '-').replace(/^\.+/, '').trim() || 'records';
}
