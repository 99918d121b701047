/** Runs that could be a token or a key: no name or number of a sensor has so many letters and digits. */
const RUN = /[0-9A-Za-z]{40,}/g;
/** A member of a JSON object, or a parameter of a query, whose name says that it is one. */
const NAME =
  '[^"\\\\=&?\\s]{0,40}(?:token|passw|passphrase|secret|api[_-]?key|authorization)[^"\\\\=&?\\s]{0,40}';
const MEMBER = new RegExp(`("${NAME}"\\s{0,8}:\\s{0,8})("(?:[^"\\\\]|\\\\.)*"?|[^\\s,}\\]]+)`, 'gis');
const PARAMETER = new RegExp(`((?:^|[?&\\s])${NAME}=)([^&\\s]+)`, 'gi');

/** Whether any of them may be in it: most texts are short readings. */
const MAY_HOLD = /[0-9A-Za-z]{40}|token|passw|passphrase|secret|api[_-]?key|authorization/i;

const HIDDEN = '(hidden)';

/** The text without what is, or could be, a token, a key or a password. */
export function hideSecrets(text: string): string {
  if (!MAY_HOLD.test(text)) return text;
  return text.replace(MEMBER, `$1"${HIDDEN}"`).replace(PARAMETER, `$1${HIDDEN}`).replace(RUN, HIDDEN);
}

/** Characters of an unknown token that are shown. */
const SHOWN = 4;

/** Returns the beginning of an unknown token, to find its owner by; less of a short one, so that most stays hidden. */
export const beginningOf = (token: string): string => token.slice(0, Math.min(SHOWN, token.length >> 2));
