/** Letters that take no room, turn what follows them, or are blanks. */
const UNSEEN = /[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Bidirectional controls: a name with one would read as another. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

/** Returns a name for screens: an invisible one, which could not be pressed, is replaced by words. */
export function shownName(name: string): string {
  return name.replaceAll(UNSEEN, '') === '' ? '(no visible name)' : name.replaceAll(TURNING, '');
}
