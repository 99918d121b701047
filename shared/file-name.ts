/** Characters that some file system refuses in a name, or takes for the way to another folder. */
// oxlint-disable-next-line no-control-regex -- control characters are among them
const REFUSED = /[\u0000-\u001f\u007f<>:"/\\|?*]+/g;

/** A name that every file system takes, of any text and an extension without its dot: `Größe` and `csv` make `Größe.csv`. */
export function fileName(name: string, extension: string): string {
  const stem = name.toWellFormed().replace(REFUSED, '-').replace(/^\.+/, '').trim();
  return `${stem || 'records'}.${extension}`;
}
