/** Letters that take no room, turn what follows them, or are blanks. */
const UNSEEN = /[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Bidirectional controls: a name with one would read as another. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

/** A name as screens write it: one that nobody could see, and so not press, says that it is none. */
export function shownName(name: string): string {
  return name.replaceAll(UNSEEN, '') === '' ? '(no visible name)' : name.replaceAll(TURNING, '');
}
