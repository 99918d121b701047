import type { OpenFile } from './files.ts';

/** Returns the open file with some of its operations replaced. */
export function openFileWith(file: OpenFile, changed: Partial<Omit<OpenFile, 'size'>>): OpenFile {
  return {
    get size() {
      return file.size;
    },
    readNow: (into, position) => file.readNow(into, position),
    read: (into, position) => file.read(into, position),
    writeNow: (bytes, position) => file.writeNow(bytes, position),
    write: (bytes, position) => file.write(bytes, position),
    truncateNow: (size) => file.truncateNow(size),
    sync: () => file.sync(),
    close: () => file.close(),
    ...changed,
  };
}
